import System

/// Looks for services on this machine's links without Avahi, until the stream's consumer stops or is canceled.
///
/// It sends one-shot queries (RFC 6762 §5.1), repeated at growing intervals. A service that appears between two queries
/// is found by the next one.
///
/// - Throws: `.noLink` if no interface is up (exit 69).
package func browseLink(_ types: [String]) throws(DNSSDError) -> AsyncStream<ServiceEvent> {
  guard !LinkInterface.all().isEmpty else {
    throw DNSSDError(.noLink, "no network is up")
  }
  let stop = try StopSignal()
  let (events, continuation) = AsyncStream<ServiceEvent>.makeStream()
  continuation.onTermination = { _ in stop.raise() }
  detachThread {
    let session = LinkSession(types) { continuation.yield($0) }
    session.run(until: stop)
    continuation.finish()
  }
  return events
}

/// Returns the numeric addresses of a `.local` host, as its link announces them; see `resolveHost`.
func resolveOnLink(
  _ name: String, timeout: Duration, until stop: StopSignal
) -> [String] {
  guard let host = DomainName(name) else { return [] }
  let sockets = LinkSockets()
  let deadline = ContinuousClock.now + timeout
  var found: Set<FoundAddress> = []
  var end: ContinuousClock.Instant?
  var pause = Duration.seconds(1)
  var nextQuestion = ContinuousClock.now
  while ContinuousClock.now < end ?? deadline {
    if nextQuestion <= .now, end == nil {
      let questions = [DNSType.a, DNSType.aaaa].map { DNSQuestion(host, $0, wantsUnicast: true) }
      for socket in sockets.sockets { sockets.ask([questions], on: socket) }
      nextQuestion = .now + pause
      pause *= 2
    }
    let isStopped = sockets.listen(until: min(end ?? deadline, nextQuestion), or: stop) {
      message, place in
      var records = LinkRecords()
      records.take(message)
      let addresses = records.addresses(of: host).filter {
        NetworkAddress(octets: $0).isUsable(isHere: false)
      }
      guard !addresses.isEmpty else { return }
      // For each link, so that none of another's many takes a place.
      let interface = place.link.interface
      for address in addresses
      where found.count(where: { $0.interface == interface }) < HostAddresses.maximum {
        found.insert(FoundAddress(address: address, interface: interface))
      }
      // Leave time for the other address family, and for other links.
      end = end ?? min(deadline, .now + .milliseconds(250))
    }
    if isStopped { return [] }
  }
  return numericAddresses(found)
}
