import Glibc
import System

/// The sockets for multicast DNS on one interface with one IP version.
///
/// One sends queries from its own port, so that responders answer it alone (RFC 6762 §5.1, §6.7). Such an answer is
/// limited to 512 octets, and Avahi drops the rest: all but four of a server's printers. So the other uses the shared
/// port, and receives multicast answers.
final class LinkSocket {
  /// RFC 6762 §3.
  static let port: UInt16 = 5353
  private static let group4: [UInt8] = [224, 0, 0, 251]
  private static let group6: [UInt8] = [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB]

  let place: LinkInterface
  /// The multicast address.
  private let group: SocketAddress
  /// Of the socket with its own port, and of the shared port if it can be shared.
  let descriptors: [Int32]
  private var room = [UInt8](repeating: 0, count: 9_000)

  /// Opens the sockets; nil if the interface is gone, or does not support multicast.
  init?(_ place: LinkInterface) {
    self.place = place
    group = SocketAddress(
      place.link.transport == .ipv6 ? Self.group6 : Self.group4, port: Self.port,
      interfaceIndex: UInt32(place.link.interface.index))
    guard let address = place.networks.first?.address else { return nil }
    let own = SocketAddress(address, port: 0, interfaceIndex: group.interfaceIndex)
    guard let alone = Self.open(place, at: own) else { return nil }
    descriptors = [alone, Self.open(place, at: group, isGroup: true)].compactMap(\.self)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Sends to all hosts on the link, `message` from its own port and `shared` from the shared one.
  ///
  /// Lost messages are sent again later.
  func send(_ message: [UInt8], shared: [[UInt8]]) {
    group.apply { address, size in
      for (descriptor, messages) in zip(descriptors, [[message], shared]) {
        for bytes in messages {
          _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
        }
      }
    }
  }

  /// Receives the next message that can be an answer: from the multicast DNS port and from this link (RFC 6762 §6,
  /// §11).
  ///
  /// Nil if there is none, or if too many others precede it.
  func receive(_ descriptor: Int32) -> DNSMessage? {
    for _ in 0..<64 {
      var count = 0
      let source = SocketAddress { address, size in
        count = recvfrom(descriptor, &room, room.count, 0, address, size)
        return count >= 0
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard let source, source.port == Self.port, place.reaches(source.octets),
        let message = DNSMessage(Array(room.prefix(count)))
      else { continue }
      return message
    }
    return nil
  }

  /// Opens a socket for multicast on one interface; nil if that is not possible.
  ///
  /// - `isGroup`: receives what is sent to `address` on this interface only, and lets others use the same port.
  private static func open(
    _ place: LinkInterface, at address: SocketAddress, isGroup: Bool = false
  ) -> Int32? {
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let isIPv6 = place.link.transport == .ipv6
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    let index = Int32(place.link.interface.index)
    let (v4, v6) = (Int32(IPPROTO_IP), Int32(IPPROTO_IPV6))
    func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) -> Bool {
      withUnsafePointer(to: value) {
        setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) == 0
      }
    }
    var request4 = ip_mreqn(
      imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: index)
    var isReady =
      (!isGroup || set(SOL_SOCKET, SO_REUSEADDR, Int32(1)))
      && (isIPv6
        ? set(v6, IPV6_V6ONLY, Int32(1)) && set(v6, IPV6_MULTICAST_IF, index)
          && set(v6, IPV6_MULTICAST_HOPS, Int32(255))
        : set(v4, IP_MULTICAST_IF, request4) && set(v4, IP_MULTICAST_TTL, Int32(255)))
    if isReady, isGroup, isIPv6 {
      var request = ipv6_mreq(ipv6mr_multiaddr: in6_addr(), ipv6mr_interface: UInt32(index))
      withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) { $0.copyBytes(from: address.octets) }
      isReady = set(v6, IPV6_JOIN_GROUP, request)
    } else if isReady, isGroup {
      withUnsafeMutableBytes(of: &request4.imr_multiaddr) { $0.copyBytes(from: address.octets) }
      isReady = set(v4, IP_MULTICAST_ALL, Int32(0)) && set(v4, IP_ADD_MEMBERSHIP, request4)
    }
    if isReady, address.apply({ bind(descriptor, $0, $1) == 0 }) { return descriptor }
    close(descriptor)
    return nil
  }
}
