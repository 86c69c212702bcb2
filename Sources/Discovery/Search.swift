import DNSSD

/// A search in time: when it is over, and whether it goes on.
struct Search {
  static let types = [
    "_ipps._tcp", "_ipp._tcp", "_universal._sub._ipps._tcp", "_universal._sub._ipp._tcp",
  ]
  var timeout: Duration
  var isWatching: Bool
  /// After the last news. Avahi's own second for the network to answer is over by then.
  var silence = Duration.milliseconds(300)

  private enum Input {
    case service(ServiceEvent)
    case alarm
    case timeout
  }

  /// Runs until it is over, or for as long as `services` lasts when it watches.
  func run(on services: AsyncStream<ServiceEvent>, tell: (DiscoveryEvent) -> Void) async {
    let (inputs, feed) = AsyncStream<Input>.makeStream()
    var census = ServiceRegistry()
    var lastNews = ContinuousClock.now
    var isAlarmSet = false
    var isSettled = false
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await event in services { feed.yield(.service(event)) }
        feed.finish()
      }
      group.addTask { [timeout] in
        try? await Task.sleep(for: timeout)
        feed.yield(.timeout)
      }
      for await input in inputs {
        var isOver = false
        switch input {
        case .service(let event):
          census.absorb(event).forEach(tell)
          lastNews = .now
        case .alarm:
          isAlarmSet = false
          isOver = census.isComplete && lastNews + silence <= .now
        case .timeout:
          isOver = true
        }
        if isSettled { continue }
        if isOver {
          isSettled = true
          tell(.settled)
          if !isWatching { break }
        } else if census.isComplete, !isAlarmSet {
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
}
