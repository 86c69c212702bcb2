/// The record types that DNS-SD uses (RFC 1035 §3.2.2, RFC 2782, RFC 3596).
package enum DNSType {
  package static let a: UInt16 = 1
  package static let alias: UInt16 = 5
  package static let authority: UInt16 = 6
  package static let pointer: UInt16 = 12
  package static let text: UInt16 = 16
  package static let aaaa: UInt16 = 28
  package static let service: UInt16 = 33

  /// Those whose data are parsed.
  static let parsed: Set<UInt16> = [a, alias, pointer, text, aaaa, service]
}

/// A question.
package struct DNSQuestion: Sendable, Hashable {
  package var name: DomainName
  package var type: UInt16
  /// IN, and the multicast DNS bit that asks for a unicast answer (RFC 6762 §5.4).
  package var classField: UInt16
}

extension DNSQuestion {
  package init(_ name: DomainName, _ type: UInt16, wantsUnicast: Bool = false) {
    self.init(name: name, type: type, classField: wantsUnicast ? 0x8001 : 1)
  }
}

/// A resource record.
package struct DNSRecord: Sendable, Hashable {
  package var name: DomainName
  package var type: UInt16
  /// IN, and the multicast DNS bit for a record that no other host has (RFC 6762 §10.2).
  package var classField: UInt16
  /// In seconds.
  package var timeToLive: UInt32
  package var data: Content

  package enum Content: Sendable, Hashable {
    /// A PTR record.
    case pointer(DomainName)
    /// A CNAME record.
    case alias(DomainName)
    /// An SRV record; a root target means that the service does not exist.
    case service(priority: UInt16, weight: UInt16, port: UInt16, target: DomainName)
    /// A TXT record's strings.
    case text([[UInt8]])
    /// An A record's 4 octets, or an AAAA record's 16.
    case address([UInt8])
    /// Any other record (RFC 3597), or one whose data don't match its type.
    case other([UInt8])
  }

  package init(
    _ name: DomainName, _ type: UInt16, classField: UInt16 = 1, timeToLive: UInt32, data: Content
  ) {
    self.name = name
    self.type = type
    self.classField = classField
    self.timeToLive = timeToLive
    self.data = data
  }

  /// True if its data do not match its type, such as a string that is longer than they are.
  var isInvalid: Bool {
    if case .other = data { DNSType.parsed.contains(type) } else { false }
  }

  /// True if its class is IN.
  var isInternet: Bool { classField & 0x7FFF == 1 }
}
