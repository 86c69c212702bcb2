/// Decides when to check if a printer that jobs wait for is available, and what follows from the answer.
///
/// It has no side effects: it takes answers and returns actions.
struct AvailabilityProbe: Sendable {
  /// nil before the first answer.
  private(set) var isThere: Bool?
  /// Time of the next check.
  private(set) var next: ContinuousClock.Instant
  private(set) var isBeingAsked = false
  private var pause = AvailabilityProbe.shortest
  /// True if something happened during the check.
  private var isAskedAgain = false

  /// Shortest and longest pause; the pauses grow.
  static let shortest = Duration.seconds(5)
  static let longest = Duration.seconds(300)
  /// The longest pause for a printer that is announced by DNS-SD but does not answer yet: it is starting, or it or this
  /// machine is busy.
  static let longestWhileVisible = Duration.seconds(20)

  enum Change { case appeared, vanished, none }

  init(now: ContinuousClock.Instant) { next = now }

  /// Records that a check has started.
  mutating func ask() {
    isBeingAsked = true
    isAskedAgain = false
  }

  /// Checks again soon, because something suggests a different answer: a record, an address, a new job.
  mutating func hurry(now: ContinuousClock.Instant) {
    next = now
    pause = AvailabilityProbe.shortest
    isAskedAgain = isBeingAsked
  }

  /// Returns how long to wait for an answer.
  ///
  /// An announced printer that is silent is usually slow: because of its first TLS handshake, or because this machine
  /// is.
  static func timeout(isVisible: Bool) -> Duration { .seconds(isVisible ? 30 : 4) }

  /// Records the result of a check.
  ///
  /// `isVisible`: DNS-SD announces it now.
  mutating func answered(
    _ isThere: Bool, isVisible: Bool, now: ContinuousClock.Instant
  ) -> Change {
    let was = self.isThere
    self.isThere = isThere
    isBeingAsked = false
    if was != nil, was != isThere { pause = AvailabilityProbe.shortest }
    // A printer that answers is not checked again soon: every request may wake it.
    let limit =
      isVisible && !isThere ? AvailabilityProbe.longestWhileVisible : AvailabilityProbe.longest
    next = isAskedAgain ? now : now + min(pause, limit)
    pause = min(pause * 2, limit)
    isAskedAgain = false
    if isThere, was != true { return .appeared }
    return !isThere && was == true ? .vanished : .none
  }
}
