import Glibc

/// A socket for multicast DNS on one interface with one IP version.
///
/// It asks from a port of its own, so that every responder answers it alone (RFC 6762 §5.1, §6.7).
final class LinkSocket {
  /// RFC 6762 §3.
  static let port: UInt16 = 5353
  private static let group4: [UInt8] = [224, 0, 0, 251]
  private static let group6: [UInt8] = [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB]

  let place: LinkPlace
  let descriptor: Int32
  private var room = [UInt8](repeating: 0, count: 9_000)

  /// Nil where the interface is gone, or has no multicast.
  init?(_ place: LinkPlace) {
    self.place = place
    let isIPv6 = place.transport == .ipv6
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    let isReady =
      isIPv6
      ? set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
        && set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, Int32(place.interface.index))
        && set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, 255)
      : setInterface() && set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, 255)
    guard isReady, place.networks.first.map({ bind(to: $0.address) }) == true else {
      return nil
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends to everybody on the link; what is lost is asked again later.
  func send(_ message: [UInt8]) {
    let group = place.transport == .ipv6 ? Self.group6 : Self.group4
    withSocketAddress(group, Self.port) { address, size in
      _ = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), address, size)
    }
  }

  /// The next message that has come, of those that can be an answer: from multicast DNS' port and from this link
  /// (RFC 6762 §6, §11).
  ///
  /// Nil: there is none, or too much else before it.
  func receive() -> DNSMessage? {
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

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
    var value = value
    return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  private func setInterface() -> Bool {
    var request = ip_mreqn()
    request.imr_ifindex = Int32(place.interface.index)
    return setsockopt(
      descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request,
      socklen_t(MemoryLayout<ip_mreqn>.size)) == 0
  }

  private func bind(to address: [UInt8]) -> Bool {
    withSocketAddress(address, 0) { Glibc.bind(descriptor, $0, $1) == 0 }
  }

  private func withSocketAddress<Result>(
    _ octets: [UInt8], _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
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
