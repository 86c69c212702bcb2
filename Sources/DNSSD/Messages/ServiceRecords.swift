// Services from DNS-SD's records, records from messages (RFC 6763 §4, §6).

extension DNSMessage {
  /// Longest chain of aliases that is followed.
  static let longestChain = 8

  /// Returns the answers of `type` for `name`, including those behind aliases in the same message (RFC 1034 §3.6.2),
  /// and the name to which the last alias leads, for which the message may have no records.
  ///
  /// Other records in the message are ignored: a server's answer counts only for the name in question.
  package func answers(
    of type: UInt16, for name: DomainName
  ) -> (records: [DNSRecord], name: DomainName) {
    var name = name
    for _ in 0...DNSMessage.longestChain {
      let own = answers.lazy.filter { $0.isInternet && $0.name == name }
      let records = own.filter { $0.type == type }
      guard records.isEmpty, let alias = own.compactMap(\.alias).first else {
        return (Array(records), name)
      }
      name = alias
    }
    return ([], name)
  }
}

extension DNSRecord {
  var alias: DomainName? { if case .alias(let name) = data { name } else { nil } }
  var pointer: DomainName? { if case .pointer(let name) = data { name } else { nil } }
  var address: [UInt8]? { if case .address(let octets) = data { octets } else { nil } }
  var strings: [[UInt8]]? { if case .text(let strings) = data { strings } else { nil } }

  /// A TXT record's entries; at most as many as `entries(of:)` takes from Avahi.
  var entries: [TXTEntry]? { strings.map { $0.prefix(1024).compactMap { TXTEntry($0) } } }
}

/// Host and port of an SRV record.
struct ServiceTarget: Hashable {
  var host: DomainName
  var port: Int

  /// Picks the target to try first (RFC 2782): the lowest priority, then the greatest weight.
  ///
  /// Nil if there is no record, or if the record means that the service does not exist.
  init?(_ records: [DNSRecord]) {
    let places = records.compactMap { record -> (UInt16, Int, UInt16, DomainName)? in
      guard case .service(let priority, let weight, let port, let target) = record.data else {
        return nil
      }
      return (priority, -Int(weight), port, target)
    }
    guard let best = places.min(by: { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }),
      !best.3.isRoot
    else { return nil }
    host = best.3
    port = Int(best.2)
  }
}

extension Service {
  /// Makes the service to which a PTR record for `asked` leads: `Instance._ipp._tcp.example.com` (RFC 6763 §4.1).
  ///
  /// Nil if the target is not an instance of that type.
  ///
  /// - `asked`: a type, or a subtype such as `_universal._sub._ipp._tcp`.
  init?(
    _ target: DomainName, asked: String, interface: NetworkInterface, transport: Transport
  ) {
    let labels = target.labels
    guard labels.count > 3, let base = DomainName(Service.baseType(asked)),
      DomainName(labels: Array(labels[1...2])) == base,
      let domain = DomainName(labels: Array(labels[3...]))
    else { return nil }
    self.init(
      instance: String(decoding: labels[0], as: UTF8.self),
      type: Service.baseType(asked), domain: domain.text, interface: interface,
      transport: transport)
  }

  /// Returns the base type: `_ipp._tcp` for `_universal._sub._ipp._tcp`.
  static func baseType(_ asked: String) -> String {
    asked.split(separator: ".").suffix(2).joined(separator: ".")
  }
}
