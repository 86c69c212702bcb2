internal import CCups
internal import CGnuTLS
package import LateLibraries

/// The version of libcups that airprint was built with.
package let builtCUPSVersion = "\(CUPS_VERSION_MAJOR).\(CUPS_VERSION_MINOR).\(CUPS_VERSION_PATCH)"

/// The version of GnuTLS that airprint was built with.
package let builtGnuTLSVersion = GNUTLS_VERSION

/// The version that libcups reports (`2.4.2`), which it otherwise only sends to printers.
private var cupsVersion: String {
  // libcups' product name is empty until it has read client.conf (seen with 2.4.19).
  _ = cupsEncryption()
  let words = cupsUserAgent().map { String(cString: $0) } ?? ""
  let product = words.split(separator: " ").first { $0.hasPrefix("CUPS/") }
  return product.map { String($0.dropFirst(5)) } ?? "unknown"
}

/// Returns the network libraries, opened, with their versions: for `doctor`, which works without them.
package func inspectedNetworkLibraries() -> [InspectedLibrary] {
  let areOpen = NetworkLibraries.missing == nil
  func inspected(
    _ library: String, _ name: String, _ purpose: String, built: String?,
    version: @escaping () -> String?
  ) -> InspectedLibrary {
    // Open each one separately: `cupsVersion` and the others need all of them.
    InspectedLibrary(
      LateLibrary(library), name: name, purpose: purpose, built: built,
      version: { areOpen ? version() : nil }, loss: NetworkLibraries.loss)
  }
  return [
    inspected("cups", "libcups", "IPP", built: builtCUPSVersion, version: { cupsVersion }),
    inspected(
      "gnutls", "GnuTLS", "encryption", built: builtGnuTLSVersion,
      version: { gnutls_check_version(nil).map { String(cString: $0) } }),
    inspected("avahi-client", "libavahi-client", "finding printers", built: nil, version: { nil }),
  ]
}
