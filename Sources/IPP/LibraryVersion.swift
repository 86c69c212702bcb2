internal import CCups
internal import CGnuTLS
internal import LateLibraries

/// libcups' version as the library itself says it (`2.4.2`); it tells printers so, and nobody else.
package let cupsVersion: String = {
  NetworkLibraries.load()
  // The name that libcups gives itself is empty before it has read client.conf (seen with 2.4.19).
  _ = cupsEncryption()
  let words = cupsUserAgent().map { String(cString: $0) } ?? ""
  let product = words.split(separator: " ").first { $0.hasPrefix("CUPS/") }
  return product.map { String($0.dropFirst(5)) } ?? "unknown"
}()

/// The version of GnuTLS, which encrypts for libcups.
package var gnuTLSVersion: String {
  NetworkLibraries.load()
  return gnutls_check_version(nil).map { String(cString: $0) } ?? "unknown"
}
