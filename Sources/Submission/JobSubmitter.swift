internal import IPP
package import PrintModel
package import System

/// Submits one job to the printer: the driver of `JobDelivery` and `JobWatch`, which decide the next steps.
///
/// It owns the connection, the journal, the clock and the document's bytes. Confined to the thread of its connection.
package final class JobSubmitter {
  private var delivery: JobDelivery
  let connection: any JobConnection
  let clock: WaitingClock
  let cancellation: Cancellation
  let entry: JournalEntry
  let journal: Journal
  let report: (JobEvent) -> Void
  /// The delays reported last, and the notes that are reported only once.
  var troubles: [Trouble] = []
  var notes: Set<String> = []
  /// What the job waited for when the number of those before it last changed.
  var outlook: (jobsAhead: Int?, words: String)?
  /// The printer's latest status.
  var printerStatus: PrinterStatus? {
    didSet {
      if let printerStatus, printerStatus.state != .stopped { entry.keep { $0.stoppedSince = nil } }
      if let printerStatus, printerStatus != oldValue { whenStatusChanges(printerStatus) }
    }
  }
  /// Called on this thread each time the printer's status changes.
  package var whenStatusChanges: (PrinterStatus) -> Void = { _ in }
  /// True if every byte of the document was acknowledged, whether the answer arrived or not.
  var isDelivered = false
  /// The printer's answer to the whole document; its server's alone is none, which may have passed on a part of it.
  var answer: Status?
  /// True if the printer took the whole document, or has read it to the end and refused it; or if its server asked for
  /// another form of the request, and did nothing with it.
  var isAnswered: Bool {
    answer.map { $0.isSuccess || connection.hasReadDocument } ?? connection.isRefused
  }
  /// True if it is unknown whether the printer has the document.
  var isInDoubt = false
  /// The reason why the printer could not be asked about the job the last time, if waiting can't change it.
  var barrier: IPPError?
  /// The number, of `connections`, of the connection over which the printer has made the job.
  var maker: Int?
  private var turn: SpoolTicket?
  private var cleanup: OrphanedJobCleanup
  /// An empty job that may remain after a Create-Job whose answer was lost.
  private var lost: JobRecord.Orphan?
  /// The timer for attempts to get the job to the printer.
  private var progressTimer: ProgressTimer
  /// The document, opened at its beginning; a retry opens it again if part of it has been used.
  private var document: OpenedDocument?

  /// `report` is called with each event, on this thread.
  ///
  /// `entry` is written before every request.
  package init(
    _ submission: JobSubmission, over connection: any JobConnection, entry: JournalEntry,
    of journal: Journal,
    cancellation: Cancellation, clock: WaitingClock = .machine, report: @escaping (JobEvent) -> Void
  ) {
    delivery = JobDelivery(submission)
    progressTimer = ProgressTimer(submission.handling.timeout, clock)
    self.connection = connection
    self.entry = entry
    self.journal = journal
    self.clock = clock
    cleanup = OrphanedJobCleanup(journal, at: entry.record.uri, user: submission.user, clock: clock)
    self.cancellation = cancellation
    self.report = report
  }

  /// The status of the job in the answer to its document.
  var answered: JobStatus?

  /// The job as it is sent next.
  var submission: JobSubmission { delivery.submission }

  /// True if nobody waits for the job: as requested, or because the printer holds a job of the queue, whose other jobs
  /// would wait until somebody releases it.
  var endsWhenSent: Bool {
    submission.handling.endsWhenSent || submission.isHeld && entry.record.isForLater
  }

  /// Prints a document and returns how it ended.
  ///
  /// Never throws: every result is an outcome, with the exit code for what is known about the paper.
  ///
  /// `open` returns the document from its beginning, and is called again if a printer has refused it in a way that
  /// another attempt fixes.
  package func run(_ open: () throws(Failure) -> any DocumentStream) -> JobOutcome {
    var outcome: JobOutcome
    do {
      let job = try deliver(open)
      // Without Create-Job, a busy printer refuses a job only with its whole document: the next one waits for the end.
      if submission.createsFirst { turn = nil }
      do {
        // `watch` makes it final, unless the job is already over.
        try record(isFinal: endsWhenSent) { $0.phase = .sent }
      } catch {
        report(.note(error.outcome.message ?? "The journal can't be written."))
      }
      report(.sent)
      outcome = endsWhenSent ? try endWhenSent(job) : try watch(job)
    } catch {
      outcome = error.outcome
    }
    turn = nil
    outcome.nothingPrinted = NothingPrinted(entry.record) ?? outcome.nothingPrinted
    outcome = outcome.saidInFull
    if outcome.mayTryOtherFormat || submission.isTriedElsewhere && outcome.mayTryNextPrinter {
      return outcome
    }
    do {
      // If a power failure undoes that it was printed, the printer is asked again.
      try record(isFinal: outcome.exitCode != .success) {
        let isSent = endsWhenSent && outcome.exitCode == .success && outcome.state?.isOver != true
        $0.end(outcome, isOver: !isSent && !outcome.isLeft)
      }
    } catch {
      // The outcome on paper is more important than the failure to record it.
      report(.note(error.outcome.message ?? "The job's end could not be recorded."))
    }
    return outcome
  }

  func record(
    isFinal: Bool = true, _ change: (inout JobRecord) -> Void
  ) throws(SubmitError) {
    do {
      try entry.update(isFinal: isFinal, change)
    } catch {
      throw SubmitError(error.code, error.message, job: entry.record.identity)
    }
  }
}

// MARK: - Delivering

/// A document whose first piece is already drawn, so that one that can't be drawn never becomes a job, and no job waits
/// empty at the printer.
final class OpenedDocument {
  let stream: any DocumentStream
  var first: [UInt8]?
  /// True once part of it has been used.
  var isUsed = false

  init(_ stream: any DocumentStream) throws(Failure) {
    self.stream = stream
    first = try stream.next()
  }

  func next() throws(Failure) -> [UInt8]? {
    isUsed = true
    if let first {
      self.first = nil
      return first
    }
    return try stream.next()
  }
}

extension JobSubmitter {
  /// Delivers the document to the printer, with retries where possible, and returns the job's number.
  private func deliver(_ open: () throws(Failure) -> any DocumentStream) throws(SubmitError)
    -> JobIdentity
  {
    // Once the printer has it, its workers are no longer needed.
    defer { document = nil }
    progressTimer = ProgressTimer(submission.handling.timeout, clock)
    var actions = delivery.begin()[...]
    while let action = actions.popFirst() {
      let event: JobDelivery.Event?
      do throws(SubmitError) {
        switch action {
        case .deliver(let job): return job
        case .fail(let error): throw error
        default: event = try perform(action, open)
        }
      } catch {
        if case .fail = action { throw error }
        event = .failed(error, NothingPrinted(entry.record))
      }
      if let event { actions = delivery.receive(event)[...] }
    }
    throw SubmitError(.fault, "The job could not be delivered.")
  }

  private func perform(
    _ action: JobDelivery.Action, _ open: () throws(Failure) -> any DocumentStream
  ) throws(SubmitError) -> JobDelivery.Event? {
    switch action {
    case .report(let event): report(event)
    case .retract(let proof): retract(proof)
    case .adopt(let job): try? record { $0.identity = job }
    case .openDocument:
      do throws(SubmitError) { document = try openDocument(open) } catch {
        // It waits for a document that its server took in no form yet.
        if case .sending(let job?) = delivery.phase { cancelEmpty(job) }
        throw error
      }
      return .opened
    case .awaitTurn:
      try awaitTurn()
      return .turnCame
    case .createJob:
      try begin()
      return .created(job: try create())
    case .sendDocument(let job): return try send(try drawn, job: job)
    case .printJob:
      try begin()
      return try printJob(try drawn)
    case .find: return .found(try findJob())
    case .ask(let job): return .answered(try ask(about: job))
    case .cancel(let job): return .canceled(cancel(job))
    case .follow(let job, let doubt):
      isInDoubt = !doubt.isStall
      return .ended(try follow(job), isDelivered: isDelivered)
    case .settleDown:
      guard clock.sleep(.milliseconds(250), cancellation) else {
        throw submission.interrupted(cancellation)
      }
      return .waited(goesOn: true)
    case .wait(let why, let isCleaned): return .waited(goesOn: try wait(why, isCleaned: isCleaned))
    case .deliver, .fail: break
    }
    return nil
  }

  private var drawn: OpenedDocument {
    get throws(SubmitError) {
      guard let document else { throw SubmitError(.fault, "There is no document.") }
      return document
    }
  }

  private func openDocument(
    _ open: () throws(Failure) -> any DocumentStream
  ) throws(SubmitError) -> OpenedDocument {
    if let document, !document.isUsed { return document }
    do {
      return try OpenedDocument(try open())
    } catch {
      if cancellation.isRaised { throw submission.interrupted(cancellation) }
      throw SubmitError(error.code, error.message)
    }
  }

  /// Prepares each attempt.
  private func begin() throws(SubmitError) {
    try checkCancelled()
    connection.timeout = progressTimer.left ?? JobSubmitter.forEver
  }

  /// Returns the outcome of a job for which it is unknown if the printer has its document.
  private func follow(_ job: JobIdentity) throws(SubmitError) -> JobOutcome {
    do { return try watch(job) } catch {
      // No answer within the time, or before Ctrl-C.
      if cancellation.isRaised { throw error }
      return error.outcome
    }
  }

  /// Time after Ctrl-C in which the printer may still return a new job's number: without it, the job can't be canceled.
  static let grace = Duration.seconds(2)

  /// Longest wait for the first answer to a poll, or to a request for the printer's jobs.
  static let pollTimeout = Duration.seconds(5)
  /// Longest wait for the first answer to a request for the printer's status while something else continues.
  static let statusTimeout = Duration.seconds(2)
  /// Longest wait for the first answer to a cancellation, and to the request for the count afterwards.
  static let cancelTimeout = Duration.seconds(3)

  /// A wait that is longer than any; a timer without a limit needs a number.
  private static let forEver = Duration.seconds(365 * 86_400)

  /// Sends Create-Job, and returns the job's number once it is in the journal.
  private func create() throws(SubmitError) -> JobIdentity {
    if cancellation.isRaised { throw submission.interrupted(cancellation) }
    let request = submission.search
    // Drawing the first page may have taken minutes since.
    let isNoted =
      entry.record.phase == .creating
      && entry.record.search.map { abs(request.since - $0.since) < 5 } == true
    if !isNoted { try record { $0.create() } }
    let response: Response
    do {
      connection.timeout = min(progressTimer.left ?? .seconds(60), .seconds(60))
      defer { connection.timeout = progressTimer.left ?? JobSubmitter.forEver }
      response = try connection.exchange(
        submission.createJob(at: connection.uri), grace: JobSubmitter.grace)
    } catch {
      guard case .interrupted = error.kind else {
        // It may have made the job all the same; where the job is tried again, `wait` looks for it.
        if error.kind == .nonsense, !error.isHTTPError { try record(orphan()) }
        throw submission.failure(error, cancellation: cancellation)
      }
      throw try unnumbered()
    }
    guard response.status.isSuccess else { throw submission.refusal(response) }
    maker = connection.connections
    guard let job = JobIdentity(response, to: request) else {
      throw SubmitError(.refused, "\(submission.printer) took the job but gave it no number.")
    }
    do throws(SubmitError) {
      try record {
        $0.identity = job
        $0.phase = .created
      }
    } catch {
      cancelEmpty(job)
      throw error
    }
    report(.created(jobId: job.number))
    identify(job)
    try cancelIfInterrupted(job)
    do throws(SubmitError) { try takeIgnored(response) } catch {
      cancelEmpty(job)
      throw error
    }
    return job
  }

  /// Reports the attributes that the printer ignores.
  ///
  /// If one of them must not be, throws exit 64 before the document is sent. After that (`job`), it cancels the job, and
  /// throws exit 64 if nothing was printed, else 74.
  func takeIgnored(
    _ response: Response, sentTo job: JobIdentity? = nil
  ) throws(SubmitError) {
    guard let (words, failure) = submission.ignored(by: response) else { return }
    if let failure {
      guard let job else { throw SubmitError(JobOutcome(failure)) }
      throw .cutShort(failure, job: job, cancel(job))
    }
    if notes.insert(words).inserted { report(.note(words)) }
  }

  /// Cancels the job if Ctrl-C came before its number; nothing of the document has been sent.
  private func cancelIfInterrupted(_ job: JobIdentity) throws(SubmitError) {
    guard cancellation.isRaised else { return }
    let cancelResult = cancelEmpty(job)
    var ending = submission.interrupted(cancellation, job: job, cancelResult: cancelResult)
    // A job that could be neither canceled nor recorded as an orphan remains this record's.
    guard
      cancelResult.isSure
        || entry.record.orphans.contains(where: { $0.identity?.number == job.number })
    else { throw ending }
    try record { $0.phase = .accepted }
    if ending.outcome.isLeft {
      ending.outcome.message = leftEmpty
      ending.outcome.isLeft = false
    }
    throw ending
  }

  private var leftEmpty: String {
    "Interrupted. If an empty job remains on \(submission.printer), the next print cancels it."
  }

  /// Makes the error for Ctrl-C while it is unknown if the printer has made the job.
  private func unnumbered() throws(SubmitError) -> SubmitError {
    guard connection.mayHaveAsked else { return submission.interrupted(cancellation) }
    try record(orphan())
    var ending = submission.interrupted(cancellation)
    ending.outcome.message = leftEmpty
    return ending
  }

  /// Throws if `airprint cancel` was called while the printer has no job yet.
  private func checkCancelled() throws(SubmitError) {
    guard entry.isCancelRequested else { return }
    var ending = SubmitError(.canceled, "The job was canceled.")
    ending.outcome.state = .canceled
    throw ending
  }

  /// Records that from here on the printer may print.
  ///
  /// - `search`: for a job without a number.
  func beginSending(_ search: JobSearch? = nil) throws(SubmitError) {
    try record {
      $0.phase = .sending
      $0.search = search
      $0.sides = submission.sides
      $0.impressions = nil
    }
  }

  /// Records that the printer has nothing of the document.
  func retract(_ proof: NothingPrinted) {
    guard entry.record.identity != nil || NothingPrinted(entry.record) == nil else { return }
    try? record { $0.retract(proof) }
  }

  /// Makes the record of the empty job, with the name with which this attempt sent it.
  func orphan(_ job: JobIdentity? = nil) -> JobRecord.Orphan {
    var orphan = entry.record.orphan(job)
    orphan.name = submission.search.name
    return orphan
  }
}

// MARK: - Waiting

extension JobSubmitter {
  /// Waits as long as the printer is busy; false if it was busy until the time was over.
  ///
  /// It may be busy with an empty job of airprint's whose number was lost with an answer (`isCleaned`), and for which
  /// it would wait forever.
  private func wait(_ why: String, isCleaned: Bool) throws(SubmitError) -> Bool {
    if isCleaned, entry.record.phase == .creating, connection.mayHaveAsked { lost = orphan() }
    tell([Trouble(why)])
    var isClean = lost == nil
    let goesOn = progressTimer.wait(cancellation) {
      if entry.isCancelRequested { return true }
      guard
        let line = try? another(timeout: JobSubmitter.statusTimeout, cancellation: cancellation)
      else {
        return false
      }
      isClean = cleanup.clean(own: lost, over: line)
      return isClean && isIdle(over: line)
    }
    if isClean {
      lost = nil
    } else if let own = lost, !entry.record.orphans.contains(own) {
      try record(own)
    }
    try checkCancelled()
    if !goesOn, cancellation.isRaised { throw submission.interrupted(cancellation) }
    return goesOn
  }

  private func isIdle(over line: any JobConnection) -> Bool {
    guard let status = try? status(over: line) else { return false }
    return status.state == .idle
  }

  /// Waits until the printer has all earlier jobs.
  private func awaitTurn() throws(SubmitError) {
    guard let folder = submission.line else { return }
    var isOvertaken = false
    do throws(Failure) {
      let turn = try SpoolTicket(in: folder)
      self.turn = turn
      var progressTimer = ProgressTimer(submission.handling.timeout, clock)
      var before = Int.max
      var next = clock.now()
      while case let others = try turn.others(), others > 0 {
        if others < before { progressTimer.restart() }
        if before == .max {
          // Nothing is sent until its turn has come: it can still be moved.
          if entry.record.phase == .creating { try? record { $0.phase = .accepted } }
        }
        if others != before || clock.now() >= next {
          tell([jobAhead])
          next = clock.now() + .seconds(2)
        }
        before = others
        isOvertaken = progressTimer.isOver
        if isOvertaken { break }
        guard clock.sleep(.milliseconds(50), cancellation), !entry.isCancelRequested else {
          break
        }
      }
    } catch {
      if cancellation.isRaised { throw submission.interrupted(cancellation) }
      throw SubmitError(error.code, error.message)
    }
    if cancellation.isRaised { throw submission.interrupted(cancellation) }
    if isOvertaken { throw overtaken() }
    tell([])
  }
}
