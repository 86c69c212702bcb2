import System

/// Looks for services on the links of this machine, without Avahi: by one-shot queries (RFC 6762 §5.1), which are
/// repeated, ever more seldom, until the stream's consumer stops or is canceled.
///
/// A service that appears between two questions is seen with the next.
///
/// - Throws: `.noLink` where no interface is up (exit 69).
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

/// Numeric addresses of a `.local` host, as its link announces them; see `resolveHost`.
func resolveOnLink(
  _ name: String, timeout: Duration, until stop: StopSignal
) -> [String] {
  guard let host = DomainName(name) else { return [] }
  let sockets = LinkSockets()
  let deadline = ContinuousClock.now + timeout
  var found: [(interface: NetworkInterface, addresses: Set<[UInt8]>)] = []
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
      guard !addresses.isEmpty, found.count < HostAddresses.maximum else { return }
      found.append((place.interface, addresses))
      // Time for the other kind of address, and for other links.
      end = end ?? min(deadline, .now + .milliseconds(250))
    }
    if isStopped { return [] }
  }
  let byInterface = Dictionary(grouping: found, by: \.interface)
  var seen: Set<String> = []
  return byInterface.sorted { $0.key.index < $1.key.index }.flatMap { interface, found in
    numericAddresses(
      found.reduce(into: []) { $0.formUnion($1.addresses) }, zone: interface.name)
  }.filter { seen.insert($0).inserted }
}
