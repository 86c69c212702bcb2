// Discovery: from services on the network to printers that a user can pick. Rules only: which
// records are one printer, what a TXT record has about it, when a search is over. Nothing here speaks
// IPP; what a record does not say stays unknown.

internal import DNSSD
package import PrintModel

/// Printers that a search finds, as it finds it.
package enum DiscoveryEvent: Sendable, Equatable {
  case appeared(DiscoveredPrinter)
  /// More is known of a printer, or something else. It may even have another name: two records turned
  /// out to be one printer.
  case changed(DiscoveredPrinter, from: DiscoveredPrinter)
  case vanished(DiscoveredPrinter)
  /// Everything that was found has resolved, Avahi expects nothing more for now, and 0.3 s were quiet;
  /// or the time is over. It comes once; only a search that watches continues after it.
  case settled
}

/// Looks for printers: `_ipps._tcp`, `_ipp._tcp` and their AirPrint subtypes.
///
/// All printers are given, also those that airprint could not print to, and queues that a cupsd shares:
/// `isPrintable` and `isShared` are set. The search ends with its consumer's task.
///
/// - `timeout`: the longest time before `settled`.
/// - `watching`: true if the search continues after it.
/// - `note`: called with what a user should know about domains that can't be searched, or not in this time.
/// - Throws: `unavailable` with what to do about it when Avahi can't be reached and there is no domain to search
///   instead, and for a domain that was asked for and does not exist; `usage` for an invalid one.
package func discover(
  in scope: SearchScope = SearchScope(), timeout: Duration = .seconds(5), watching: Bool = false,
  note: @escaping @Sendable (String) -> Void = { _ in }
) async throws(Failure) -> AsyncStream<DiscoveryEvent> {
  let begun = ContinuousClock.now
  let services = try await scope.services(timeout: timeout, note: note)
  // A domain that was asked for was looked up in the same time, and an Avahi that hangs has taken four seconds of it:
  // what is left has to be enough for those who answer.
  let left = max(timeout - begun.duration(to: .now), min(timeout, .seconds(2)))
  let (events, continuation) = AsyncStream<DiscoveryEvent>.makeStream()
  let search = Task {
    await Search(timeout: left, isWatching: watching).run(on: services, note: note) {
      continuation.yield($0)
    }
    continuation.finish()
  }
  continuation.onTermination = { _ in search.cancel() }
  return events
}

extension Failure {
  /// The reason there is no search, and what to do.
  init(_ problem: DNSSDError, domain: String?) {
    let instead = "or name the printer by its address: ipp://ADDRESS/ipp/print."
    switch problem.code {
    case .noBus:
      self.init(
        .unavailable,
        "Can't look for printers: D-Bus, over which Avahi is reached, is not running here. "
          + "Start it (systemctl start dbus avahi-daemon), " + instead)
    case .noDaemon:
      self.init(
        .unavailable,
        "Can't look for printers: avahi-daemon is not running. "
          + "Start it (systemctl start avahi-daemon), " + instead)
    case .silentDaemon:
      self.init(
        .unavailable,
        "Can't look for printers: avahi-daemon does not answer. "
          + "Restart it (systemctl restart avahi-daemon), " + instead)
    case .invalidDomain:
      self.init(.usage, "“\(domain ?? "")” is not a domain.")
    case .noLink:
      self.init(
        .unavailable,
        "Can't look for printers: no local network is up here. Connect to one, " + instead
          + " Printers on USB are found where avahi-daemon runs.")
    case .noSuchDomain:
      self.init(.unavailable, "There is no domain \(problem.message): check its name.")
    case .noAnswer:
      self.init(
        .unavailable, "Can't look for printers in \(domain ?? "DNS"): \(problem.message).")
    case .refused:
      self.init(.unavailable, "Can't look for printers: Avahi reports “\(problem.message)”.")
    }
  }
}
