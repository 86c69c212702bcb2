internal import PrintModel

// How long a request may take.
extension Connection {
  /// Asks the first questions; the connection itself and the first one have the time of one, and each answer gives the
  /// next one as much.
  package func makeContact<Answer>(
    _ ask: (Connection) throws(IPPError) -> Answer
  ) throws(IPPError) -> Answer {
    contactEnd = deadline
    defer { contactEnd = nil }
    return try ask(self)
  }

  /// Allows for what follows the time for silence, and as long again for bytes that arrive slowly, but no more than 30 s
  /// for both.
  ///
  /// The silence timeout alone never ends a head that never ends.
  func setDeadline() {
    deadline = contactEnd ?? .now + allowance
  }

  var allowance: Duration { max(patience, min(patience * 2, .seconds(30))) }

  /// The time for silence, which ends a moment before the exchange, so that it is told from an endless answer.
  var silence: Duration {
    min(patience, ContinuousClock.now.duration(to: deadline) - .milliseconds(500))
  }

  /// Adds the time that the user takes, for a password, to that of the printer.
  func waitForUser<Answer>(_ ask: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    let begun = ContinuousClock.now
    defer {
      let taken = begun.duration(to: .now)
      deadline = deadline + taken
      contactEnd = contactEnd.map { $0 + taken }
    }
    return try ask()
  }

  /// Delays the effect of an interruption by `grace` from now on.
  func hold(_ grace: Duration) {
    wait.isHeld = grace > .zero
    watchdog.hold(grace)
  }
}
