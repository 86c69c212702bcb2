/// A service found on one network interface with one IP version (RFC 6763 §4.1).
///
/// Avahi reports the same service once for each interface and IP version that announces it. Each of these reports is
/// resolved, updated and lost separately.
package struct Service: Sendable, Hashable {
  /// The instance name as people read it, unescaped, but not made safe to print.
  package var instance: String
  /// Always the base type, such as `_ipp._tcp`, even if a subtype was browsed.
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

  /// The link on which it was found.
  var link: Link { Link(interface: interface, transport: transport) }

  /// Protocol that carried the announcement.
  package enum Transport: Sendable, Hashable {
    case ipv4, ipv6
    /// Unicast DNS, which has no interface and no IP version.
    case unicast
  }
}

/// A network interface with one IP version.
struct Link: Hashable {
  var interface: NetworkInterface
  var transport: Service.Transport
}

/// A network interface.
///
/// Identified by its number: when a service vanishes together with its interface, the name is already gone.
package struct NetworkInterface: Sendable, Hashable {
  /// -1 for services of unicast DNS, which belong to no interface.
  package var index: Int
  /// The name in this network namespace; empty if the interface does not exist now.
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
  /// The TXT entries in the record's order.
  ///
  /// Keys may repeat; the first one counts (RFC 6763 §6.4).
  package var txt: [TXTEntry]
  /// True if it was announced from this machine: by a cupsd, ipp-usb or a simulated printer.
  package var isLocal: Bool

  package init(
    host: String, port: Int, addresses: [String], txt: [TXTEntry], isLocal: Bool = false
  ) {
    self.host = host
    self.port = port
    self.addresses = addresses
    self.txt = txt
    self.isLocal = isLocal
  }
}

/// One string of a TXT record: `key`, `key=` or `key=value` (RFC 6763 §6.3).
package struct TXTEntry: Sendable, Hashable {
  /// The key; bytes that are not UTF-8 are replaced, and such a key never matches a known one.
  package var key: String
  /// Any bytes, or none; nil if there is no `=`.
  package var value: [UInt8]?

  package init(key: String, value: [UInt8]?) {
    self.key = key
    self.value = value
  }

  /// Parses an entry; nil for a string without a key, which clients must ignore (RFC 6763 §6.4).
  package init?(_ string: some Sequence<UInt8>) {
    let parts = Array(string).split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty else { return nil }
    self.init(
      key: String(decoding: key, as: UTF8.self), value: parts.count == 2 ? Array(parts[1]) : nil)
  }
}

/// Events of a browse.
package enum ServiceEvent: Sendable, Equatable {
  /// A service was found while browsing for `asked`: a type, or a subtype such as `_universal._sub._ipp._tcp`.
  ///
  /// Sent once for every type that finds it.
  case appeared(Service, asked: String)
  case resolved(Service, ServiceDetails)
  /// The address, host, port or TXT record of a resolved service has changed.
  case updated(Service, ServiceDetails)
  /// The service can't be resolved for now (usually no answer for 5 s); it may be `resolved` later.
  case unresolved(Service)
  /// The service is no longer found while browsing for `asked`.
  case vanished(Service, asked: String)
  /// Nothing can be found for one of the types; for example, unicast DNS reports an error.
  case failed(reason: String)
  /// Everything that was found for now has been reported; slow printers may still appear.
  ///
  /// Every domain of unicast DNS has answered; or Avahi has reported its cache for every type and has given the network
  /// a second to answer.
  case allForNow
  /// Avahi went away.
  ///
  /// Services found before are neither confirmed nor lost; each one that still exists appears and resolves again when it
  /// is back, before the next `allForNow`.
  case daemonLost
}
