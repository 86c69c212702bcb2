import Glibc

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
  /// Of the socket with its own port, and of the shared port if it can be shared.
  let descriptors: [Int32]
  private var room = [UInt8](repeating: 0, count: 9_000)

  /// Opens the sockets; nil if the interface is gone, or does not support multicast.
  init?(_ place: LinkInterface) {
    self.place = place
    guard let address = place.networks.first?.address,
      let own = OptionedSocket(place, sharing: false)
    else { return nil }
    guard Self.withAddress(address, 0, place, { bind(own.descriptor, $0, $1) == 0 }) else {
      close(own.descriptor)
      return nil
    }
    guard let shared = OptionedSocket(place, sharing: true) else {
      descriptors = [own.descriptor]
      return
    }
    let isHeard =
      shared.join(Self.group(of: place))
      && Self.withAddress(Self.group(of: place), Self.port, place) {
        bind(shared.descriptor, $0, $1) == 0
      }
    if !isHeard { close(shared.descriptor) }
    descriptors = isHeard ? [own.descriptor, shared.descriptor] : [own.descriptor]
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  private static func group(of place: LinkInterface) -> [UInt8] {
    place.transport == .ipv6 ? group6 : group4
  }

  /// Sends to all hosts on the link, `message` from its own port and `shared` from the shared one.
  ///
  /// Lost messages are sent again later.
  func send(_ message: [UInt8], shared: [[UInt8]]) {
    Self.withAddress(Self.group(of: place), Self.port, place) { address, size in
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
      var source = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &source) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, &room, room.count, 0, $0, &size)
        }
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard let (address, port) = Self.octets(of: source), port == Self.port,
        place.reaches(address), let message = DNSMessage(Array(room.prefix(count)))
      else { continue }
      return message
    }
    return nil
  }

  @discardableResult
  private static func withAddress<Result>(
    _ octets: [UInt8], _ port: UInt16, _ place: LinkInterface,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    func call<Address>(_ address: Address) -> Result {
      withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }
    if octets.count == 4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: octets) }
      return call(address)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_scope_id = UInt32(place.interface.index)
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: octets) }
    return call(address)
  }

  private static func octets(of source: sockaddr_storage) -> ([UInt8], UInt16)? {
    withUnsafeBytes(of: source) { bytes in
      switch Int32(source.ss_family) {
      case AF_INET:
        let address = bytes.loadUnaligned(as: sockaddr_in.self)
        return (
          withUnsafeBytes(of: address.sin_addr) { Array($0) }, UInt16(bigEndian: address.sin_port)
        )
      case AF_INET6:
        let address = bytes.loadUnaligned(as: sockaddr_in6.self)
        return (
          withUnsafeBytes(of: address.sin6_addr) { Array($0) }, UInt16(bigEndian: address.sin6_port)
        )
      default: return nil
      }
    }
  }
}

/// A socket that is not bound yet, with the options for multicast on one interface.
private struct OptionedSocket {
  let descriptor: Int32
  private let place: LinkInterface

  /// - `sharing`: allows others to use the same port.
  init?(_ place: LinkInterface, sharing: Bool) {
    self.place = place
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let isIPv6 = place.transport == .ipv6
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    let index = Int32(place.interface.index)
    let (v4, v6) = (Int32(IPPROTO_IP), Int32(IPPROTO_IPV6))
    let isReady =
      (!sharing || set(SOL_SOCKET, SO_REUSEADDR, Int32(1)))
      && (isIPv6
        ? set(v6, IPV6_V6ONLY, Int32(1)) && set(v6, IPV6_MULTICAST_IF, index)
          && set(v6, IPV6_MULTICAST_HOPS, Int32(255))
        : set(
          v4, IP_MULTICAST_IF,
          ip_mreqn(imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: index))
          && set(v4, IP_MULTICAST_TTL, Int32(255)))
    guard isReady else {
      close(descriptor)
      return nil
    }
  }

  /// Receives what is sent to a group on this interface only.
  func join(_ group: [UInt8]) -> Bool {
    let index = Int32(place.interface.index)
    if group.count == 16 {
      var request = ipv6_mreq(ipv6mr_multiaddr: in6_addr(), ipv6mr_interface: UInt32(index))
      withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) { $0.copyBytes(from: group) }
      return set(Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, request)
    }
    var request = ip_mreqn(
      imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: index)
    withUnsafeMutableBytes(of: &request.imr_multiaddr) { $0.copyBytes(from: group) }
    return set(Int32(IPPROTO_IP), IP_MULTICAST_ALL, Int32(0))
      && set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, request)
  }

  private func set<Value>(
    _ level: Int32, _ option: Int32, _ value: Value
  ) -> Bool {
    withUnsafePointer(to: value) {
      setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) == 0
    }
  }
}
