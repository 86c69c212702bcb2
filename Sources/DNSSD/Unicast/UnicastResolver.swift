internal import CAvahi
internal import CResolv
import Glibc
import Synchronization
import System

/// Number of servers at the head of resolv.conf that were slow to answer, for all resolvers of this process.
private let slowServers = Atomic<Int>(0)

/// The system's resolver: resolv.conf's servers, with TCP if an answer is too long for UDP.
///
/// Confined to the thread that made it, which it blocks. It can't be interrupted: a question takes as long as the
/// servers' timeouts, 6 s with one server, plus 4 s over TCP.
final class UnicastResolver {
  enum Answer: Equatable, Sendable {
    /// At least one.
    case records([DNSRecord])
    /// The name exists, but has no record of this type.
    case nothing
    case noSuchName
    case failed(String)
  }

  /// An answer that takes this long came after a server timed out: slightly less than CResolv's `retrans`.
  private static let timeout = Duration.milliseconds(1_900)
  private static let quickTimeout = Duration.milliseconds(950)

  let state: UnsafeMutableRawPointer
  /// Number of servers moved behind the others.
  private var skipped = 0
  /// True if the last answer lacks records: even over TCP, a message has at most 65,535 bytes (RFC 2181 §9), and invalid
  /// records are left out.
  private(set) var isIncomplete = false
  /// More than glibc allows for an answer over UDP; longer answers are fetched over TCP.
  private var room = [UInt8](repeating: 0, count: 4_096)

  /// Opens the resolver; nil if out of memory.
  init?() {
    guard let state = resolver_open() else { return nil }
    self.state = state
  }

  deinit { resolver_close(state) }

  /// Returns a name's valid records of one type, following its aliases; fails if it has only invalid ones.
  ///
  /// - `isQuick`: waits a second for each answer, and asks only once.
  func ask(_ type: UInt16, of name: DomainName, isQuick: Bool = false) -> Answer {
    var name = name
    for _ in 0...DNSMessage.longestChain {
      let length = question(type, of: name, isQuick: isQuick)
      let message: DNSMessage
      if isTooLong {
        guard let whole = answerByTCP(type, of: name, isQuick: isQuick) else {
          return .failed("no DNS server sends a long answer in full")
        }
        guard whole.responseCode == 0 else {
          return whole.responseCode == 3 ? .noSuchName : .failed(Self.refusal)
        }
        message = whole
      } else {
        guard length >= 0 else { return problem }
        guard let whole = DNSMessage(Array(room.prefix(length))) else {
          return .failed(Self.invalid)
        }
        message = whole
      }
      let (records, end) = message.answers(of: type, for: name)
      let valid = records.filter { !$0.isInvalid }
      isIncomplete = message.isTruncated || valid.count < records.count
      if !valid.isEmpty { return .records(valid) }
      guard records.isEmpty else { return .failed(Self.invalid) }
      // The server has followed an alias only part of its way.
      guard end != name else { return .nothing }
      name = end
    }
    return .failed("\(name.text) has too many aliases")
  }

  /// Sends a question and returns the length of the answer, as `resolver_ask` does.
  ///
  /// libresolv starts each question with the first server, so a dead one would delay every question. Slow servers are
  /// moved behind the others.
  private func question(_ type: UInt16, of name: DomainName, isQuick: Bool) -> Int {
    resolver_hurry(state, isQuick ? 1 : 0)
    let timeout = isQuick ? Self.quickTimeout : Self.timeout
    while skipped < slowServers.load(ordering: .relaxed) {
      resolver_rotate(state)
      skipped += 1
    }
    let begun = ContinuousClock.now
    room[2] = 0
    let length = Int(resolver_ask(state, name.escaped, Int32(type), &room, Int32(room.count)))
    if length >= 0, begun.duration(to: .now) >= timeout {
      _ = slowServers.compareExchange(
        expected: skipped, desired: skipped + 1, ordering: .relaxed)
    }
    return length
  }

  /// True if the last answer was truncated over UDP, or did not fit into `room` over TCP (`use-vc`).
  ///
  /// libresolv reports a truncated answer without records as an error.
  private var isTooLong: Bool { room[2] & 0x82 == 0x82 }

  private static let refusal = "the DNS server refuses to answer"
  private static let invalid = "the DNS server sent an invalid answer"

  private var problem: Answer {
    switch Int(resolver_error(state)) {
    case resolver_no_name: .noSuchName
    case resolver_no_data: .nothing
    // The room may have a server's refusal (RCODE 5), or its statement that it failed (2).
    case resolver_no_answer where room[2] & 0x80 == 0 || ![2, 5].contains(room[3] & 0x0F):
      .failed("no DNS server answers for it")
    case resolver_no_answer where room[3] & 0x0F == 2:
      .failed("the DNS server reports that it failed (SERVFAIL)")
    default: .failed(Self.refusal)
    }
  }

  var searchDomains: [DomainName] {
    (0..<6).compactMap { number in
      resolver_search_domain(state, number).flatMap { DomainName(String(cString: $0)) }
    }
  }
}

// Of the whole module, the compiler knows timeval from this one.

// Answers that are too long for UDP. libresolv would wait indefinitely for each byte of one.

extension UnicastResolver {
  /// Time for a complete answer.
  private static let patienceByTCP = Duration.seconds(4)
  private static let quickPatienceByTCP = Duration.seconds(1)
  /// Time for one server to accept a connection.
  private static let patienceToConnect = Duration.seconds(2)

  /// Sends one question over TCP (RFC 7766) and returns the first server's answer; nil if none answers in time.
  func answerByTCP(_ type: UInt16, of name: DomainName, isQuick: Bool) -> DNSMessage? {
    let timeout = isQuick ? Self.quickPatienceByTCP : Self.patienceByTCP
    let deadline = ContinuousClock.now + timeout
    // RD: the server is to ask others.
    let query = DNSMessage(
      id: .random(in: 0...UInt16.max), flags: 0x0100, questions: [DNSQuestion(name, type)])
    guard let bytes = query.bytes else { return nil }
    var refusal: DNSMessage?
    for number in 0..<Int32(MAXNS) {
      var address = sockaddr_storage()
      let size = resolver_server(state, number, &address)
      guard size > 0 else { break }
      guard
        let answer = exchange(
          octets(UInt16(bytes.count)) + bytes, with: address, size, until: deadline),
        let message = DNSMessage(answer), message.isResponse, message.id == query.id,
        message.questions.first == query.questions.first
      else { continue }
      // If this server fails or refuses, another may have the answer (3: the name does not exist).
      if [0, 3].contains(message.responseCode) { return message }
      refusal = message
    }
    return refusal
  }

  /// Sends a message with its length prefix and returns its answer without it; nil if time runs out or no server
  /// answers.
  private func exchange(
    _ query: [UInt8], with address: sockaddr_storage, _ size: socklen_t,
    until deadline: ContinuousClock.Instant
  ) -> [UInt8]? {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(Int32(address.ss_family), Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let limit = min(Self.patienceToConnect, ContinuousClock.now.duration(to: deadline))
    guard limit > .zero else { return nil }
    // Of connect(2) and send(2).
    let milliseconds = Int(limit / .milliseconds(1)) + 1
    var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    let length = socklen_t(MemoryLayout<timeval>.size)
    guard setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, length) == 0 else { return nil }
    guard passing(address, size: Int(size), { connect(descriptor, $0, $1) }) == 0,
      send(descriptor, query, query.count, Int32(MSG_NOSIGNAL)) == query.count
    else { return nil }
    var answer: [UInt8] = []
    var wanted = 2
    var room = [UInt8](repeating: 0, count: 16_384)
    while answer.count < wanted {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0, waitForInput(on: [descriptor], milliseconds: Int32(left) + 1) == [true]
      else { return nil }
      let count = recv(
        descriptor, &room, min(room.count, wanted - answer.count), Int32(MSG_DONTWAIT))
      if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
      guard count > 0 else { return nil }
      answer += room.prefix(count)
      if answer.count == 2 { wanted += Int(answer[0]) << 8 | Int(answer[1]) }
    }
    return Array(answer.dropFirst(2))
  }
}
