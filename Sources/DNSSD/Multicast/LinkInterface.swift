import Glibc

/// An interface with one IP version, and the networks on its link.
struct LinkInterface: Equatable {
  var interface: NetworkInterface
  var transport: Service.Transport
  /// At least one.
  var networks: [Network]

  /// An address of this machine, with its network mask.
  struct Network: Equatable {
    var address: [UInt8]
    var mask: [UInt8]

    func contains(_ other: [UInt8]) -> Bool {
      guard other.count == address.count, mask.count == address.count else { return false }
      return zip(zip(address, other), mask).allSatisfy { $0.0 & $1 == $0.1 & $1 }
    }
  }

  /// Returns true if an address is on this link.
  func reaches(_ address: [UInt8]) -> Bool {
    NetworkAddress(octets: address).isLinkLocal || networks.contains { $0.contains(address) }
  }

  /// Most interfaces considered; no machine has printers on more.
  static let maximum = 64

  /// Returns all interfaces that are up and support multicast; loopback only if there is no other, as in a container.
  static func all() -> [LinkInterface] {
    let places = all(onLoopback: false)
    return places.isEmpty ? all(onLoopback: true) : places
  }

  private static func all(onLoopback: Bool) -> [LinkInterface] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var places: [LinkInterface] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = Int32(bitPattern: entry.ifa_flags)
      let needed = Int32(IFF_UP | IFF_MULTICAST)
      guard flags & needed == needed, (flags & Int32(IFF_LOOPBACK) != 0) == onLoopback,
        let address = octets(entry.ifa_addr),
        let mask = octets(entry.ifa_netmask), let name = entry.ifa_name
      else { continue }
      let interface = NetworkInterface(
        index: Int(if_nametoindex(name)), name: String(cString: name))
      let transport: Service.Transport = address.count == 4 ? .ipv4 : .ipv6
      let network = Network(address: address, mask: mask)
      if let index = places.firstIndex(where: {
        $0.interface == interface && $0.transport == transport
      }) {
        places[index].networks.append(network)
      } else if places.count < maximum {
        places.append(
          LinkInterface(interface: interface, transport: transport, networks: [network]))
      }
    }
    return places.map(\.withLinkLocalFirst)
  }

  /// IPv6 queries are sent from a link-local address: RFC 6762 §15.1 does not require it, but responders check it.
  private var withLinkLocalFirst: LinkInterface {
    var place = self
    let local = networks.filter { NetworkAddress(octets: $0.address).isLinkLocal }
    place.networks = transport == .ipv6 ? local + networks.filter { !local.contains($0) } : networks
    return place
  }

  private static func octets(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6:
      return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
  }
}
