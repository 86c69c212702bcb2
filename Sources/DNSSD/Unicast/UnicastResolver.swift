internal import CResolv

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

  private let state: UnsafeMutableRawPointer
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
      let length = Int(resolver_ask(state, name.escaped, Int32(type), &room, Int32(room.count)))
      guard length >= 0 else { return problem }
      guard let message = DNSMessage(Array(room.prefix(length))) else {
        return .failed("the DNS server's answer makes no sense")
      }
      let (records, end) = message.answers(of: type, for: name)
      if !records.isEmpty { return .records(records) }
      // The server has followed an alias only part of its way.
      guard end != name else { return .nothing }
      name = end
    }
    return .failed("\(name.text) is one alias after another")
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
