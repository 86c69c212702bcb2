import Glibc

/// A numeric address that a network announced, and whether a program may connect to it.
package struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16 octets, in network order.
  package var octets: [UInt8]

  package init(octets: [UInt8]) { self.octets = octets }

  /// Parses the output of inet_ntop, with or without a zone.
  package init?(_ text: String) {
    let number = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
    let isIPv6 = number.utf8.contains(UInt8(ascii: ":"))
    var octets = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, number, &octets) == 1 else { return nil }
    self.octets = octets
  }

  package var isIPv6: Bool { octets.count == 16 }

  /// 127/8 (RFC 1122 §3.2.1.3), ::1 (RFC 4291 §2.5.3).
  package var isLoopback: Bool {
    isIPv6 ? octets.dropLast().allSatisfy { $0 == 0 } && octets[15] == 1 : octets.first == 127
  }

  /// 169.254/16 (RFC 3927), fe80::/10 (RFC 4291 §2.5.6).
  package var isLinkLocal: Bool {
    isIPv6
      ? octets[0] == 0xFE && octets[1] & 0xC0 == 0x80 : octets.starts(with: [169, 254])
  }

  /// Returns true if a printer can have this address.
  ///
  /// A client that accepts 127.0.0.1 from the network would send documents to a program on its own machine. So would
  /// one that accepts ::ffff:127.0.0.1, which the kernel treats as the same address.
  ///
  /// - `isHere`: this machine itself announced it.
  package func isUsable(isHere: Bool) -> Bool {
    if isLoopback { return isHere }
    guard isIPv6 else {
      return octets.count == 4 && octets[0] != 0 && octets[0] != 127 && octets[0] < 224
    }
    guard octets[0] != 0xFF else { return false }
    if let inner = embedded { return inner.isUsable(isHere: false) }
    // The rest of ::/8 is reserved (RFC 4291 §2.4): unspecified, IPv4-mapped, IPv4-compatible.
    return octets[0] != 0
  }

  /// The IPv4 address to which a gateway forwards packets for this address: 64:ff9b::/96 (RFC 6052), 2002::/16
  /// (RFC 3056).
  private var embedded: NetworkAddress? {
    if octets.starts(with: [0, 0x64, 0xFF, 0x9B]), octets[4..<12].allSatisfy({ $0 == 0 }) {
      return NetworkAddress(octets: Array(octets[12...]))
    }
    return octets.starts(with: [0x20, 0x02]) ? NetworkAddress(octets: Array(octets[2..<6])) : nil
  }
}
