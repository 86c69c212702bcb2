// DNSSD: services on the network, as Avahi reports them, in plain Swift. Only this module uses libavahi-client. Its
// callers decide what a service means (a printer, for example).

internal import CAvahi

/// Looks for services until the stream's consumer stops or is canceled.
///
/// A separate thread talks to Avahi. It ends and frees all of its resources as soon as the stream ends. If Avahi goes
/// away and comes back, the stream reports it and continues.
///
/// - `types`: service types, and subtypes such as `_universal._sub._ipp._tcp`.
/// - Throws: `.noBus`, `.noDaemon`, `.silentDaemon` or `.refused` when Avahi can't be reached now (exit 69). Starting
///   Avahi through D-Bus may take seconds. An Avahi that is missing and can't be started is reported immediately, one
///   that hangs after four seconds.
package func browse(
  _ types: [String]
) async throws(DNSSDError) -> AsyncStream<ServiceEvent> {
  let stop = try StopSignal()
  let (events, continuation) = AsyncStream<ServiceEvent>.makeStream()
  continuation.onTermination = { _ in stop.raise() }
  try await connectToDaemon { () throws(DNSSDError) in
    try BrowseSession(types, until: stop) { continuation.yield($0) }
  } run: { session in
    session.run()
    continuation.finish()
  }
  return events
}
