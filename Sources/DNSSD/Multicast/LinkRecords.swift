/// Records that one link has sent.
///
/// Bounded, because anybody on the link may say anything.
struct LinkRecords {
  /// Names that something is known of.
  static let maximumNames = 8_192
  /// Octets of memory that all records of a link may take.
  static let maximumSize = 8 << 20

  private var known: [DomainName: [UInt16: [DNSRecord.Content]]] = [:]
  private var size = 0

  /// Takes in a message: its records of a name and a type replace earlier ones.
  ///
  /// Others on the link say more than is asked for: when that has filled all room, everything is forgotten, and what is
  /// still missing is asked for again.
  mutating func take(_ message: DNSMessage) {
    var new: [DomainName: [UInt16: [DNSRecord.Content]]] = [:]
    for record in message.answers + message.additionals
    where record.isInternet && record.timeToLive > 0 && Self.types.contains(record.type) {
      new[record.name, default: [:]][record.type, default: []].append(record.data)
    }
    for (name, types) in new {
      if known[name] == nil, known.count >= Self.maximumNames { forgetAll() }
      for (type, contents) in types {
        let contents = Array(contents.prefix(HostAddresses.maximum))
        var more: Int { contents.size - (known[name]?[type]?.size ?? 0) }
        if size + more > Self.maximumSize { forgetAll() }
        guard more <= Self.maximumSize else { continue }
        size += more
        known[name, default: [:]][type] = contents
      }
    }
  }

  private static let types = [DNSType.service, DNSType.text, DNSType.a, DNSType.aaaa]

  private mutating func forgetAll() {
    known = [:]
    size = 0
  }

  mutating func forget(_ name: DomainName) {
    let gone = known.removeValue(forKey: name) ?? [:]
    size -= gone.values.reduce(0) { $0 + $1.size }
  }

  func place(of service: DomainName) -> ServiceTarget? {
    ServiceTarget(records(DNSType.service, service))
  }

  /// Nil: nothing is known of it.
  func entries(of service: DomainName) -> [TXTEntry]? {
    records(DNSType.text, service).lazy.compactMap(\.entries).first
  }

  func addresses(of host: DomainName) -> Set<[UInt8]> {
    let records = records(DNSType.a, host) + records(DNSType.aaaa, host)
    return Set(records.compactMap(\.address))
  }

  private func records(_ type: UInt16, _ name: DomainName) -> [DNSRecord] {
    (known[name]?[type] ?? []).map { DNSRecord(name, type, timeToLive: 1, data: $0) }
  }
}

extension [DNSRecord.Content] {
  /// Octets, with what it costs to keep a string of its own.
  fileprivate var size: Int {
    reduce(0) { sum, content in
      if case .text(let strings) = content {
        return sum + strings.reduce(64) { $0 + $1.count + 40 }
      }
      return sum + 64
    }
  }
}
