/// Records that one link has sent. Bounded, because anybody on the link may say anything.
struct LinkRecords {
  /// Names that something is known of.
  static let maximumNames = 8_192

  private var known: [DomainName: [UInt16: [DNSRecord.Content]]] = [:]

  /// Takes in a message: what it says of a name and a type replaces what was said before.
  mutating func take(_ message: DNSMessage) {
    var new: [DomainName: [UInt16: [DNSRecord.Content]]] = [:]
    for record in message.answers + message.additionals
    where record.isInternet && record.timeToLive > 0 && Self.types.contains(record.type) {
      new[record.name, default: [:]][record.type, default: []].append(record.data)
    }
    for (name, types) in new {
      guard known[name] != nil || known.count < Self.maximumNames else { continue }
      for (type, contents) in types {
        known[name, default: [:]][type] = Array(contents.prefix(HostAddresses.maximum))
      }
    }
  }

  private static let types = [DNSType.service, DNSType.text, DNSType.a, DNSType.aaaa]

  mutating func forget(_ name: DomainName) { known[name] = nil }

  func place(of service: DomainName) -> ServicePlace? {
    ServicePlace(records(DNSType.service, service))
  }

  /// Nil: nothing was said of it.
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
