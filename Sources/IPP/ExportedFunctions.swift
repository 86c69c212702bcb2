internal import CCups
internal import CGnuTLS
internal import Glibc
internal import PrintModel
internal import Synchronization
internal import System

/// The certificates of printers that are served here.
///
/// libcups has one folder and one name for the whole process. Up to 2.4.16 it prefers a certificate named after the
/// connection's Host field or address, from 2.4.17 on the one with the configured name (cups/tls-gnutls.c). It passes
/// the files to GnuTLS with gnutls_certificate_set_x509_key_file before each handshake, on the thread that serves the
/// connection. The program exports a function of this name, as for `TLSVersions`. A libcups built with OpenSSL calls
/// none: then all printers present the shared certificate, and `new-certificate` has no effect.
package enum ServedCertificates {
  /// Name of the certificate that all printers share.
  static let shared = "localhost"

  /// The folder of the certificates; nil until a printer is served.
  private static let folder = Mutex<String?>(nil)
  /// The path of this thread's certificate, without its suffix.
  @TaskLocal fileprivate static var path: String?

  /// Keeps certificates and their keys in `place` from now on, and creates one there if there is none.
  package static func keep(in place: String) {
    folder.withLock { $0 = place }
    cupsSetServerCredentials(place, shared, 0)
  }

  /// Runs `body`, in which handshakes on this thread present the certificate `name`, which is created if missing.
  static func showing<Result>(_ name: String, _ body: () -> Result) -> Result {
    let path = folder.withLock { folder in folder.map { made(name, in: $0) } }
    return $path.withValue(path, operation: body)
  }

  /// Returns a certificate's path without its suffix, and creates the certificate if missing.
  private static func made(_ name: String, in folder: String) -> String {
    let path = "\(folder)/\(name)"
    // Another process may be making it, and another certificate would fit neither's key.
    let lock = FileLock(file: "\(path).lock", waits: true)
    defer { withExtendedLifetime(lock) {} }
    if access("\(path).crt", R_OK) != 0 || access("\(path).key", R_OK) != 0 {
      // If that fails, the handshake fails as well.
      _ = cupsMakeServerCredentials(folder, name, 0, nil, time(nil) + 10 * 365 * 86_400)
    }
    return path
  }
}

/// Replaces GnuTLS' function (see `ServedCertificates`), and does the same.
@_cdecl("gnutls_certificate_set_x509_key_file")
public func certificateSetKeyFile(
  _ credentials: OpaquePointer?, _ certificate: UnsafePointer<CChar>?,
  _ key: UnsafePointer<CChar>?, _ format: CUnsignedInt
) -> CInt {
  let format = gnutls_x509_crt_fmt_t(rawValue: format)
  guard let path = ServedCertificates.path else {
    return gnutls_certificate_set_x509_key_file2(credentials, certificate, key, format, nil, 0)
  }
  return gnutls_certificate_set_x509_key_file2(
    credentials, "\(path).crt", "\(path).key", format, nil, 0)
}

/// The versions of TLS that a handshake may use.
///
/// libcups has one lowest version for the whole process, from client.conf, without a public function to set it; the
/// default is TLS 1.0 (cups/tls-gnutls.c in 2.4). It configures GnuTLS with gnutls_priority_set_direct before each
/// handshake, on the connecting thread. The program exports a function of this name, which the dynamic linker prefers
/// (ld.so(8)). It applies libcups' priorities without the versions that this connection may not use.
///
/// Without permission there is no handshake: libcups reconnects and upgrades by itself, to a peer whose certificate
/// nobody would compare.
enum TLSVersions {
  /// Outside of tasks, a value of the thread.
  @TaskLocal private static var allowed: [TLSVersion]?

  /// Runs `body`, in which handshakes on this thread use only these versions.
  static func allowing<Result>(
    _ versions: some Sequence<TLSVersion>, _ body: () -> Result
  ) -> Result {
    $allowed.withValue(Array(versions), operation: body)
  }

  /// Removes all other versions from a GnuTLS priority string.
  ///
  /// GnuTLS' `NONE` if the thread has no permission for a handshake, which then fails.
  fileprivate static func narrowed(_ priorities: String) -> String {
    guard let allowed else { return "NONE" }
    return TLSVersion.allCases.filter { !allowed.contains($0) }
      .reduce(priorities) { "\($0):-VERS-TLS\($1.rawValue)" }
  }
}

/// Replaces GnuTLS' function (see `TLSVersions`), and does the same.
@_cdecl("gnutls_priority_set_direct")
public func prioritySetDirect(
  _ session: OpaquePointer?, _ priorities: UnsafePointer<CChar>?,
  _ errorPosition: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
  var cache: gnutls_priority_t?
  // nil: GnuTLS' default, which libcups sets first and then replaces.
  let words = priorities.map { TLSVersions.narrowed(String(cString: $0)) }
  let status = gnutls_priority_init(&cache, words, errorPosition)
  guard status == 0 else { return status }
  defer { gnutls_priority_deinit(cache) }
  return gnutls_priority_set(session, cache)
}
