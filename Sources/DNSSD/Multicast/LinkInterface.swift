import Glibc
import System

/// An interface with one IP version, and the networks on its link.
struct LinkInterface: Equatable {
  var link: Link
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
    var places: [LinkInterface] = []
    let needed = Int32(IFF_UP | IFF_MULTICAST)
    for entry in InterfaceAddress.all
    where entry.flags & needed == needed && (entry.flags & Int32(IFF_LOOPBACK) != 0) == onLoopback
      && !entry.mask.isEmpty
    {
      let interface = NetworkInterface(
        index: Int(if_nametoindex(entry.interfaceName)), name: entry.interfaceName)
      let link = Link(
        interface: interface, transport: entry.octets.count == 4 ? .ipv4 : .ipv6)
      let network = Network(address: entry.octets, mask: entry.mask)
      if let index = places.firstIndex(where: { $0.link == link }) {
        places[index].networks.append(network)
      } else if places.count < maximum {
        places.append(LinkInterface(link: link, networks: [network]))
      }
    }
    return places.map(\.withLinkLocalFirst)
  }

  /// IPv6 queries are sent from a link-local address: RFC 6762 §15.1 does not require it, but responders check it.
  private var withLinkLocalFirst: LinkInterface {
    var place = self
    let local = networks.filter { NetworkAddress(octets: $0.address).isLinkLocal }
    place.networks =
      link.transport == .ipv6 ? local + networks.filter { !local.contains($0) } : networks
    return place
  }
}
