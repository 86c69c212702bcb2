internal import PrintModel

/// Timing of when a printer that jobs wait for is asked whether it is there, and what follows from
/// the answer.
///
/// Pure: answers in, what is to be done out.
struct AvailabilityProbe: Sendable {
  /// nil before the first answer.
  private(set) var isThere: Bool?
  /// Time of the next question.
  private(set) var next: ContinuousClock.Instant
  private(set) var isBeingAsked = false
  private var pause = AvailabilityProbe.shortest
  /// Something happened while it was being asked.
  private var isAskedAgain = false

  /// The pauses grow from the first to the last.
  static let shortest = Duration.seconds(5)
  static let longest = Duration.seconds(300)
  /// The longest pause for a printer that DNS-SD shows and that does not answer yet: it is starting, or it or
  /// this machine is busy.
  static let longestWhileVisible = Duration.seconds(20)

  enum Change { case appeared, vanished, none }

  init(now: ContinuousClock.Instant) { next = now }

  /// It is being asked from now on.
  mutating func ask() {
    isBeingAsked = true
    isAskedAgain = false
  }

  /// Something suggests a different answer: a record, an address, a new job.
  mutating func hurry(now: ContinuousClock.Instant) {
    next = now
    pause = AvailabilityProbe.shortest
    isAskedAgain = isBeingAsked
  }

  /// Time to wait for an answer.
  ///
  /// Silence of a printer that is announced is slowness, as a rule: of its first TLS handshake, or
  /// of this machine.
  static func patience(isVisible: Bool) -> Duration { .seconds(isVisible ? 30 : 4) }

  /// It answered, or it did not.
  ///
  /// `isVisible`: DNS-SD shows it now.
  mutating func answered(
    _ isThere: Bool, isVisible: Bool, now: ContinuousClock.Instant
  ) -> Change {
    let was = self.isThere
    self.isThere = isThere
    isBeingAsked = false
    if was != nil, was != isThere { pause = AvailabilityProbe.shortest }
    // One that answers is left alone: every question may wake it.
    let limit =
      isVisible && !isThere ? AvailabilityProbe.longestWhileVisible : AvailabilityProbe.longest
    next = isAskedAgain ? now : now + min(pause, limit)
    pause = min(pause * 2, limit)
    isAskedAgain = false
    if isThere, was != true { return .appeared }
    return !isThere && was == true ? .vanished : .none
  }
}
