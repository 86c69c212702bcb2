// DNSSD: services on the network, as Avahi sees them, in plain Swift. This module is the only one that
// knows libavahi-client; what a service means (a printer, say) is for others to judge.

internal import CAvahi
import System

/// Looks for services until the stream's consumer stops or is canceled.
///
/// A thread of its own talks to Avahi; it ends, and everything that it holds is freed, as soon as the
/// stream does. An Avahi that goes away and comes back is reported and does not end the stream.
///
/// - `types`: service types, and subtypes such as `_universal._sub._ipp._tcp`.
/// - `domain`: where to look; nil: Avahi's own, which is `local`.
/// - Throws: `.noBus`, `.noDaemon`, `.silentDaemon` or `.refused` when Avahi can't be reached now (exit 69). Starting
///   Avahi through D-Bus may take seconds; that it is not there and can't be started is known at once, that it hangs
///   after four seconds.
package func browse(
  _ types: [String], domain: String? = nil
) async throws(DNSSDError) -> AsyncStream<ServiceEvent> {
  let stop = try StopSignal()
  let (events, continuation) = AsyncStream<ServiceEvent>.makeStream()
  continuation.onTermination = { _ in stop.raise() }
  try await connectToDaemon { () throws(DNSSDError) in
    try BrowseSession(types, domain, until: stop) { continuation.yield($0) }
  } run: { session in
    session.run()
    continuation.finish()
  }
  return events
}
