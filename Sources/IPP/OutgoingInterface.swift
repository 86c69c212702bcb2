internal import CCups
internal import FoundationEssentials
internal import Glibc

extension Connection {
  /// True if compression speeds up this link: it is wireless, or has at most 100 Mbit/s.
  ///
  /// libcups compresses 20 to 60 MB/s, which is less than a faster link carries, and more than a slower one.
  package var gainsByCompression: Bool {
    guard let interface = OutgoingInterface.interface(ofSocket: httpGetFd(http)) else {
      return false
    }
    return OutgoingInterface.gainsByCompression(interface, in: "/sys/class/net")
  }
}

/// The network interface that a connection uses.
enum OutgoingInterface {
  /// Returns its name; nil if no interface has the socket's own address.
  static func interface(ofSocket socket: Int32) -> String? {
    var own = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let found = withUnsafeMutablePointer(to: &own) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    var list: UnsafeMutablePointer<ifaddrs>?
    guard found == 0, getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var entry = list
    while let interface = entry?.pointee {
      if let address = interface.ifa_addr, isSame(address, &own) {
        return String(cString: interface.ifa_name)
      }
      entry = interface.ifa_next
    }
    return nil
  }

  private static func isSame(
    _ address: UnsafeMutablePointer<sockaddr>, _ own: inout sockaddr_storage
  ) -> Bool {
    guard address.pointee.sa_family == own.ss_family else { return false }
    // The address's offset and length in the structure.
    let place: Range<Int>
    switch Int32(own.ss_family) {
    case AF_INET: place = 4..<8
    case AF_INET6: place = 8..<24
    default: return false
    }
    return withUnsafeBytes(of: &own) { own in
      let given = UnsafeRawBufferPointer(start: address, count: place.upperBound)
      return given[place].elementsEqual(own[place])
    }
  }

  /// Evaluates the kernel's description of the interface in `folder` (Documentation/ABI/testing/sysfs-class-net):
  /// `wireless` or `phy80211` exists, or `speed` (Mbit/s) is at most 100.
  ///
  /// Loopback has no speed.
  static func gainsByCompression(_ interface: String, in folder: String) -> Bool {
    let place = "\(folder)/\(interface)"
    let files = FileManager.default
    if ["wireless", "phy80211"].contains(where: { files.fileExists(atPath: "\(place)/\($0)") }) {
      return true
    }
    guard let bytes = files.contents(atPath: "\(place)/speed") else { return false }
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? ""
    return Int(text).map { (1...100).contains($0) } ?? false
  }
}
