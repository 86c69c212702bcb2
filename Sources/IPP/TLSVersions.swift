internal import CGnuTLS
internal import Glibc
internal import PrintModel
internal import Synchronization

/// The versions of TLS that a handshake may speak.
///
/// libcups has one lowest version for the whole process, from client.conf, without a public call for it,
/// and TLS 1.0 by default (cups/tls-gnutls.c in 2.4). It configures GnuTLS by
/// gnutls_priority_set_direct before each handshake, on the thread that connects. The program has a
/// function of this name, which the dynamic linker prefers (ld.so(8)): what libcups wishes, less what this
/// connection may not speak.
enum TLSVersions {
  private static let ofThread = Mutex<[pthread_t: [TLSVersion]]>([:])

  /// Handshakes in `body`, on this thread, speak these alone.
  static func allowing<Result>(
    _ versions: some Sequence<TLSVersion>, _ body: () -> Result
  ) -> Result {
    let thread = pthread_self()
    let versions = Array(versions)
    // libcups may ask how things are meanwhile, and another connection be made for the answer.
    let former = ofThread.withLock { $0.updateValue(versions, forKey: thread) }
    defer { ofThread.withLock { $0[thread] = former } }
    return body()
  }

  /// A GnuTLS priority string without the others.
  ///
  /// Connections without a setting, such as our own server side, use the usual versions.
  fileprivate static func narrowed(_ priorities: String) -> String {
    let thread = pthread_self()
    let allowed = ofThread.withLock { $0[thread] } ?? Array(TLSVersion.usual.orNewer)
    return TLSVersion.allCases.filter { !allowed.contains($0) }
      .reduce(priorities) { "\($0):-VERS-TLS\($1.rawValue)" }
  }
}

/// In place of GnuTLS' own (see `TLSVersions`), and what that does.
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
