internal import CResolv
import Synchronization

/// Number of servers at the head of resolv.conf that were slow to answer, for all resolvers of this process.
private let slowServers = Atomic<Int>(0)

/// The system's resolver: resolv.conf's servers, TCP where an answer is too long for UDP.
///
/// It belongs to the thread that made it, blocks it, and can't be hurried: a question takes as long as the servers'
/// patience allows, which is 6 s with one, and 4 s more by TCP.
final class UnicastResolver {
  enum Answer: Equatable, Sendable {
    /// At least one.
    case records([DNSRecord])
    /// The name exists, without a record of this type.
    case nothing
    case noSuchName
    case failed(String)
  }

  /// A server that has not answered by then has cost the wait for it: CResolv's `retrans`, nearly.
  private static let patience = Duration.milliseconds(1_900)
  private static let quickPatience = Duration.milliseconds(950)

  let state: UnsafeMutableRawPointer
  /// Number of servers that were moved behind the others.
  private var skipped = 0
  /// The last answer has less than the server knows: even over TCP it may have at most 65,535 bytes (RFC 2181 §9).
  private(set) var isCutShort = false
  /// More than glibc lets an answer by UDP have; others are fetched anew.
  private var room = [UInt8](repeating: 0, count: 4_096)

  /// Nil: there is no memory.
  init?() {
    guard let state = resolver_open() else { return nil }
    self.state = state
  }

  deinit { resolver_close(state) }

  /// The records of one type that a name has, through its aliases.
  ///
  /// - `isQuick`: waits a second for each answer, and asks once.
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
          return .failed("the DNS server sent an invalid answer")
        }
        message = whole
      }
      isCutShort = message.isTruncated
      let (records, end) = message.answers(of: type, for: name)
      if !records.isEmpty { return .records(records) }
      // The server has followed an alias only part of its way.
      guard end != name else { return .nothing }
      name = end
    }
    return .failed("\(name.text) has too many aliases")
  }

  /// The length of the answer, as `resolver_ask` gives it.
  ///
  /// libresolv begins each question with the first server: one that is dead would take the time of all.
  private func question(_ type: UInt16, of name: DomainName, isQuick: Bool) -> Int {
    resolver_hurry(state, isQuick ? 1 : 0)
    let patience = isQuick ? Self.quickPatience : Self.patience
    while skipped < slowServers.load(ordering: .relaxed) {
      resolver_rotate(state)
      skipped += 1
    }
    let begun = ContinuousClock.now
    room[2] = 0
    let length = Int(resolver_ask(state, name.escaped, Int32(type), &room, Int32(room.count)))
    if length >= 0, begun.duration(to: .now) >= patience {
      _ = slowServers.compareExchange(
        expected: skipped, desired: skipped + 1, ordering: .relaxed)
    }
    return length
  }

  /// The last answer that came by UDP is not all of it, or that by TCP for which there was no room (`use-vc`).
  ///
  /// That of no record is an error to libresolv.
  private var isTooLong: Bool { room[2] & 0x82 == 0x82 }

  private static let refusal = "the DNS server refuses to answer"

  private var problem: Answer {
    switch Int(resolver_error(state)) {
    case resolver_no_name: .noSuchName
    case resolver_no_data: .nothing
    case resolver_no_answer: .failed("no DNS server answers for it")
    default: .failed(Self.refusal)
    }
  }

  /// The search list of resolv.conf.
  var searchDomains: [DomainName] {
    (0..<6).compactMap { number in
      resolver_search_domain(state, number).flatMap { DomainName(String(cString: $0)) }
    }
  }
}
