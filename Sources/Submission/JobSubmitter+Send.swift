internal import Glibc
internal import IPP
internal import PrintModel
internal import System

extension JobSubmitter {
  /// Sends the whole document with Send-Document, in one chunked request.
  func send(_ document: OpenedDocument, job: Int) throws(SubmitError) -> JobDelivery.Event {
    do throws(SubmitError) { try beginSending() } catch {
      cancel(job)
      throw error
    }
    switch try stream(document, with: submission.sendDocument(job: job, over: connection), job: job)
    {
    case .taken: return .taken(job: job)
    case .canceled: return .takenBack
    case .refused(let refusal): return .refused(refusal)
    case .lost: return .lost
    case .stalled: return .stalled
    }
  }

  /// Sends Print-Job, for printers without Create-Job: the number comes only with the answer.
  func printJob(_ document: OpenedDocument) throws(SubmitError) -> JobDelivery.Event {
    try beginSending()
    let response: Response
    switch try stream(document, with: submission.printJob(over: connection), job: nil) {
    case .taken(let answer): response = answer
    case .refused(let refusal): return .refused(refusal)
    case .lost, .canceled, .stalled: return .lost
    }
    guard let job = response.jobs.first?.number("job-id"), job > 0 else {
      throw SubmitError(
        .forgotten, "\(submission.printer) took the document but gave the job no number.")
    }
    try? record { $0.jobId = job }
    report(.created(jobId: job))
    if cancellation.isRaised {
      throw submission.interrupted(cancellation, job: job, fate: cancel(job))
    }
    return .taken(job: job)
  }

  /// A printer's reaction to a document.
  private enum DocumentAnswer {
    case taken(Response)
    case refused(DocumentRefusal)
    /// Every byte was sent, but no answer arrived.
    case lost
    /// The printer has every byte, and has reported why it stopped; the time is over.
    case stalled
    /// `airprint cancel` withdrew the job in the meantime: its end is watched, without sending the rest.
    case canceled
  }

  private func stream(
    _ document: OpenedDocument, with request: Request, job: Int?
  ) throws(SubmitError) -> DocumentAnswer {
    var isCanceled = false
    watchStalls(job) { isCanceled = true }
    defer { connection.whenStalled = nil }
    try begin(request, job: job)
    let isWhole: Bool
    do {
      isWhole = try pour(document, job: job)
    } catch {
      if isCanceled, !cancellation.isRaised { return .canceled }
      throw error
    }
    defer { isDelivered = connection.isDelivered }
    do {
      // Without its number, the job can't be canceled.
      let response = try connection.finish(grace: job == nil ? JobSubmitter.grace : .zero) {
        try? record { $0.phase = .delivered }
      }
      return response.status.isSuccess
        ? .taken(response)
        : .refused(
          DocumentRefusal(ending: submission.refusal(response, job: job), status: response.status))
    } catch {
      if error.kind != .interrupted, isCanceled { return .canceled }
      return try judge(error, job: job, isWhole: isWhole)
    }
  }

  /// Sends the request that the document follows.
  private func begin(_ request: Request, job: Int?) throws(SubmitError) {
    do {
      try connection.beginDocument(request)
    } catch {
      // The request itself failed: nothing of the document has been sent.
      let fate = job.map { cancel($0) }
      wasRefused(job, fate)
      if case .interrupted = error.kind {
        throw submission.interrupted(cancellation, job: job, fate: fate)
      }
      throw submission.failure(error, cancellation: cancellation, job: job)
    }
  }

  /// Judges an error that occurred instead of the printer's answer to the document.
  private func judge(
    _ error: IPPError, job: Int?, isWhole: Bool
  ) throws(SubmitError) -> DocumentAnswer {
    if case .interrupted = error.kind {
      let fate = job.map { cancel($0) } ?? .unknown
      throw submission.interrupted(
        cancellation, job: job, fate: fate,
        impressions: fate.isCanceled ? job.flatMap(impressions) : nil)
    }
    switch error.kind {
    case .status(.timeout): break
    case .unauthorized, .status:
      return .refused(
        DocumentRefusal(
          ending: submission.failure(error, cancellation: cancellation, job: job),
          status: error.status))
    default: break
    }
    let hasStalled = hasStalled(error)
    if hasStalled, job != nil, connection.isDelivered { return .stalled }
    guard isWhole, connection.hasEndedDocument, !hasStalled || job == nil else {
      throw cutOff(error, job: job)
    }
    // An answer that came at once, and can't be read, was recorded as none.
    try? record { $0.phase = .delivered }
    return .lost
  }

  /// Largest number of a plan's lines with the notes that are added to it.
  private static let longestPlan = 100

  /// Sends every byte of the document; false if the printer answered before the last one.
  ///
  /// A printer whose connection is cut in the middle prints what it has (measured). So whenever the document ends
  /// early, the job is canceled before the connection is cut.
  private func pour(_ document: OpenedDocument, job: Int?) throws(SubmitError) -> Bool {
    while true {
      let piece: [UInt8]?
      do {
        piece = try document.next()
      } catch {
        throw cutShort(document, error, job: job)
      }
      for note in document.stream.takeNotes() {
        if submission.handling.strict {
          throw cutShort(document, Failure(.document, "--strict: \(note)"), job: job)
        }
        // Whoever looks at the job later is told, too; of thousands of damaged pages, the first.
        let plan = entry.record.plan
        if !plan.contains(note), plan.count < JobSubmitter.longestPlan {
          try? record { $0.plan.append(note) }
        }
        report(.note(note))
      }
      guard let piece else { return true }
      do {
        guard try piece.withUnsafeBytes({ try connection.write($0) }) else { return false }
      } catch let error as IPPError {
        if case .interrupted = error.kind {
          let fate = abandon(job)
          throw submission.interrupted(
            cancellation, job: job, fate: fate,
            impressions: fate.isCanceled ? job.flatMap(impressions) : nil)
        }
        throw cutOff(error, job: job)
      } catch {
        throw SubmitError(.fault, "\(error)", job: job)
      }
      report(.sending(document.stream.progress))
    }
  }

  /// Returns true if the printer accepted nothing for the time allowed and reported what it waits for; no connection
  /// broke.
  private func hasStalled(_ error: IPPError) -> Bool { error.kind == .silent && !lastWords.isEmpty }

  /// Makes the error for a printer that does not accept the rest of the document.
  private func cutOff(_ error: IPPError, job: Int?) -> SubmitError {
    let fate = abandon(job)
    guard let job, hasStalled(error), fate.isCanceled, let count = countAfterCanceling(job) else {
      return submission.broken(error, job: job, fate: fate)
    }
    var ending = GivenUpJob(outcome: .canceled, last: nil, impressions: count)
      .ending(of: submission, job: job, isInDoubt: false, lastWords, printerStatus)
    // Another attempt would print these pages twice.
    if count > 0 { ending.outcome.exitCode = .inDoubt }
    return ending
  }

  /// Makes the error for a document that can't be drawn completely.
  private func cutShort(
    _ document: OpenedDocument, _ failure: Failure, job: Int?
  ) -> SubmitError {
    // The pages of a file that is sent unchanged are not counted.
    let hasSentPages =
      document.stream.progress.sides > 0 || submission.ticket.isPassedThrough
    let fate = abandon(job)
    if cancellation.isRaised {
      return submission.interrupted(
        cancellation, job: job, fate: fate, impressions: job.flatMap(impressions))
    }
    // A printer may have put out a page of which it has only a part.
    let impressions = job.flatMap(countAfterCanceling)
    return .cutShort(failure, job: job, hasSentPages: hasSentPages, fate, impressions)
  }

  /// Returns the printer's count of sheet sides for a canceled job, once that has ended.
  ///
  /// nil if the printer does not report it, or if the job has not ended after a few seconds, so that more sheets may
  /// follow.
  private func countAfterCanceling(_ job: Int) -> Int? {
    guard let line = try? another(patience: JobSubmitter.cancelPatience, cancellation: .ofCleaning)
    else {
      return nil
    }
    var patience = RetryTimer(.seconds(5), clock)
    repeat {
      guard let status = try? line.status(ofJob: job, user: submission.user) else { return nil }
      if status.state.isOver { return status.impressions }
    } while patience.wait(.ofCleaning)
    return nil
  }

  /// Cancels the job and cuts the connection.
  private func abandon(_ job: Int?) -> CancelResult {
    let fate = job.map { cancel($0) } ?? .unknown
    connection.shutDown()
    return fate
  }

  /// While the printer accepts no data, reports the reason, requested every two seconds, and checks if another process
  /// canceled the job.
  ///
  /// A printer accepts no more data of such a job, or only at the speed of its paper: then the connection is cut.
  private func watchStalls(_ job: Int?, whenCanceled: @escaping () -> Void) {
    var asked = clock.now()
    var nextTry = asked
    var isOver = false
    connection.whenStalled = { [unowned self] in
      if let job, !isOver, entry.isCancelRequested, clock.now() >= nextTry {
        switch cancel(job) {
        case .canceled, .over:
          isOver = true
          whenCanceled()
          return connection.shutDown()
        case .unknown: nextTry = clock.now() + .seconds(2)
        }
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
  @discardableResult
  func cancel(_ job: Int) -> CancelResult {
    do {
      let second = try another(patience: JobSubmitter.cancelPatience, cancellation: .ofCleaning)
      if try second.exchange(.cancelJob(job, at: second.uri, user: submission.user)).status
        .isSuccess
      {
        return .canceled
      }
      // Usually it can't be canceled because it has ended.
      if let status = try second.status(ofJob: job, user: submission.user), status.state.isOver {
        return .over(status)
      }
      return .unknown
    } catch {
      let text = "The job could not be canceled on \(submission.printer): \(error.message)."
      if notes.insert(text).inserted { report(.note(text)) }
      return .unknown
    }
  }

  /// Requests the state of a job; a silent or busy printer is asked for a while.
  func ask(about job: Int) throws(SubmitError) -> JobAnswer {
    var line: (any JobConnection)? = connection
    return try askAgain(job) { () throws(SubmitError) in
      let answer = try poll(job, over: &line)
      if case .silence = answer { return nil }
      return answer
    } ?? .silence("no answer")
  }

  /// Finds the job of a Print-Job without an answer, by Get-Jobs.
  func findJob(sentAt start: ContinuousClock.Instant) throws(SubmitError) -> UnnumberedJob {
    let found = try askAgain(nil) { () throws(SubmitError) -> UnnumberedJob? in
      // A job that ends between the two requests is in the second list.
      guard let open = jobs("not-completed"), let over = jobs("completed") else { return nil }
      let age = start.duration(to: clock.now()) / .seconds(1)
      return UnnumberedJob(
        named: submission.sentName, of: submission.sentUser, age: age, open: open, over: over)
    }
    return found ?? .unknown
  }

  /// Requests a list of jobs; nil if the printer does not report it, or not in a readable form.
  private func jobs(_ which: String) -> [JobStatus]? {
    guard let line = try? another(patience: JobSubmitter.pollPatience, cancellation: cancellation),
      let response = try? line.exchange(.getJobs(which, at: line.uri, user: submission.user)),
      response.status.isSuccess
    else { return nil }
    let jobs = response.jobs.compactMap(JobStatus.init(reading:))
    return jobs.count == response.jobs.count ? jobs : nil
  }

  /// Asks until there is an answer, for at most a minute; nil if there is none.
  private func askAgain<Answer>(
    _ job: Int?, _ ask: () throws(SubmitError) -> Answer?
  ) throws(SubmitError) -> Answer? {
    var patience = RetryTimer(min(submission.handling.timeout ?? .seconds(60), .seconds(60)), clock)
    repeat {
      if let answer = try ask() { return answer }
    } while patience.wait(cancellation)
    guard cancellation.isRaised else { return nil }
    throw submission.interrupted(cancellation, job: job, fate: job.map { cancel($0) } ?? .unknown)
  }

  /// Makes another connection to the same printer.
  ///
  /// The cleanup after an interruption has its own `Cancellation`.
  func another(
    patience: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection {
    try connection.another(
      at: entry.record.addresses, patience: patience, cancellation: cancellation)
  }
}
