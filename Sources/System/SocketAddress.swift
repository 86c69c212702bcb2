package import Glibc

/// An address of IPv4 or IPv6 and a port, as the system's calls for sockets take them.
package struct SocketAddress: Sendable {
  /// 4 or 16 octets, in network order.
  package var octets: [UInt8]
  package var port: UInt16
  /// The number of the interface to which a link-local IPv6 address belongs; 0: any.
  package var interfaceIndex: UInt32

  package init(_ octets: [UInt8], port: UInt16, interfaceIndex: UInt32 = 0) {
    self.octets = octets
    self.port = port
    self.interfaceIndex = interfaceIndex
  }

  /// Reads the system's structure; nil for one of another family.
  package init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let address = raw.loadUnaligned(as: sockaddr_in.self)
      self.init(
        withUnsafeBytes(of: address.sin_addr) { Array($0) },
        port: UInt16(bigEndian: address.sin_port)
      )
    case AF_INET6:
      let address = raw.loadUnaligned(as: sockaddr_in6.self)
      self.init(
        withUnsafeBytes(of: address.sin6_addr) { Array($0) },
        port: UInt16(bigEndian: address.sin6_port), interfaceIndex: address.sin6_scope_id)
    default: return nil
    }
  }

  /// Reads what a call such as getsockname(2) writes; nil if `call` returns false.
  package init?(
    filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool
  ) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let address = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, &size) ? SocketAddress($0) : nil
      }
    }
    guard let address else { return nil }
    self = address
  }

  /// Passes the system's structure and its size to a call such as bind(2), and returns the result.
  package func apply<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    if octets.count == 4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: octets) }
      return passing(address, call)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_scope_id = interfaceIndex
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: octets) }
    return passing(address, call)
  }
}

/// The address of a Unix socket.
package struct UnixAddress {
  private var address = sockaddr_un()
  private let size: Int

  /// nil, with `errno`, for a name that is too long; a leading zero byte is the abstract namespace's (unix(7)).
  package init?(_ name: some Collection<UInt8>) {
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard name.count <= room else {
      errno = ENAMETOOLONG
      return nil
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    size = MemoryLayout<sockaddr_un>.size - room + name.count
  }

  /// Passes the system's structure and its size to a call such as bind(2), and returns the result.
  package func apply<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    passing(address, size: size, call)
  }
}

/// Passes an address of any family, and its size, to a call such as bind(2).
package func passing<Address, Result>(
  _ address: Address, size: Int = MemoryLayout<Address>.size,
  _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(size)) }
  }
}

/// An address of an interface of this machine (getifaddrs(3)).
package struct InterfaceAddress: Sendable {
  package let interfaceName: String
  /// `IFF_UP` and others.
  package let flags: Int32
  /// 4 or 16 octets.
  package let octets: [UInt8]
  /// As long as the address, or empty.
  package let mask: [UInt8]

  /// Those of IPv4 and IPv6 on all interfaces; empty if the system states none.
  package static var all: [InterfaceAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var all: [InterfaceAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let name = entry.ifa_name, let address = entry.ifa_addr.flatMap({ SocketAddress($0) })
      else { continue }
      all.append(
        InterfaceAddress(
          interfaceName: String(cString: name), flags: Int32(bitPattern: entry.ifa_flags),
          octets: address.octets,
          mask: entry.ifa_netmask.flatMap { SocketAddress($0)?.octets } ?? []
        ))
    }
    return all
  }
}

/// Two ends of a stream, closed on exec; the caller closes both.
package struct SocketPair {
  package let own: Int32
  package let other: Int32

  package init(isNonBlocking: Bool = false) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind =
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (isNonBlocking ? SOCK_NONBLOCK.rawValue : 0)
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw SystemError() }
    (own, other) = (ends[0], ends[1])
  }
}
