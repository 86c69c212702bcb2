/// A service as it was seen on one network interface with one IP version (RFC 6763 §4.1).
///
/// Avahi reports the same service once for each interface and IP version that announces it, and each
/// of these sightings is resolved, updated and lost by itself.
package struct Service: Sendable, Hashable {
  /// The instance name as a person reads it, neither escaped nor cleaned.
  package var instance: String
  /// Always the base type, such as `_ipp._tcp`, also when a subtype was asked for.
  package var type: String
  package var domain: String
  package var interface: NetworkInterface
  package var transport: Transport

  package init(
    instance: String, type: String, domain: String = "local", interface: NetworkInterface,
    transport: Transport
  ) {
    self.instance = instance
    self.type = type
    self.domain = domain
    self.interface = interface
    self.transport = transport
  }

  /// Protocol that carried the announcement.
  package enum Transport: Sendable, Hashable {
    case ipv4, ipv6
    /// Unicast DNS, which has neither.
    case unicast
  }
}

/// A network interface.
///
/// It is identified by its number: when a service vanishes with its interface, the name is gone already.
package struct NetworkInterface: Sendable, Hashable {
  /// -1 for services of unicast DNS, which belong to no interface.
  package var index: Int
  /// In this network namespace; empty when there is no such interface now.
  package var name: String

  package init(index: Int, name: String) {
    self.index = index
    self.name = name
  }

  package static func == (left: NetworkInterface, right: NetworkInterface) -> Bool {
    left.index == right.index
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// A service's host, port, addresses and TXT record.
package struct ServiceDetails: Sendable, Hashable {
  /// The SRV record's host name, unescaped, without the final dot.
  package var host: String
  package var port: Int
  /// Numeric addresses of the host: IPv4, then IPv6, then link-local IPv6 with its zone
  /// (`fe80::1%eth0`).
  package var addresses: [String]
  /// In the record's order.
  ///
  /// Keys may repeat; the first counts (RFC 6763 §6.4).
  package var txt: [TXTEntry]
  package var origin: ServiceOrigin

  package init(
    host: String, port: Int, addresses: [String], txt: [TXTEntry], origin: ServiceOrigin = []
  ) {
    self.host = host
    self.port = port
    self.addresses = addresses
    self.txt = txt
    self.origin = origin
  }
}

/// One string of a TXT record: `key`, `key=` or `key=value` (RFC 6763 §6.3).
package struct TXTEntry: Sendable, Hashable {
  /// Bytes that are not UTF-8 are replaced: such a key equals no key that means anything.
  package var key: String
  /// Any bytes, perhaps none; nil where there is no `=`.
  package var value: [UInt8]?

  package init(key: String, value: [UInt8]?) {
    self.key = key
    self.value = value
  }

  /// Nil for a string without a key, which a client has to ignore (RFC 6763 §6.4).
  package init?(_ string: some Sequence<UInt8>) {
    let parts = Array(string).split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty else { return nil }
    self.init(
      key: String(decoding: key, as: UTF8.self), value: parts.count == 2 ? Array(parts[1]) : nil)
  }
}

/// Source of an answer.
package struct ServiceOrigin: OptionSet, Sendable, Hashable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Announced from this machine: by a cupsd, ipp-usb or a simulated printer.
  package static let local = ServiceOrigin(rawValue: 1)
  /// Announced by this very program.
  package static let own = ServiceOrigin(rawValue: 2)
  /// Avahi knew it already and has not asked again.
  package static let cached = ServiceOrigin(rawValue: 4)
}

/// Events of a browse.
package enum ServiceEvent: Sendable, Equatable {
  /// A service was found while looking for `asked`: a type, or a subtype such as
  /// `_universal._sub._ipp._tcp`. Once for every type asked for that finds it.
  case appeared(Service, asked: String)
  case resolved(Service, ServiceDetails)
  /// A service that was resolved has another address, host, port or TXT record now.
  case updated(Service, ServiceDetails)
  /// Not to be resolved for now (5 s without an answer, as a rule); it may be `resolved` later.
  case unresolved(Service, reason: String)
  /// It is not found any more while looking for `asked`.
  case vanished(Service, asked: String)
  /// Nothing can be found for this type: unicast DNS reports so, for example.
  case failed(asked: String, reason: String)
  /// Every domain of unicast DNS has answered; or
  /// Avahi has reported its cache and has given the network a second to answer, for every type.
  /// Slow printers may still come.
  case allForNow
  /// Avahi went away. What was found before is neither confirmed nor lost; every service that is still
  /// there appears and resolves again after `daemonBack`, before the next `allForNow`.
  case daemonLost
  case daemonBack
}
