internal import CResolv
import Synchronization

/// Number of servers at the head of resolv.conf that were slow to answer, for all resolvers of this process.
private let slowServers = Atomic<Int>(0)

/// The system's resolver: resolv.conf's servers, TCP where an answer is too long for UDP.
///
/// It belongs to the thread that made it, blocks it, and can't be hurried.
final class UnicastResolver {
  enum Answer: Equatable, Sendable {
    /// At least one.
    case records([DNSRecord])
    /// The name exists, without a record of this type.
    case nothing
    case noSuchName
    case failed(String)
  }

  /// A server that has not answered by then has cost the wait for it: CResolv's `retrans`.
  private static let patience = Duration.milliseconds(1_900)

  private let state: UnsafeMutableRawPointer
  /// Number of servers that were moved behind the others.
  private var skipped = 0
  /// The last answer has less than the server knows: even over TCP it may have at most 65,535 bytes (RFC 2181 §9).
  private(set) var isCutShort = false
  private var room = [UInt8](repeating: 0, count: DNSMessage.longest)

  /// Nil: there is no memory.
  init?() {
    guard let state = resolver_open() else { return nil }
    self.state = state
  }

  deinit { resolver_close(state) }

  /// The records of one type that a name has, through its aliases.
  func ask(_ type: UInt16, of name: DomainName) -> Answer {
    var name = name
    for _ in 0...DNSMessage.longestChain {
      let length = question(type, of: name)
      guard length >= 0 else { return problem }
      guard let message = DNSMessage(Array(room.prefix(length))) else {
        return .failed("the DNS server's answer makes no sense")
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
  private func question(_ type: UInt16, of name: DomainName) -> Int {
    while skipped < slowServers.load(ordering: .relaxed) {
      resolver_rotate(state)
      skipped += 1
    }
    let begun = ContinuousClock.now
    let length = Int(resolver_ask(state, name.escaped, Int32(type), &room, Int32(room.count)))
    if length >= 0, begun.duration(to: .now) >= Self.patience {
      _ = slowServers.compareExchange(
        expected: skipped, desired: skipped + 1, ordering: .relaxed)
    }
    return length
  }

  private var problem: Answer {
    switch Int(resolver_error(state)) {
    case resolver_no_name: .noSuchName
    case resolver_no_data: .nothing
    case resolver_no_answer: .failed("no DNS server answers for it")
    default: .failed("the DNS server refuses to answer")
    }
  }

  /// The search list of resolv.conf.
  var searchDomains: [DomainName] {
    (0..<6).compactMap { number in
      resolver_search_domain(state, number).flatMap { DomainName(String(cString: $0)) }
    }
  }
}
