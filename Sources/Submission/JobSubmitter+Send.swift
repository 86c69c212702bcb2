internal import Glibc
internal import IPP
internal import PrintModel
internal import System

extension JobSubmitter {
  /// Send-Document: the whole document in one chunked request.
  func send(_ document: OpenedDocument, job: Int) throws(SubmitError) {
    do throws(SubmitError) { try beginSending() } catch {
      cancel(job)
      throw error
    }
    let request = order.sendDocument(job: job, over: connection)
    switch try stream(document, with: request, job: job) {
    case .taken: return
    case .refused(let refusal): throw try refused(refusal, job)
    case .lost:
      throw try settled(job, lostAnswer)
    }
  }

  /// Print-Job, for printers without Create-Job: the number comes only with the answer.
  func printJob(_ document: OpenedDocument) throws(SubmitError) -> Int {
    let begun = clock.now()
    try beginSending()
    let request = order.printJob(over: connection)
    let response: Response
    switch try stream(document, with: request, job: nil) {
    case .taken(let answer): response = answer
    case .refused(let refusal): throw try refused(refusal, begun: begun)
    case .lost:
      guard case .number(let job) = try findJob(begun: begun) else {
        throw SubmitError(.inDoubt, lostAnswer.sentence)
      }
      throw try settled(job, lostAnswer)
    }
    guard let job = response.jobs.first?.number("job-id"), job > 0 else {
      throw SubmitError(
        .forgotten, "\(order.printer) took the document but gave the job no number.")
    }
    try? record { $0.jobId = job }
    report(.created(jobId: job))
    if cancellation.isRaised {
      throw order.interrupted(cancellation, job: job, fate: cancel(job))
    }
    return job
  }

  /// A refusal of the document. It stands, and may be mended by another attempt, only where the printer
  /// shows that it has nothing of the document; else the job is followed to its end, as after an answer
  /// that was lost.
  private func refused(_ refusal: DocumentRefusal, _ job: Int) throws(SubmitError) -> SubmitError {
    let answer = try ask(about: job)
    if refusal.isBorneOut(by: answer) {
      let fate: CancelResult? =
        if case .status(let status) = answer, !status.state.isOver { cancel(job) } else { nil }
      if fate.map(refusal.isBorneOut(by:)) ?? true {
        wasRefused(job, fate)
        return refusal.ending
      }
    }
    return try settled(job, doubt(refusal))
  }

  /// The same for Print-Job, whose job has no number yet.
  private func refused(
    _ refusal: DocumentRefusal, begun: ContinuousClock.Instant
  ) throws(SubmitError) -> SubmitError {
    switch try findJob(begun: begun) {
    case .number(let job):
      try? record { $0.jobId = job }
      return try refused(refusal, job)
    case .none:
      wasRefused(nil, nil)
      return refusal.ending
    case .unknown: return SubmitError(.inDoubt, doubt(refusal).sentence)
    }
  }

  /// The reason it is not known whether the printer has the document.
  private struct Doubt {
    var what: String
    var sentence: String
  }

  private func doubt(_ refusal: DocumentRefusal) -> Doubt {
    let words = refusal.status.map { " (\($0))" } ?? ""
    return Doubt(
      what: "it refused the document",
      sentence:
        "\(order.printer) refused the document\(words) after it had been sent, and does not show that it "
        + "has nothing of it: it may have printed, and is not sent again.")
  }

  private var lostAnswer: Doubt {
    Doubt(
      what: "its answer was lost",
      sentence:
        "The connection to \(order.printer) broke after the document was sent, before it answered; it "
        + "may have printed.")
  }

  /// The answer was lost after the last byte had left, or was a refusal that nothing bears out: what the
  /// printer makes of the job tells whether that byte arrived. A printer prints what it has, be it whole
  /// or not, and calls both completed; so its count of sheets has to be right too.
  private func settled(_ job: Int, _ doubt: Doubt) throws(SubmitError) -> SubmitError {
    isInDoubt = true
    var ending = SubmitError(.inDoubt, doubt.sentence, job: job)
    report(.waiting(["\(doubt.what); asking what became of the job"]))
    let outcome: JobOutcome
    do { outcome = try watch(job) } catch {
      // Nobody could say, within the time or before Ctrl-C.
      if cancellation.isRaised { throw error }
      outcome = error.outcome
    }
    ending.outcome.state = outcome.state
    ending.outcome.reasons = outcome.reasons
    ending.outcome.impressions = outcome.impressions
    switch outcome.exitCode {
    case .success:
      if isDelivered, let sides = order.sides, sides > 0, outcome.impressions ?? 0 >= sides {
        report(
          .note("\(order.printer) has printed all \(sides) pages, although \(doubt.what)."))
        return SubmitError(outcome)
      }
      let count = outcome.impressions.map { $0 > 0 ? "\($0) impressions" : nil } ?? nil
      ending.outcome.message =
        "\(doubt.sentence) The printer calls the job completed"
        + (count.map { " with \($0)" } ?? "") + ", which does not say that it had all of it."
    case .aborted, .canceled: return SubmitError(outcome)
    default: ending.outcome.message = "\(doubt.sentence) \(outcome.message ?? "")"
    }
    return ending
  }

  /// A printer's judgment of a document that was sent to it.
  private enum DocumentAnswer {
    case taken(Response)
    case refused(DocumentRefusal)
    /// Every byte has left, and the answer did not come.
    case lost
  }

  private func stream(
    _ document: OpenedDocument, with request: Request, job: Int?
  ) throws(SubmitError) -> DocumentAnswer {
    watchStalls()
    defer { connection.whenStalled = nil }
    do {
      try connection.beginDocument(request)
    } catch {
      // The request itself did not get there: nothing of the document has left.
      let fate = job.map { cancel($0) }
      wasRefused(job, fate)
      if case .interrupted = error.kind {
        throw order.interrupted(cancellation, job: job, fate: fate)
      }
      throw order.failure(error, cancellation: cancellation, job: job)
    }
    let isWhole = try pour(document, job: job)
    defer { isDelivered = connection.isDelivered }
    do {
      // Without a number nothing can be canceled.
      let response = try connection.finish(grace: job == nil ? JobSubmitter.grace : .zero) {
        try? record { $0.phase = .delivered }
      }
      return response.status.isSuccess
        ? .taken(response)
        : .refused(
          DocumentRefusal(ending: order.refusal(response, job: job), status: response.status))
    } catch {
      if case .interrupted = error.kind {
        throw order.interrupted(cancellation, job: job, fate: job.map { cancel($0) } ?? .unknown)
      }
      switch error.kind {
      case .status(.timeout): break
      case .unauthorized, .status:
        return .refused(
          DocumentRefusal(
            ending: order.failure(error, cancellation: cancellation, job: job),
            status: error.status))
      default: break
      }
      guard isWhole, connection.hasEndedDocument else { throw broken(error, job: job) }
      return .lost
    }
  }

  /// The connection broke before the document's end: what has arrived may print, as if it were all.
  private func broken(_ error: IPPError, job: Int?) -> SubmitError {
    let fate = abandon(job)
    var ending = SubmitError(
      .inDoubt,
      "The connection to \(order.printer) broke while the document was being sent "
        + "(\(error.message)). Part of it may have printed; it is not sent again.", job: job)
    if fate.isCanceled { ending.outcome.state = .canceled }
    if case .over(let status) = fate {
      ending.outcome.state = status.state
      ending.outcome.impressions = status.impressions
    }
    return ending
  }

  /// Every byte of the document; false when the printer answered before the last. A printer that is cut
  /// off in the middle prints what it has (measured), so whenever the document ends early the job
  /// is canceled before the connection is cut.
  private func pour(_ document: OpenedDocument, job: Int?) throws(SubmitError) -> Bool {
    while true {
      let piece: [UInt8]?
      do {
        piece = try document.next()
      } catch {
        throw cutShort(document, error, job: job)
      }
      for note in document.stream.takeNotes() {
        if order.isStrict {
          throw cutShort(document, Failure(.document, "--strict: \(note)"), job: job)
        }
        report(.note(note))
      }
      guard let piece else { return true }
      do {
        guard try piece.withUnsafeBytes({ try connection.write($0) }) else { return false }
      } catch let error as IPPError {
        if case .interrupted = error.kind {
          throw order.interrupted(cancellation, job: job, fate: abandon(job))
        }
        throw broken(error, job: job)
      } catch {
        throw SubmitError(.fault, "\(error)", job: job)
      }
      report(.sending(document.stream.progress))
    }
  }

  /// The document can't be drawn to its end. With the job canceled before it, a printer that has no whole
  /// page has nothing that it could print; a page that it has may be out, counted or not.
  private func cutShort(
    _ document: OpenedDocument, _ failure: Failure, job: Int?
  ) -> SubmitError {
    let hasSentPages = document.stream.progress.sides > 0
    let fate = abandon(job)
    if cancellation.isRaised { return order.interrupted(cancellation, job: job, fate: fate) }
    guard hasSentPages || !fate.isCanceled else {
      var ending = SubmitError(
        failure.code, "\(failure.message) Nothing of it is printed.", job: job)
      ending.outcome.state = .canceled
      return ending
    }
    let impressions = hasSentPages ? job.flatMap(countAfterCanceling) : nil
    var ending = SubmitError(
      .inDoubt, "\(failure.message) Part of it may have printed.", job: job)
    if let impressions, impressions > 0 {
      ending.outcome.message =
        "\(failure.message) \(impressions == 1 ? "1 page" : "\(impressions) pages") of it came out before "
        + (fate.isCanceled ? "that; the rest is canceled." : "that.")
    }
    ending.outcome.impressions = impressions
    if fate.isCanceled { ending.outcome.state = .canceled }
    return ending
  }

  /// The sheet sides that a printer counts of a job which was canceled, once it is over; after a few seconds
  /// as many as there are then. nil: it does not say.
  private func countAfterCanceling(_ job: Int) -> Int? {
    guard let line = try? another(patience: .seconds(3), cancellation: .ofCleaning) else {
      return nil
    }
    var impressions: Int?
    var patience = RetryTimer(.seconds(5), clock)
    repeat {
      let request = Request.getJobAttributes(job, at: line.uri, user: order.user)
      guard let status = (try? line.exchange(request))?.job(job) else { return impressions }
      impressions = status.impressions ?? impressions
      if status.state.isOver { return impressions }
    } while patience.wait(.ofCleaning)
    return impressions
  }

  /// Takes the job back and cuts the connection.
  private func abandon(_ job: Int?) -> CancelResult {
    let fate = job.map { cancel($0) } ?? .unknown
    connection.shutDown()
    return fate
  }

  /// While the printer takes no byte, says what holds it up, asked every two seconds.
  private func watchStalls() {
    var asked = clock.now()
    connection.whenStalled = { [unowned self] in
      let now = clock.now()
      guard asked.duration(to: now) >= .seconds(2) else { return }
      asked = now
      reportPrinter()
    }
  }
}

// MARK: - Beside the document

extension JobSubmitter {
  /// Cancels the job over a connection of its own, within a few seconds, whatever state the printer is
  /// in.
  @discardableResult
  func cancel(_ job: Int) -> CancelResult {
    do {
      let second = try another(patience: .seconds(3), cancellation: .ofCleaning)
      if try second.exchange(.cancelJob(job, at: second.uri, user: order.user)).status.isSuccess {
        return .canceled
      }
      // It can't be canceled because it is over, as a rule.
      let response = try second.exchange(.getJobAttributes(job, at: second.uri, user: order.user))
      if let status = response.job(job), status.state.isOver {
        return .over(status)
      }
      return .unknown
    } catch {
      report(.note("The job could not be canceled on \(order.printer): \(error.message)."))
      return .unknown
    }
  }

  /// State of a job now; a printer that is silent or busy is asked for a while.
  private func ask(about job: Int) throws(SubmitError) -> JobAnswer {
    var line: (any PrinterLine)? = connection
    return try askAgain(job) { () throws(SubmitError) in
      let answer = try poll(job, over: &line)
      if case .silence = answer { return nil }
      return answer
    } ?? .silence("no answer")
  }

  /// The job that a Print-Job without an answer has become, by Get-Jobs.
  private func findJob(begun: ContinuousClock.Instant) throws(SubmitError) -> UnnumberedJob {
    let found = try askAgain(nil) { () throws(SubmitError) -> UnnumberedJob? in
      // One that ends in between is in the second list.
      guard let open = jobs("not-completed"), let over = jobs("completed") else { return nil }
      let age = begun.duration(to: clock.now()) / .seconds(1)
      return UnnumberedJob(named: order.sentName, age: age, open: open, over: over)
    }
    return found ?? .unknown
  }

  /// nil when the printer does not say, or says it in a way that can't be read.
  private func jobs(_ which: String) -> [JobStatus]? {
    guard let line = try? another(patience: .seconds(5), cancellation: cancellation),
      let response = try? line.exchange(.getJobs(which, at: line.uri, user: order.user)),
      response.status.isSuccess
    else { return nil }
    let jobs = response.jobs.compactMap(JobStatus.init(reading:))
    return jobs.count == response.jobs.count ? jobs : nil
  }

  /// Asks until there is an answer, a minute at most; nil when there is none.
  private func askAgain<Answer>(
    _ job: Int?, _ ask: () throws(SubmitError) -> Answer?
  ) throws(SubmitError) -> Answer? {
    var patience = RetryTimer(min(order.timeout ?? .seconds(60), .seconds(60)), clock)
    repeat {
      if let answer = try ask() { return answer }
    } while patience.wait(cancellation)
    guard cancellation.isRaised else { return nil }
    throw order.interrupted(cancellation, job: job, fate: job.map { cancel($0) } ?? .unknown)
  }

  /// Another connection to the same printer. What cleans up after an interruption has one of its own.
  func another(
    patience: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any PrinterLine {
    try connection.another(
      at: journal.record.addresses, patience: patience, cancellation: cancellation)
  }
}
