internal import PrintModel

/// A job at its printer as a state machine, until the job has ended or the time is over: it takes events, returns
/// actions, and consists only of values.
///
/// `JobSubmitter` performs the actions.
///
/// It polls after 10 ms, since many printers complete a page when they receive its last byte, and then at growing
/// intervals: ten times in two seconds, and once a second after that. Time counts against the limit only while there is
/// no progress (`JobProgress`).
struct JobWatch {
  enum Phase: Equatable {
    case following
    /// The time is over: the job is canceled if no sheet has come out, so that a later attempt does not meet it.
    case takingBack
    case over
  }

  enum Event: Equatable {
    /// - isLate: the time is over.
    /// - isCancelRequested: `airprint cancel` was called for the job.
    case answered(JobAnswer, isLate: Bool, isCancelRequested: Bool)
    case canceled(CancelResult)
    /// It is not canceled: it is a job of the queue, and nobody could tell afterwards what came out of it.
    case kept
  }

  enum Action: Equatable {
    /// Restarts the timer.
    case restartTimer
    case tell(JobStatus)
    case tellSilence(String)
    case cancel
    /// Waits until the next poll, or until the printer has news.
    case wait(Duration)
    /// The printer reports that the job has ended.
    case end(JobStatus)
    /// The printer no longer has the job.
    case forget(last: JobStatus?)
    case giveUp(GivenUpJob)
  }

  private(set) var phase = Phase.following
  /// nil: a job that is held as requested is left.
  private let leavesOnTimeout: Bool?
  private let isToBeHeld: Bool
  private var progress: JobProgress
  private(set) var last: JobStatus?
  private var pause = Duration.milliseconds(10)
  private var isTakenBack = false
  private var isLate = false

  init(_ submission: JobSubmission) {
    leavesOnTimeout = submission.handling.leavesOnTimeout
    isToBeHeld = submission.isHeld
    progress = JobProgress(sides: submission.ticket.sidesOfPages * submission.ticket.copies)
  }

  mutating func receive(_ event: Event) -> [Action] {
    switch (phase, event) {
    case (.following, .answered(.status(let status), let isLate, let isCancelRequested)):
      guard !status.state.isOver else {
        phase = .over
        return [.end(status)]
      }
      let isNews = progress.isNews(status)
      if isNews { pause = min(pause, .milliseconds(250)) }
      self.isLate = isLate && !isNews
      last = status
      // Reported even if the job's state does not change: paper can run out while it is processing.
      let actions = (isNews ? [.restartTimer] : []) + [Action.tell(status)]
      return actions + (isCancelRequested && !isTakenBack ? [.cancel] : goOn())
    case (.following, .answered(.unknown, _, _)):
      phase = .over
      return [.forget(last: last)]
    case (.following, .answered(.silence(let why), let isLate, _)):
      self.isLate = isLate
      return [.tellSilence(why)] + goOn()
    case (_, .canceled(.gone)):
      phase = .over
      return [.forget(last: last)]
    case (.following, .canceled(.over(let status))):
      phase = .over
      return [.end(status)]
    case (.following, .canceled(let result)):
      isTakenBack = result == .accepted
      return goOn()
    case (.takingBack, .canceled(.over(let status))):
      guard status.state == .canceled else {
        // It ended at the last moment.
        phase = .over
        return [.end(status)]
      }
      return giveUp(.canceled(status))
    case (.takingBack, .canceled(.accepted)): return giveUp(.canceling)
    case (_, .kept): return giveUp(.left)
    default: return giveUp(.notCanceled)
    }
  }

  private mutating func goOn() -> [Action] {
    guard isLate else {
      defer { pause = min(pause * 8 / 5, .seconds(1)) }
      return [.wait(pause)]
    }
    if (last?.impressions ?? 0) > 0 { return giveUp(.partlyPrinted) }
    if isTakenBack { return giveUp(.canceling) }
    if leavesOnTimeout ?? (isToBeHeld && last?.state == .held) { return giveUp(.left) }
    phase = .takingBack
    return [.cancel]
  }

  private mutating func giveUp(_ cause: GivenUpJob.Cause) -> [Action] {
    phase = .over
    return [.giveUp(GivenUpJob(cause: cause, last: last))]
  }
}

/// A job that had not ended when the time was over.
struct GivenUpJob: Equatable {
  enum Cause: Equatable {
    case partlyPrinted, left, notCanceled
    /// The printer reports its end.
    case canceled(JobStatus)
    /// The printer accepted the cancellation, and does not report an end.
    case canceling
  }
  var cause: Cause
  /// The printer's last answer before it was given up.
  var last: JobStatus?

  /// Makes the error of exit 75, with the state of the paper as far as it is known.
  ///
  /// `isInDoubt`: it is unknown if the printer had the document; `troubles` are the reasons for the delay.
  func ending(
    of submission: JobSubmission, job: JobIdentity, isInDoubt: Bool, _ troubles: [Trouble],
    _ printer: PrinterStatus?
  ) -> SubmitError {
    var end: JobStatus?
    if case .canceled(let status) = cause { end = status }
    let left =
      switch cause {
      case .partlyPrinted: "Part of the job is printed; the rest was left at the printer"
      case .left: "The job was left at the printer and may still print"
      case .notCanceled: "The job could not be canceled and may still print"
      case .canceling:
        "The printer has not confirmed that the job is canceled: it was left there and may still print"
      case .canceled(let status) where NothingPrinted(status) != nil || isInDoubt:
        "The job was canceled"
      case .canceled(let status):
        status.pagesInWords.map { "The job was canceled; \($0) of it came out" }
          ?? "The job was canceled; the printer does not report whether a page of it was printed"
      }
    // A job that is gone can't be released.
    let known = troubles.map { end != nil || cause == .canceling ? $0.words : $0.text }
    let why = known.isEmpty ? "" : " (\(known.joined(separator: "; ")))"
    var ending = SubmitError(
      .notNow,
      "No progress on \(submission.printer) for \(submission.limit)\(why). \(left).", job: job)
    ending.outcome.state = last?.state
    ending.outcome.reasons = (last?.reasons ?? []) + (printer?.reasons ?? [])
    ending.outcome.impressions = last?.impressions
    ending.outcome.isLeft = end == nil
    if let end { ending.outcome.take(end) }
    return ending
  }
}
