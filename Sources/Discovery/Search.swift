import DNSSD

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
