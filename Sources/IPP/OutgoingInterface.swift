internal import CCups
internal import FoundationEssentials
internal import Glibc
internal import System

extension Connection {
  /// True if compression speeds up this link: it is wireless, or has at most 100 Mbit/s.
  ///
  /// libcups compresses 20 to 60 MB/s, which is less than a faster link carries, and more than a slower one.
  package var gainsByCompression: Bool {
    OutgoingInterface.interface(ofSocket: httpGetFd(http)).map {
      OutgoingInterface.gainsByCompression($0, in: "/sys/class/net")
    } ?? false
  }
}

/// The network interface that a connection uses.
enum OutgoingInterface {
  /// Returns its name; nil if no interface has the socket's own address.
  static func interface(ofSocket socket: Int32) -> String? {
    let own = SocketAddress { getsockname(socket, $0, $1) == 0 }
    return InterfaceAddress.all.first { $0.octets == own?.octets }?.interfaceName
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
