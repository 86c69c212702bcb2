internal import IPP
internal import PrintModel
internal import System

/// A subscription to the events of a job (RFC 3995, RFC 3996, ippget), which ends the wait between two polls as soon as
/// something happens.
///
/// Few printers support them; a cupsd immediately returns the events up to now.
struct JobSubscription {
  private let submission: JobSubmission
  private let job: JobIdentity
  private let clock: WaitingClock
  private var state: State

  private enum State {
    case untried
    case none
    case subscribed(Int, next: Int)
  }

  init(_ submission: JobSubmission, job: JobIdentity, _ clock: WaitingClock) {
    self.submission = submission
    self.clock = clock
    self.job = job
    let hasThem =
      submission.capabilities.does(.createJobSubscriptions)
      && submission.capabilities.does(.getNotifications)
    state = hasThem ? .untried : .none
  }

  /// Shortest pause for which a subscription is worthwhile.
  private static let longEnough = Duration.milliseconds(250)

  /// Waits for `pause`, or until something has happened; false if it was interrupted.
  mutating func wait(
    _ pause: Duration, over line: inout (any JobConnection)?, _ cancellation: Cancellation
  ) -> Bool {
    let end = clock.now() + pause
    if case .untried = state, pause >= Self.longEnough, let line { subscribe(over: line) }
    while case .subscribed = state, pause >= Self.longEnough, let line, clock.now() < end {
      if let hasHappened = ask(over: line) {
        if hasHappened { return !cancellation.isRaised }
      } else {
        state = .none
      }
      let left = clock.now().duration(to: end)
      guard clock.sleep(min(max(left, .zero), .milliseconds(250)), cancellation) else {
        return false
      }
    }
    let left = clock.now().duration(to: end)
    return left <= .zero ? !cancellation.isRaised : clock.sleep(left, cancellation)
  }

  private mutating func subscribe(over line: any JobConnection) {
    state = .none
    guard
      let response = try? line.exchange(submission.createSubscription(job, at: line.uri)),
      response.status.isSuccess,
      let number = response.subscriptions.first?.number("notify-subscription-id")
    else { return }
    state = .subscribed(number, next: 1)
  }

  /// Requests the events since the last request; true if there are any, nil if the printer does not report them.
  private mutating func ask(over line: any JobConnection) -> Bool? {
    guard case .subscribed(let number, let next) = state,
      let response = try? line.exchange(
        submission.getNotifications(number, from: next, at: line.uri)),
      response.status.isSuccess
    else { return nil }
    let numbers = response.events.compactMap { $0.number("notify-sequence-number") }
    guard let last = numbers.max() else { return false }
    state = .subscribed(number, next: last + 1)
    return true
  }
}

extension JobSubmission {
  fileprivate func createSubscription(_ job: JobIdentity, at uri: PrinterURI) -> Request {
    var request = Request(
      .createJobSubscriptions,
      operationAttributes: Request.target(uri, user: user)
        + [Attribute("notify-job-id", .integer(job.number))])
    request.subscriptionAttributes = [
      Attribute("notify-pull-method", .keyword("ippget")),
      Attribute(
        "notify-events", .keyword("job-completed"), .keyword("job-state-changed"),
        .keyword("job-progress"), .keyword("printer-state-changed")),
    ]
    return request
  }

  fileprivate func getNotifications(
    _ subscription: Int, from next: Int, at uri: PrinterURI
  ) -> Request {
    Request(
      .getNotifications,
      operationAttributes: Request.target(uri, user: user) + [
        Attribute("notify-subscription-ids", .integer(subscription)),
        Attribute("notify-sequence-numbers", .integer(next)),
        Attribute("notify-wait", .boolean(false)),
      ])
  }
}
