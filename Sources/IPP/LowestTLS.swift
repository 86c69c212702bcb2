internal import CGnuTLS
internal import Glibc
internal import PrintModel
internal import Synchronization

/// The lowest version of TLS in a handshake.
///
/// libcups has one for the whole process, from client.conf, without a public call for it, and TLS 1.0
/// where nothing is said (cups/tls-gnutls.c in 2.4). It tells GnuTLS by gnutls_priority_set_direct before
/// each handshake, on the thread that connects. The program has a function of this name, which the
/// dynamic linker prefers (ld.so(8)): what libcups wishes, less what is older than this connection wants.
enum LowestTLS {
  private static let ofThread = Mutex<[pthread_t: TLSVersion]>([:])

  /// Handshakes in `body`, on this thread, speak nothing older.
  static func hold<Result>(_ version: TLSVersion, _ body: () -> Result) -> Result {
    let thread = pthread_self()
    ofThread.withLock { $0[thread] = version }
    defer { ofThread.withLock { $0[thread] = nil } }
    return body()
  }

  /// A GnuTLS priority string without the older versions. Whoever says nothing, as our own server side,
  /// has the usual one.
  fileprivate static func narrowed(_ priorities: String) -> String {
    let thread = pthread_self()
    let lowest = ofThread.withLock { $0[thread] } ?? .usual
    return lowest.older.reduce(priorities) { "\($0):-VERS-TLS\($1.rawValue)" }
  }
}

/// In the place of GnuTLS' own (see `LowestTLS`), and what that does.
@_cdecl("gnutls_priority_set_direct")
public func prioritySetDirect(
  _ session: OpaquePointer?, _ priorities: UnsafePointer<CChar>?,
  _ errorPosition: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
  var cache: gnutls_priority_t?
  // nil: GnuTLS' default, which libcups sets first and then replaces.
  let words = priorities.map { LowestTLS.narrowed(String(cString: $0)) }
  let status = gnutls_priority_init(&cache, words, errorPosition)
  guard status == 0 else { return status }
  defer { gnutls_priority_deinit(cache) }
  return gnutls_priority_set(session, cache)
}
