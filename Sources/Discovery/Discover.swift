// Discovery: from services on the network to printers that a user can pick. This module contains only rules: which
// records belong to one printer, what a TXT record states about it, when a search is over. It does not use IPP; what a
// record does not state stays unknown.

internal import DNSSD
package import PrintModel

/// Printers as a search finds them.
package enum DiscoveryEvent: Sendable, Equatable {
  case appeared(DiscoveredPrinter)
  /// New or different facts about a printer, possibly including its name: two records turned out to be one printer.
  case changed(DiscoveredPrinter, from: DiscoveredPrinter)
  case vanished(DiscoveredPrinter)
  /// Everything found so far has resolved, Avahi expects nothing more for now, and there was no news for 0.3 s; or the
  /// time is over.
  ///
  /// Sent once; only a search that watches continues after it.
  case settled
}

/// Looks for printers: `_ipps._tcp`, `_ipp._tcp` and their AirPrint subtypes.
///
/// The stream contains all printers, including queues that a cupsd shares, and those that airprint can't print to, which
/// `isPrintable` marks. The search ends with its consumer's task.
///
/// - `timeout`: the longest time before `settled`.
/// - `watching`: true if the search continues after it.
/// - `note`: called with messages for the user about domains that can't be searched, or not in this time.
/// - Throws: `unavailable`, with what to do about it, if Avahi can't be reached and there is no domain to search
///   instead, or if a requested domain does not exist; `usage` for an invalid domain.
package func discover(
  in scope: SearchScope = SearchScope(), timeout: Duration = .seconds(5), watching: Bool = false,
  note: @escaping @Sendable (String) -> Void = { _ in }
) async throws(Failure) -> AsyncStream<DiscoveryEvent> {
  let begun = ContinuousClock.now
  let services = try await scope.services(timeout: timeout, note: note)
  // Looking up a requested domain took part of this time, and a hanging Avahi four seconds of it. The rest must be long
  // enough for those that answer.
  let left = max(timeout - begun.duration(to: .now), min(timeout, .seconds(2)))
  return stream { tell in
    await Search(timeout: left, isWatching: watching).run(on: services, note: note, tell: tell)
  }
}

/// Makes a stream of what `run` tells, in a task that is canceled when the consumer stops.
func stream<Event: Sendable>(
  _ run: @escaping @Sendable (_ tell: @escaping @Sendable (Event) -> Void) async -> Void
) -> AsyncStream<Event> {
  let (events, continuation) = AsyncStream<Event>.makeStream()
  let task = Task {
    await run { continuation.yield($0) }
    continuation.finish()
  }
  continuation.onTermination = { _ in task.cancel() }
  return events
}

extension Failure {
  /// Makes the message for a search that is not possible, with what to do about it.
  init(_ problem: DNSSDError, domain: String?) {
    func unavailable(_ reason: String, then: String = "") -> Failure {
      Failure.unavailable(
        "Can't look for printers: \(reason), or name the printer by its address: "
          + "ipp://ADDRESS/ipp/print.\(then)")
    }
    self =
      switch problem.code {
      case .noBus:
        unavailable(
          "D-Bus, over which Avahi is reached, is not running here. "
            + "Start it (systemctl start dbus avahi-daemon)")
      case .noDaemon:
        unavailable(
          "avahi-daemon is not running. Start it (systemctl start avahi-daemon)")
      case .silentDaemon:
        unavailable(
          "avahi-daemon does not answer. Restart it (systemctl restart avahi-daemon)")
      case .refused:
        unavailable("Avahi reports \"\(problem.message)\". Run airprint doctor")
      case .noLink:
        unavailable(
          "no local network is up here. Connect to one",
          then: " Printers on USB are found where ipp-usb runs.")
      case .invalidDomain: Failure(.usage, "“\(domain ?? "")” is not a domain.")
      case .noSuchDomain:
        Failure.unavailable("There is no domain \(problem.message): check its name.")
      case .noAnswer:
        Failure.unavailable("Can't look for printers in \(domain ?? "DNS"): \(problem.message).")
      }
  }
}

/// A search over time: when it is over, and if it keeps watching.
struct Search {
  static let types = [
    "_ipps._tcp", "_ipp._tcp", "_universal._sub._ipps._tcp", "_universal._sub._ipp._tcp",
  ]
  var timeout: Duration
  var isWatching: Bool
  /// Time without news after which the search settles.
  ///
  /// By then, Avahi's own second for the network to answer is over.
  var silence = Duration.milliseconds(300)

  private enum Input {
    case service(ServiceEvent)
    case alarm
    case timeout
  }

  /// Runs until the search is over, or, if it watches, until `services` ends.
  ///
  /// - `note`: called with the number of unicast DNS names that could not be resolved in time.
  func run(
    on services: AsyncStream<ServiceEvent>, note: (String) -> Void = { _ in },
    tell: (DiscoveryEvent) -> Void
  ) async {
    let deadline = ContinuousClock.now + timeout
    let (inputs, feed) = AsyncStream<Input>.makeStream()
    var registry = ServiceRegistry()
    var lastNews = ContinuousClock.now
    var (isAlarmSet, isSettled) = (false, false)
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await event in services { feed.yield(.service(event)) }
        feed.finish()
      }
      group.addTask {
        try? await Task.sleep(until: deadline, clock: .continuous)
        feed.yield(.timeout)
      }
      for await input in inputs {
        var isOver = false
        switch input {
        case .service(let event):
          registry.absorb(event).forEach(tell)
          lastNews = .now
          // The alarm is queued behind all events that came before it.
          isOver = lastNews >= deadline
        case .alarm:
          isAlarmSet = false
          isOver = registry.isComplete && lastNews + silence <= .now
        case .timeout:
          isOver = true
        }
        if isSettled { continue }
        if isOver {
          isSettled = true
          if !isWatching { tellUnresolved(registry.unresolvedNames, note) }
          tell(.settled)
          if !isWatching { break }
        } else if registry.isComplete, !isAlarmSet {
          isAlarmSet = true
          group.addTask { [end = lastNews + silence] in
            try? await Task.sleep(until: end, clock: .continuous)
            feed.yield(.alarm)
          }
        }
      }
      group.cancelAll()
    }
    if !isSettled { tell(.settled) }  // nothing more can come
  }

  private func tellUnresolved(_ count: Int, _ note: (String) -> Void) {
    guard count > 0 else { return }
    note(
      count == 1
        ? "There was no time to look up the address of 1 more printer."
        : "There was no time to look up the addresses of \(count) more printers.")
  }
}
