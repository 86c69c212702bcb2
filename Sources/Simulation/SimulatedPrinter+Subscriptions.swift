internal import IPP
internal import PrintModel
internal import System

// Subscriptions: clients poll for events (RFC 3995, RFC 3996).

// MARK: What happened

extension SimulatedPrinter {
  /// Records a change of a job for subscribers; the most specific keyword comes first.
  func note(_ keywords: String..., of id: Int, _ state: inout State) {
    guard !state.subscriptions.isEmpty, let job = state[job: id] else { return }
    let facts = [
      Attribute("notify-job-id", .integer(id)), Attribute("job-id", .integer(id)),
      Attribute("job-name", .name(job.name)),
      Attribute("job-state", .enumeration(job.state.rawValue)),
      Attribute("job-state-reasons", keywords: job.reasons.isEmpty ? ["none"] : job.reasons),
      Attribute("job-impressions-completed", .integer(job.impressions)),
    ]
    note(keywords + ["job-state-changed"], of: id, facts, "Job \(id): \(job.message)", &state)
  }

  /// Records a change of the printer's state for subscribers.
  func notePrinter(_ keywords: String..., in state: inout State) {
    guard !state.subscriptions.isEmpty else { return }
    let facts = [
      Attribute("printer-state", .enumeration(state.printerState.rawValue)),
      Attribute("printer-state-reasons", keywords: state.reasons),
      Attribute("printer-is-accepting-jobs", .boolean(!state.isShutDown)),
    ]
    note(keywords + ["printer-state-changed"], of: nil, facts, state.message, &state)
  }

  private func note(
    _ keywords: [String], of job: Int?, _ facts: [Attribute], _ words: String,
    _ state: inout State
  ) {
    let notice = Subscription.Notice(
      number: 0, event: "", uptime: uptime, facts: facts, words: words)
    // Some events are not changes of state.
    let isOther = ["job-progress", "printer-config-changed"].contains(keywords[0])
    let keywords = isOther ? [keywords[0]] : keywords
    for index in state.subscriptions.indices {
      state.subscriptions[index].note(keywords, of: job, notice)
    }
  }
}

// MARK: Operations

extension SimulatedPrinter {
  /// Maximum number of subscriptions.
  private static let mostSubscriptions = 100

  /// Create-Printer-Subscriptions and Create-Job-Subscriptions (RFC 3995 §11.1).
  func createSubscriptions(_ call: Call) -> Response {
    guard !call.request.subscriptions.isEmpty else {
      return Response(status: .badRequest, message: "There is no subscription in the request.")
    }
    let isOfJob = call.operation == .createJobSubscriptions
    let id = isOfJob ? call.attributes.number("notify-job-id") : nil
    return state.withLock { state in
      if isOfJob {
        guard let id, let job = state[job: id] else { return unknown("job") }
        guard !job.state.isOver else { return notPossible(job) }
      }
      return subscribe(call, job: id, &state)
    }
  }

  /// Creates the subscriptions in a request; those that are refused get a status of their own.
  func subscribe(_ call: Call, job: Int?, _ state: inout State) -> Response {
    dropEnded(&state)
    var response = Response(status: .ok)
    var made = 0
    for template in call.request.subscriptions {
      guard made < Self.mostSubscriptions else {
        response.subscriptions.append(refused(.tooManySubscriptions))
        continue
      }
      let events = template.strings("notify-events")
      guard template.string("notify-pull-method") == "ippget",
        events.count <= Subscription.mostEvents, events.allSatisfy(Subscription.events.contains),
        !hasLongUserData(template)
      else {
        response.subscriptions.append(refused(.attributesOrValues))
        continue
      }
      makeRoom(&state)
      state.lastSubscription += 1
      made += 1
      let subscription = Subscription(
        id: state.lastSubscription, user: call.user, job: job,
        events: events.isEmpty ? ["job-completed"] : events,
        userData: template["notify-user-data"]?.values.first,
        lease: lease(template.number("notify-lease-duration")))
      state.subscriptions.append(subscription)
      response.subscriptions.append(
        AttributeSet(
          [Attribute("notify-subscription-id", .integer(subscription.id))]
            + (job == nil
              ? [Attribute("notify-lease-duration", .integer(subscription.lease.seconds))] : [])))
    }
    if made == 0 {
      response.status = .ignoredAllSubscriptions
    } else if made < call.request.subscriptions.count {
      response.status = .ignoredSubscriptions
    }
    return response
  }

  private func hasLongUserData(_ template: AttributeSet) -> Bool {
    guard case .octets(let data)? = template["notify-user-data"]?.values.first else { return false }
    return data.count > Subscription.longestUserData
  }

  /// Get-Notifications: returns events from a sequence number on, without waiting for new ones (RFC 3996 §5).
  func getNotifications(_ call: Call) -> Response {
    let ids = call.attributes.numbers("notify-subscription-ids")
    let firsts = call.attributes.numbers("notify-sequence-numbers")
    guard !ids.isEmpty else {
      return Response(status: .badRequest, message: "There are no notify-subscription-ids.")
    }
    guard Set(ids).count == ids.count else {
      return Response(status: .badRequest, message: "A subscription is asked for twice.")
    }
    return state.withLock { state in
      dropEnded(&state)
      var response = Response(status: .ok)
      var isComplete = true
      for (index, id) in ids.enumerated() {
        guard let subscription = state.subscriptions.first(where: { $0.id == id }) else {
          return unknown("subscription")
        }
        guard subscription.user == call.user else { return notTheirs(subscription) }
        let first = index < firsts.count ? firsts[index] : 1
        response.events += subscription.notices.filter { $0.number >= first }
          .map { AttributeSet(subscription.attributes(of: $0, uri: call.uri)) }
        isComplete = isComplete && isOver(subscription, state)
      }
      var facts = [Attribute("printer-up-time", .integer(uptime))]
      if isComplete {
        response.status = .eventsComplete
      } else {
        facts.append(Attribute("notify-get-interval", .integer(1)))
      }
      response.operation = AttributeSet(facts)
      return response
    }
  }

  /// Get-Subscriptions (RFC 3995 §11.2.5).
  func getSubscriptions(_ call: Call) -> Response {
    let operation = call.attributes
    let job = operation.number("notify-job-id")
    let isMine = operation.boolean("my-subscriptions") == true
    let names = operation.strings("requested-attributes")
    return state.withLock { state in
      dropEnded(&state)
      if let job, state[job: job] == nil { return unknown("job") }
      let all = state.subscriptions.filter {
        $0.job == job && (!isMine || $0.user == call.user)
      }
      let limit = operation.number("limit").map { max(0, $0) } ?? all.count
      var response = Response(status: .ok)
      response.subscriptions = all.prefix(limit).map {
        described($0, names.isEmpty ? ["notify-subscription-id"] : names, call)
      }
      return response
    }
  }

  /// Get-Subscription-Attributes, Renew-Subscription and Cancel-Subscription (RFC 3995 §11.2.4, §11.2.6, §11.2.7).
  func changeSubscription(_ call: Call) -> Response {
    let id = call.attributes.number("notify-subscription-id")
    let names = call.attributes.strings("requested-attributes")
    return state.withLock { state in
      dropEnded(&state)
      guard let index = state.subscriptions.firstIndex(where: { $0.id == id }) else {
        return unknown("subscription")
      }
      let subscription = state.subscriptions[index]
      var response = Response(status: .ok)
      if call.operation == .getSubscriptionAttributes {
        response.subscriptions = [described(subscription, names, call)]
        return response
      }
      guard subscription.user == call.user else { return notTheirs(subscription) }
      if call.operation == .cancelSubscription {
        state.subscriptions.remove(at: index)
        return response
      }
      guard subscription.job == nil else {
        return Response(status: .notPossible, message: "A job's subscription ends with its job.")
      }
      let lease = lease(call.request.subscriptions.first?.number("notify-lease-duration"))
      state.subscriptions[index].lease = lease
      response.subscriptions = [
        AttributeSet([Attribute("notify-lease-duration", .integer(lease.seconds))])
      ]
      return response
    }
  }

  // MARK: Helpers

  private func described(
    _ subscription: Subscription, _ names: [String], _ call: Call
  ) -> AttributeSet {
    let all = subscription.attributes(uri: call.uri, uptime: uptime)
    let groups = ["all", "subscription-description", "subscription-template"]
    return names.isEmpty || names.contains(where: groups.contains)
      ? AttributeSet(all) : AttributeSet(all.filter { names.contains($0.name) })
  }

  private func lease(_ asked: Int?) -> (seconds: Int, end: Int) {
    let seconds = min(max(asked ?? Subscription.usualLease, 0), Subscription.longestLease)
    return (seconds, seconds == 0 ? 0 : uptime + seconds)
  }

  /// Removes expired subscriptions: a job's events are available as long as the job is known.
  private func dropEnded(_ state: inout State) {
    let known = Set(state.jobs.map(\.id))
    state.subscriptions.removeAll { subscription in
      if let job = subscription.job { return !known.contains(job) }
      return subscription.lease.end > 0 && subscription.lease.end <= uptime
    }
  }

  /// Makes room for one more subscription: removes one whose job is over, or the oldest one of the user with the most,
  /// so that nobody's permanent subscriptions keep others out.
  private func makeRoom(_ state: inout State) {
    guard state.subscriptions.count >= Self.mostSubscriptions else { return }
    let counts = state.subscriptions.reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
    let most = counts.values.max()
    let index =
      state.subscriptions.firstIndex { isOver($0, state) }
      ?? state.subscriptions.firstIndex { counts[$0.user] == most }
    if let index { state.subscriptions.remove(at: index) }
  }

  /// True when no further events will come.
  private func isOver(_ subscription: Subscription, _ state: State) -> Bool {
    subscription.job.flatMap { state[job: $0] }?.state.isOver == true
  }

  private func notTheirs(_ subscription: Subscription) -> Response {
    Response(
      status: .notAuthorized, message: "Subscription \(subscription.id) is \(subscription.user)'s.")
  }

  private func refused(_ status: Status) -> AttributeSet {
    AttributeSet([Attribute("notify-status-code", .enumeration(status.rawValue))])
  }
}
