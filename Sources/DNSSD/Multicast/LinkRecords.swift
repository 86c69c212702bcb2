/// Records received from one link.
///
/// Bounded, because any host on the link may send anything.
struct LinkRecords {
  /// Largest number of names with known records.
  static let maximumNames = 8_192
  /// Largest memory of all records of a link, in octets.
  static let maximumSize = 8 << 20

  private var known: [DomainName: [UInt16: [DNSRecord.Content]]] = [:]
  private var size = 0

  /// Stores a message's records; those of a name and a type replace earlier ones.
  ///
  /// Hosts on the link also send records that nobody asked for. When these have filled all room, everything is
  /// forgotten, and what is still missing is queried again.
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

  /// Returns a service's TXT entries; nil if no TXT record is known.
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
  /// Memory in octets, including the overhead of each separate string.
  fileprivate var size: Int {
    reduce(0) { sum, content in
      if case .text(let strings) = content {
        return sum + strings.reduce(64) { $0 + $1.count + 40 }
      }
      return sum + 64
    }
  }
}
