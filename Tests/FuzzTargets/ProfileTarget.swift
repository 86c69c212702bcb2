import AirprintContext
import IPP

extension FuzzTarget {
  /// An Apple configuration profile, up to the URIs of its printers.
  static let profile = FuzzTarget("profile") { bytes in
    guard let profile = try? AirPrintProfile(bytes) else { return }
    promise(profile.printers.count <= 1_000, "printers")
    for uri in profile.printers.compactMap(\.uri) {
      promise(uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a URI \(uri)")
      promise(uri.hasPrefix("ipp://") || uri.hasPrefix("ipps://"), uri)
    }
  }
}
