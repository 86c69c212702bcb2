internal import Glibc

/// Changes of this machine's addresses and routes, from rtnetlink(7): a cable, another WLAN, a VPN.
package final class NetworkWatch {
  /// Readable if something changed.
  package let descriptor: Int32
  private var known: [String]

  /// `struct sockaddr_nl` of linux/netlink.h, which is missing in Swift's Glibc.
  private struct Address {
    var family = UInt16(AF_NETLINK)
    var padding: UInt16 = 0
    var process: UInt32 = 0
    /// RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
    var groups: UInt32 = 0x10 | 0x40 | 0x100 | 0x400
  }

  package init() throws(SystemError) {
    let kind = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let route: Int32 = 0  // NETLINK_ROUTE
    let made = socket(AF_NETLINK, Int32(kind), route)
    guard made >= 0, passing(Address(), { bind(made, $0, $1) }) == 0 else {
      let problem = SystemError()
      if made >= 0 { close(made) }
      throw problem
    }
    descriptor = made
    known = NetworkWatch.state
  }

  deinit { close(descriptor) }

  /// Discards the kernel's messages; false if there were none.
  ///
  /// They are not parsed, since the kernel also sends one whenever a router extends an address' lifetime.
  package func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8192)
    var isNew = false
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      // ENOBUFS: messages were lost, which also means changes.
      guard count > 0 || count < 0 && errno == ENOBUFS else { return isNew }
      isNew = true
    }
  }

  /// Returns true if addresses or routes have changed since the last call.
  package func hasChanged() -> Bool {
    let now = NetworkWatch.state
    defer { known = now }
    return now != known
  }

  /// Every address and route of this network namespace, without counters.
  private static var state: [String] {
    let ipv6 = lines("/proc/net/ipv6_route").map { line in
      let fields = line.split(separator: " ")
      // Leave out the reference count and the use count (proc_net(5)).
      return (fields.prefix(6) + fields.dropFirst(8)).joined(separator: " ")
    }
    return lines("/proc/net/route") + lines("/proc/net/fib_trie") + ipv6
  }

  private static func lines(_ path: String) -> [String] {
    String(decoding: wholeFile(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
