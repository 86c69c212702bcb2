internal import Glibc
internal import IPP
internal import PrintModel
internal import System

extension JobSubmitter {
  /// Sends the whole document with Send-Document, in one chunked request.
  func send(_ document: OpenedDocument, job: JobIdentity) throws(SubmitError) -> JobDelivery.Event {
    do throws(SubmitError) { try beginSending() } catch {
      cancelEmpty(job)
      throw error
    }
    let request = submission.sendDocument(job: job, over: connection)
    return try stream(document, with: request, job: job) { (answer) throws(SubmitError) in
      answered = answer.jobs.first.flatMap(JobStatus.init(reading:))
      try takeIgnored(answer, sentTo: job)
      return .taken(job: job)
    }
  }

  /// Sends Print-Job, for printers without Create-Job: the number comes only with the answer.
  func printJob(_ document: OpenedDocument) throws(SubmitError) -> JobDelivery.Event {
    try validate()
    var search = submission.search
    search.before = listedJobs().map { Set($0.map(\.id)) }
    try beginSending(search)
    let request = submission.wholeJob(.printJob, over: connection)
    return try stream(document, with: request, job: nil) { (answer) throws(SubmitError) in
      maker = connection.connections
      answered = answer.jobs.first.flatMap(JobStatus.init(reading:))
      guard let job = JobIdentity(answer, to: search) else {
        throw SubmitError(
          .forgotten, "\(submission.printer) took the document but gave the job no number.")
      }
      try? record { $0.identity = job }
      report(.created(jobId: job.number))
      try takeIgnored(answer, sentTo: job)
      if cancellation.isRaised {
        throw submission.interrupted(cancellation, job: job, cancelResult: cancel(job))
      }
      return .taken(job: job)
    }
  }

  /// Sends the whole document, and returns the printer's reaction to it.
  ///
  /// - `whenTaken`: judges the answer of a printer that took all of it.
  private func stream(
    _ document: OpenedDocument, with request: Request, job: JobIdentity?,
    whenTaken: (Response) throws(SubmitError) -> JobDelivery.Event
  ) throws(SubmitError) -> JobDelivery.Event {
    var isCanceled = false
    answer = nil
    watchStalls(job) { isCanceled = true }
    if let job {
      connection.whenDocumentBegins = { [unowned self] (number: Int) throws(IPPError) -> Void in
        try self.confirm(job, over: number)
      }
    }
    defer {
      connection.whenStalled = nil
      connection.whenDocumentBegins = nil
    }
    if let refusal = try begin(request, job: job) { return refusal }
    let accepted: Response
    do {
      try write(document, job: job)
    } catch {
      if isCanceled, !cancellation.isRaised { return .withdrawn }
      throw error
    }
    defer { isDelivered = connection.isDelivered }
    do {
      // Without its number, the job can't be canceled.
      let answer = try connection.finish(grace: job == nil ? JobSubmitter.grace : .zero) {
        try? record { $0.phase = .delivered }
      }
      guard let response = answer else { return repeated() }
      if connection.hasEndedDocument { self.answer = response.status }
      guard response.status.isSuccess else {
        return .refused(
          DocumentRefusal(
            ending: submission.refusal(response, job: job), status: response.status,
            nothingSent: NothingPrinted(connection)))
      }
      accepted = response
    } catch {
      if error.kind != .interrupted, isCanceled { return .withdrawn }
      return try judge(error, job: job)
    }
    if connection.hasEndedDocument { return try whenTaken(accepted) }
    let early = job ?? JobIdentity(accepted, to: entry.record.search ?? submission.search)
    guard isAborted(early) else { throw submission.early(job: early) }
    return try whenTaken(accepted)
  }

  /// Gives up a job that was accepted before its document had been; true if the printer had aborted it: it is judged as
  /// any other that it aborts.
  private func isAborted(_ job: JobIdentity?) -> Bool {
    if case .over(let end) = abandon(job) { end.state == .aborted } else { false }
  }

  /// Lets a server that refused the document by HTTP have it again: one that lies has it printed twice, however often
  /// the job is tried.
  private func repeated() -> JobDelivery.Event {
    guard connection.isRefused || connection.hasSentDocument else { return .wantedAgain }
    guard !entry.record.isRepeated, (try? record { $0.isRepeated = true }) != nil else {
      let ending = SubmitError(.refused, "\(submission.printer) asks for the document once more.")
      return .refused(DocumentRefusal(ending: ending, status: nil))
    }
    return .wantedAgain
  }

  /// Asks if the number is still the job's, before its document is sent over another connection than that on which it
  /// was made: a printer that restarted may have given the number to another job.
  ///
  /// It asks over a third one: that for the document exists already, and survives no restart either.
  /// Some printers serve no second connection, or answer no such question: only another job's report ends it.
  private func confirm(_ job: JobIdentity, over number: Int) throws(IPPError) {
    let job = known(job)
    guard number != maker, job.isSure || !job.isNew else { return }
    let line = try? another(timeout: JobSubmitter.statusTimeout, cancellation: cancellation)
    guard case .status(let report)? = try? line?.answer(about: job.number, user: submission.user)
    else { return }
    if job.isContradicted(by: report) {
      throw IPPError(.status(.notFound), "the number is another job's now")
    }
    if job.isThis(report), !report.state.isOver { maker = number }
  }

  /// Sends the request that the document follows; returns the refusal of one that was sent before.
  private func begin(
    _ request: Request, job: JobIdentity?
  ) throws(SubmitError) -> JobDelivery.Event? {
    do {
      try connection.beginDocument(request)
      return nil
    } catch {
      if let unsent = unsent(error, job) { throw unsent }
      guard connection.isRefused, error.kind != .interrupted else {
        throw cutOff(error, job: job)
      }
      return refused(error, job)
    }
  }

  /// The refusal of a document by HTTP alone.
  ///
  /// It is the server's, which may have passed a part of the document on to the printer.
  private func refused(_ error: IPPError, _ job: JobIdentity?) -> JobDelivery.Event {
    .refused(
      DocumentRefusal(
        ending: submission.failure(error, cancellation: cancellation, job: job),
        status: error.status, httpError: error.isHTTPError ? error : nil))
  }

  /// Makes the error for a failure before the first byte of the document, for which its job waits; nil if a byte may
  /// have left.
  private func unsent(_ error: IPPError, _ job: JobIdentity?) -> SubmitError? {
    guard !connection.hasSentDocument else { return nil }
    var waiting: JobStatus?
    let cancelResult = job.map { cancelEmpty($0) { waiting = $0 } }
    let proof = NothingPrinted(connection, waiting: waiting, cancelResult)
    if let proof { retract(proof) }
    guard error.kind != .interrupted else {
      return submission.interrupted(cancellation, job: job, cancelResult: cancelResult)
    }
    let ending = submission.failure(error, cancellation: cancellation, job: job)
    guard proof == nil, job != nil || !listsNoOther else { return ending }
    let end = cancelResult ?? .silence("its number is unknown")
    return .cutShort(Failure(.refused, ending.outcome.message ?? ""), job: job, end)
  }

  /// Judges an error that occurred instead of the printer's answer to the document.
  private func judge(
    _ error: IPPError, job: JobIdentity?
  ) throws(SubmitError) -> JobDelivery.Event {
    if let unsent = unsent(error, job) { throw unsent }
    switch error.kind {
    case .interrupted:
      throw submission.interrupted(cancellation, job: job, cancelResult: cancel(job))
    case .status(.timeout): break
    case .unauthorized, .status: return refused(error, job)
    default: if connection.isRefused { return refused(error, job) }
    }
    // The job may wait for a document that the server did not pass on.
    if error.isHTTPError, connection.hasEndedDocument { return refused(error, job) }
    let hasStalled = hasStalled(error)
    if hasStalled, job != nil, connection.isDelivered {
      try? record { $0.phase = .delivered }
      return .stalled
    }
    guard connection.hasEndedDocument, !hasStalled || job == nil else {
      throw cutOff(error, job: job)
    }
    // An answer that came at once, and can't be read, was recorded as none.
    try? record { $0.phase = .delivered }
    return .lost(error)
  }

  /// Largest number of a plan's lines with the notes that are added to it.
  private static let longestPlan = 100

  /// Sends every byte of the document, or those before the printer's answer.
  ///
  /// A printer whose connection is cut in the middle prints what it has (measured). So whenever the document ends
  /// early, the job is canceled before the connection is cut.
  private func write(_ document: OpenedDocument, job: JobIdentity?) throws(SubmitError) {
    while true {
      let piece: [UInt8]?
      do {
        piece = try document.next()
      } catch {
        throw cutShort(error, job: job)
      }
      for loss in document.stream.takeLosses() {
        if submission.handling.strict { throw cutShort(loss.asFailure, job: job) }
        let note = loss.message
        // Whoever looks at the job later is told, too; of thousands of damaged pages, the first.
        let plan = entry.record.plan
        if !plan.contains(note), plan.count < JobSubmitter.longestPlan {
          try? record { $0.plan.append(note) }
        }
        report(.told(.loss(loss)))
      }
      guard let piece else { return }
      do {
        guard try piece.withUnsafeBytes({ try connection.write($0) }) else { return }
      } catch let error as IPPError {
        throw unsent(error, job) ?? cutOff(error, job: job)
      } catch {
        throw SubmitError(.fault, "\(error)", job: job)
      }
      report(.sending(document.stream.progress))
    }
  }

  /// Returns true if the printer accepted nothing for the time allowed and reported what it waits for; no connection
  /// broke.
  private func hasStalled(_ error: IPPError) -> Bool { error.kind == .silent && !troubles.isEmpty }

  /// Makes the error for a printer that does not accept the rest of the document.
  private func cutOff(_ error: IPPError, job: JobIdentity?) -> SubmitError {
    let cancelResult = abandon(job)
    if case .interrupted = error.kind {
      return submission.interrupted(cancellation, job: job, cancelResult: cancelResult)
    }
    guard let job, hasStalled(error), case .over(let status) = cancelResult,
      status.state == .canceled,
      status.impressions != nil
    else { return submission.broken(error, job: job, cancelResult: cancelResult) }
    var ending = GivenUpJob(cause: .canceled(status))
      .ending(of: submission, job: job, isInDoubt: false, troubles, printerStatus)
    // Another attempt would print these pages twice.
    if ending.outcome.nothingPrinted == nil { ending.outcome.exitCode = .inDoubt }
    return ending
  }

  /// Makes the error for a document that can't be drawn completely.
  private func cutShort(_ failure: Failure, job: JobIdentity?) -> SubmitError {
    guard connection.hasSentDocument else {
      if let job { cancelEmpty(job) }
      return SubmitError(failure.code, failure.message, job: job)
    }
    let cancelResult = abandon(job)
    return cancellation.isRaised
      ? submission.interrupted(cancellation, job: job, cancelResult: cancelResult)
      : .cutShort(failure, job: job, cancelResult)
  }

  /// Cancels the job, and cuts the connection before the wait for its end: some printers first want the rest.
  private func abandon(_ job: JobIdentity?) -> CancelResult {
    defer { connection.shutDown() }
    return cancel(job) { _ in connection.shutDown() }
  }

  /// While the printer accepts no data, reports the reason, requested every two seconds, and checks if another process
  /// canceled the job.
  ///
  /// A printer accepts no more data of such a job, or only at the speed of its paper: then the connection is cut.
  private func watchStalls(_ job: JobIdentity?, whenCanceled: @escaping () -> Void) {
    var asked = clock.now()
    var nextTry = asked
    var isOver = false
    connection.whenStalled = { [unowned self] in
      if let job, !isOver, entry.isCancelRequested, clock.now() >= nextTry {
        if cancel(job, whenAccepted: { _ in connection.shutDown() }).isSure {
          isOver = true
          whenCanceled()
          return connection.shutDown()
        }
        nextTry = clock.now() + .seconds(2)
      }
      let now = clock.now()
      guard asked.duration(to: now) >= .seconds(2) else { return }
      asked = now
      reportPrinter()
    }
  }
}

// MARK: - Requests during the document

extension JobSubmitter {
  /// Cancels the job over a separate connection, within a few seconds, whatever state the printer is in.
  func cancel(
    _ job: JobIdentity?, whenAccepted: (JobStatus) -> Void = { _ in }
  ) -> CancelResult {
    guard let job else { return .silence("its number is unknown") }
    var problem = ""
    // An answer that got lost is asked for once more.
    for _ in 0..<2 {
      do {
        let cancelResult = try another(
          timeout: JobSubmitter.cancelTimeout, cancellation: .ofCleaning
        )
        .cancel(
          known(job), user: submission.user, clock: clock, .ofCleaning, whenAccepted: whenAccepted
        )
        if case .over(let end) = cancelResult { return .over(weighed(end, of: job)) }
        return cancelResult
      } catch {
        problem = error.message
        if error.kind == .untrusted { barrier = error }
        if error.kind == .silent { break }
      }
    }
    let text = "The job could not be canceled on \(submission.printer): \(problem)."
    if notes.insert(text).inserted { report(.note(text)) }
    return .silence(problem)
  }

  /// Cancels a job that has nothing of its document, or records that it may remain: it blocks some printers.
  @discardableResult
  func cancelEmpty(
    _ job: JobIdentity, whenAccepted: (JobStatus) -> Void = { _ in }
  ) -> CancelResult {
    let cancelResult = cancel(job, whenAccepted: whenAccepted)
    if !cancelResult.isSure { try? record(orphan(job)) }
    return cancelResult
  }

  /// Records an empty job that may remain at the printer.
  ///
  /// If the disk is full, the next thing that is recorded of this job takes it along.
  func record(_ orphan: JobRecord.Orphan) throws(SubmitError) {
    entry.keep { $0.orphans.append(orphan) }
    try record { _ in }
  }

  /// Asks once what the printer calls a job that it has just made, over the same connection, if it has not stated what
  /// identifies it: over another one, a job that it has renamed can't be told from others, nor canceled.
  func identify(_ job: JobIdentity) {
    guard !job.isKnown else { return }
    let timeout = connection.timeout
    connection.timeout = min(timeout, JobSubmitter.statusTimeout)
    defer { connection.timeout = timeout }
    let answer = try? connection.answer(about: job, user: submission.user, maker: maker)
    guard case .status(let status)? = answer else { return }
    // Written together with the phase that the document begins.
    entry.keep { $0.identity = job.noting(status) }
  }

  /// Requests the state of a job; a silent or busy printer is asked for a while.
  func ask(about job: JobIdentity) throws(SubmitError) -> JobAnswer {
    var line: (any JobConnection)? = connection
    return try askAgain(job) { () throws(SubmitError) in
      let answer = try poll(job, over: &line)
      if case .silence = answer { return nil }
      return answer
    } ?? .silence("no answer")
  }

  /// Asks before Print-Job: once the printer has the document, its refusal is no proof that nothing was printed.
  private func validate() throws(SubmitError) {
    guard let response = try submission.validate(over: connection, cancellation) else { return }
    try takeIgnored(response)
  }

  /// Finds the job of a Print-Job without an answer, by Get-Jobs.
  func findJob() throws(SubmitError) -> JobIdentity? {
    let listed = try askAgain(nil) { () throws(SubmitError) in listedJobs() }
    return listed.flatMap { entry.record.search?.job(among: $0) }
  }

  private func listedJobs() -> [JobStatus]? {
    try? another(timeout: JobSubmitter.pollTimeout, cancellation: cancellation)
      .listedJobs(user: submission.user)
  }

  /// True if the printer lists no job that it did not list before the Print-Job: no proof, but as its server refused the
  /// document before it was whole, and did nothing with it, what is to be done next counts.
  private var listsNoOther: Bool {
    guard let before = entry.record.search?.before, let listed = listedJobs() else { return false }
    return before.isSuperset(of: listed.map(\.id))
  }

  /// Asks until there is an answer, for at most a minute; nil if there is none.
  private func askAgain<Answer>(
    _ job: JobIdentity?, _ ask: () throws(SubmitError) -> Answer?
  ) throws(SubmitError) -> Answer? {
    var progressTimer = ProgressTimer(
      min(submission.handling.timeout ?? .seconds(60), .seconds(60)), clock)
    repeat {
      if let answer = try ask() { return answer }
    } while progressTimer.wait(cancellation)
    guard cancellation.isRaised else { return nil }
    throw submission.interrupted(cancellation, job: job, cancelResult: cancel(job))
  }

  /// Makes another connection to the same printer.
  ///
  /// The cleanup after an interruption has its own `Cancellation`.
  func another(
    timeout: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection {
    try connection.another(
      at: entry.record.addresses, timeout: timeout, cancellation: cancellation)
  }
}
