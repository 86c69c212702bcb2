internal import IPP
internal import PrintModel

/// The delivery of a job to its printer as a state machine: it takes events, returns actions, and consists only of
/// values.
///
/// `JobSubmitter` performs the actions.
///
/// | phase | until |
/// | --- | --- |
/// | preparing | the document is open, it is this job's turn, and the printer has made a job (or gets a Print-Job) |
/// | sending | the printer has answered to the document |
/// | refused | the printer has reported the status of a job whose document it refused |
/// | withdrawing | the job that waits for a refused document has been canceled |
/// | doubtful | a job has ended for which it is unknown if the printer has its document |
/// | pausing | the printer is no longer busy |
///
/// Data that the printer may have is never sent again: every other attempt requires `NothingPrinted`.
struct JobDelivery {
  enum Phase: Equatable {
    case preparing
    /// nil: Print-Job, where the number comes with the answer.
    case sending(job: JobIdentity?)
    case refused(DocumentRefusal, job: JobIdentity?)
    case withdrawing(DocumentRefusal, JobStatus, job: JobIdentity)
    case doubtful(DeliveryDoubt, job: JobIdentity)
    case pausing(SubmitError)
    case over
  }

  enum Event: Equatable {
    case opened
    case turnCame
    /// Create-Job's answer.
    case created(job: JobIdentity)
    /// nil: the document may have been printed.
    case failed(SubmitError, NothingPrinted?)
    case taken(job: JobIdentity)
    case refused(DocumentRefusal)
    /// The printer's server did nothing with the document, and takes it in another form, as `Connection.finish` agreed.
    case wantedAgain
    /// Every byte of the document has been sent, but no IPP answer arrived: the reason, if it is known.
    case lost(IPPError?)
    /// The printer has every byte of the document, and made no progress until the time was over.
    case stalled
    /// The job was canceled by another process, and the rest of its document was not sent.
    case withdrawn
    /// The job of a Print-Job without an answer; nil if it was not found.
    case found(JobIdentity?)
    case answered(JobAnswer)
    case canceled(CancelResult)
    /// A doubtful job has ended.
    ///
    /// `isDelivered`: every byte of its document was acknowledged.
    case ended(JobOutcome, isDelivered: Bool)
    /// `goesOn`: the printer may be ready; false: the time is over.
    case waited(goesOn: Bool)
  }

  /// An action; the last one of several results in an event.
  enum Action: Equatable {
    case report(JobEvent)
    /// Records that the printer has nothing of the document.
    case retract(NothingPrinted)
    /// Records the job, which was found in the printer's lists.
    case adopt(job: JobIdentity)
    case openDocument
    case awaitTurn
    case createJob
    case sendDocument(job: JobIdentity)
    case printJob
    case find
    case ask(job: JobIdentity)
    case cancel(job: JobIdentity)
    case follow(job: JobIdentity, DeliveryDoubt)
    /// Waits a moment, for data that the printer could not read.
    case settleDown
    /// Waits until the printer is not busy; `isCleaned`: it may be busy with an empty job of airprint's.
    case wait(why: String, isCleaned: Bool)
    case deliver(job: JobIdentity)
    case fail(SubmitError)
  }

  private(set) var phase = Phase.preparing
  /// The job as it is sent next; a retry changes it.
  private(set) var submission: JobSubmission
  private var hasTurn = false
  /// Number of times that the same job was sent again.
  private var renewals = 0
  /// The reason why a Print-Job's answer is missing.
  private var lost: IPPError?

  init(_ submission: JobSubmission) { self.submission = submission }

  /// Returns the first action.
  ///
  /// Exit 76 if the printer does not accept such a job.
  func begin() -> [Action] {
    submission.lack.map { [.fail($0)] } ?? [.openDocument]
  }

  mutating func receive(_ event: Event) -> [Action] {
    switch (phase, event) {
    case (.preparing, .opened): return hasTurn ? ask() : [.awaitTurn]
    case (.preparing, .turnCame):
      hasTurn = true
      return ask()
    case (.preparing, .created(let job)):
      phase = .sending(job: job)
      return [.sendDocument(job: job)]
    case (.sending, .taken(let job)):
      phase = .over
      return [.deliver(job: job)]
    case (.sending(nil), .refused(let refusal)) where refusal.nothingSent != nil:
      return retry(refusal, refusal.nothingSent)
    case (.sending(let job), .refused(let refusal)):
      phase = .refused(refusal, job: job)
      return [job.map { .ask(job: $0) } ?? .find]
    case (.sending, .wantedAgain): return [.openDocument]
    case (.sending(let job), .opened): return [job.map { .sendDocument(job: $0) } ?? .printJob]
    case (.sending(let job?), .lost(let error)):
      return follow(job, .lostAnswer(error, of: submission.printer))
    case (.sending(let job?), .stalled): return follow(job, .stall(of: submission.printer))
    case (.sending(nil), .lost(let error)):
      lost = error
      return [.find]
    case (.sending(let job?), .withdrawn): return follow(job, .withdrawn(from: submission.printer))
    case (.sending, .found(let job?)):
      return [.adopt(job: job)] + follow(job, .lostAnswer(lost, of: submission.printer))
    case (.sending, .found):
      return fail(DeliveryDoubt.lostAnswer(lost, of: submission.printer).ending(job: nil))
    case (.refused(let refusal, _), .found(let job?)):
      phase = .refused(refusal, job: job)
      return [.adopt(job: job), .ask(job: job)]
    case (.refused(let refusal, _), .found(nil)):
      return fail(DeliveryDoubt.refusal(refusal, by: submission.printer).ending(job: nil))
    case (.refused(let refusal, let job?), .answered(.status(let status))) where status.isEmpty:
      phase = .withdrawing(refusal, status, job: job)
      return [.cancel(job: job)]
    case (.refused(let refusal, let job?), .answered(let answer)):
      guard let proof = NothingPrinted(refusal, answer) else {
        return follow(job, .refusal(refusal, by: submission.printer))
      }
      return retry(refusal, proof)
    case (.withdrawing(let refusal, let status, let job), .canceled(let cancelResult)):
      guard let proof = NothingPrinted(waiting: status, refusal, cancelResult) else {
        var doubt = DeliveryDoubt.refusal(refusal, by: submission.printer)
        doubt.isWithdrawn = true
        return follow(job, doubt)
      }
      return retry(refusal, proof)
    case (.doubtful(let doubt, let job), .ended(let outcome, let isDelivered)):
      return judge(outcome, doubt, job, isDelivered)
    case (.pausing, .waited(goesOn: true)):
      phase = .preparing
      return [.openDocument]
    case (.pausing(let error), .waited(goesOn: false)): return fail(submission.stayedBusy(error))
    case (_, .failed(let error, let proof)): return retry(error, proof)
    default: return fail(SubmitError(.fault, "Unexpected event \(event) while \(phase)."))
    }
  }

  private mutating func ask() -> [Action] {
    guard !submission.createsFirst else { return [.createJob] }
    phase = .sending(job: nil)
    return [.printJob]
  }

  private mutating func follow(_ job: JobIdentity, _ doubt: DeliveryDoubt) -> [Action] {
    phase = .doubtful(doubt, job: job)
    // If the printer has reported what it waits for, no other message is needed.
    guard !doubt.isStall else { return [.follow(job: job, doubt)] }
    let words = "\(doubt.what); asking what happened to the job"
    return [
      .report(doubt.isLost ? .waiting([Trouble(words)]) : .detail(words)), .follow(job: job, doubt),
    ]
  }

  private mutating func fail(_ error: SubmitError) -> [Action] {
    phase = .over
    return [.fail(error)]
  }

  /// Judges a job whose answer was lost after the last byte, or whose refusal was not confirmed: its result shows if
  /// that byte arrived.
  ///
  /// A printer prints what it has, complete or not, and reports both as completed. So its count of sheets has to be
  /// right as well.
  private mutating func judge(
    _ outcome: JobOutcome, _ doubt: DeliveryDoubt, _ job: JobIdentity, _ isDelivered: Bool
  ) -> [Action] {
    var ending = doubt.ending(job: job)
    ending.outcome.state = outcome.state
    ending.outcome.reasons = outcome.reasons
    ending.outcome.impressions = outcome.impressions
    ending.outcome.isLeft = outcome.isLeft
    switch outcome.exitCode {
    case .success:
      if isDelivered, let sides = submission.sides, sides > 0, outcome.impressions ?? 0 >= sides {
        guard !job.isFound else {
          ending.outcome.exitCode = .forgotten
          ending.outcome.message =
            "\(doubt.sentence) The printer has completed a job of its name, which may be another program's."
          return fail(ending)
        }
        return [
          .report(
            .note("\(submission.printer) has printed every page, although \(doubt.what)."))
        ] + fail(SubmitError(outcome))
      }
      let count = outcome.impressions.map { $0 > 0 ? "\($0) impressions" : nil } ?? nil
      ending.outcome.message =
        "\(doubt.sentence) The printer reports the job as completed"
        + (count.map { " with \($0)" } ?? "") + ", but not that it received all of it."
    case .aborted where !job.isFound,
      .canceled where !job.isFound && (!doubt.isWithdrawn || outcome.nothingPrinted != nil):
      return fail(SubmitError(outcome))
    case .notNow where doubt.isStall && (outcome.state != .canceled || outcome.impressions != nil):
      return fail(SubmitError(outcome))
    // The message for a forgotten job is about documents that the printer took.
    case .forgotten where !isDelivered || !doubt.isLost && !doubt.isStall: break
    default: ending.outcome.message = "\(doubt.sentence) \(outcome.message ?? "")"
    }
    return fail(ending)
  }
}

// MARK: - Retrying

extension JobDelivery {
  /// Starts another attempt after a refusal, but not again and again: some printers print a document that they refused,
  /// and report that they didn't.
  private mutating func retry(_ refusal: DocumentRefusal, _ proof: NothingPrinted?) -> [Action] {
    if refusal.nothingSent == nil, case .later(_, isCleaned: false) = refusal.ending.retryStrategy {
      guard renewals < 3 else { return (proof.map { [.retract($0)] } ?? []) + fail(refusal.ending) }
      renewals += 1
    }
    return retry(refusal.ending, proof)
  }

  /// Starts another attempt if nothing of the document can have been printed and one may succeed, else fails.
  private mutating func retry(_ error: SubmitError, _ proof: NothingPrinted?) -> [Action] {
    guard let proof else { return fail(error) }
    phase = .preparing
    return [.retract(proof)] + attempt(after: error)
  }

  private mutating func attempt(after error: SubmitError) -> [Action] {
    switch error.retryStrategy {
    case .anew? where renewals < 3:
      renewals += 1
      return [.openDocument]
    case .later(let why, let isCleaned)? where submission.waitsWhileBusy:
      phase = .pausing(error)
      return [.wait(why: why, isCleaned: isCleaned)]
    default:
      guard let change = submission.change(by: error.retryStrategy) else { return fail(error) }
      let report = Action.report(change.isMinor ? .detail(change.words) : .note(change.words))
      guard error.retryStrategy == .plain else { return [report, .openDocument] }
      phase = .pausing(error)
      return [report, .settleDown]
    }
  }
}

extension JobSubmission {
  /// The longest wait without progress, in words.
  var limit: String { handling.timeout.map { "\($0.components.seconds) s" } ?? "the time allowed" }

  /// Makes the error for a printer that was busy until the time was over.
  fileprivate func stayedBusy(_ error: SubmitError) -> SubmitError {
    var last = SubmitError(error.outcome)
    last.outcome.exitCode = .notNow
    if case .later(let why, isCleaned: false) = error.retryStrategy {
      last.outcome.message = "\(printer) stayed \(why) for \(limit) (--timeout)."
    }
    return last
  }
}

/// The reason why it is unknown if the printer has the document.
struct DeliveryDoubt: Equatable {
  /// The reason, as part of a sentence.
  var what: String
  var sentence: String
  /// True if the printer has the document and only makes no progress: then its report on the job is sufficient.
  var isStall = false
  /// True if the printer has not answered, or not by IPP.
  var isLost = false
  /// True if the job was canceled because of it.
  var isWithdrawn = false

  /// Makes the error of exit 74, if nothing proves that the document was printed.
  func ending(job: JobIdentity?) -> SubmitError { SubmitError(.inDoubt, sentence, job: job) }

  /// - `error`: what came instead of the answer; nil if that is unknown.
  static func lostAnswer(_ error: IPPError?, of printer: String) -> DeliveryDoubt {
    if let error, error.kind == .nonsense {
      return DeliveryDoubt(
        what: error.sentence(of: "it"),
        sentence: error.sentence(of: printer)
          + " after the document was sent; it may have printed.",
        isLost: true)
    }
    return DeliveryDoubt(
      what: "its answer was lost",
      sentence:
        "The connection to \(printer) broke after the document was sent, before it answered; it "
        + "may have printed.", isLost: true)
  }

  static func stall(of printer: String) -> DeliveryDoubt {
    DeliveryDoubt(
      what: "it stopped before it answered",
      sentence:
        "\(printer) stopped after the document was sent, before it answered; it may have printed.",
      isStall: true)
  }

  static func withdrawn(from printer: String) -> DeliveryDoubt {
    DeliveryDoubt(
      what: "the job was canceled",
      sentence:
        "The job was canceled while its document was being sent to \(printer); part of it may have "
        + "printed.")
  }

  static func refusal(_ refusal: DocumentRefusal, by printer: String) -> DeliveryDoubt {
    if let error = refusal.httpError { return lostAnswer(error, of: printer) }
    let words = refusal.status.map { " (\($0))" } ?? ""
    return DeliveryDoubt(
      what: "it refused the document",
      sentence:
        "\(printer) refused the document\(words) after receiving it, and did not confirm that it "
        + "discarded it: it may have printed, and is not sent again.")
  }
}
