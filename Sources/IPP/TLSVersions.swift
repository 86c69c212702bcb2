internal import CGnuTLS
internal import PrintModel

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
