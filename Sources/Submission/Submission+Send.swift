internal import IPP
internal import PrintModel
internal import Threading

extension Submission {
  /// Send-Document: the whole document in one chunked request.
  func send(_ document: any DocumentStream, job: Int) throws(Ending) {
    try record { $0.phase = .sending }
    let response = try stream(
      document, with: order.sendDocument(job: job, over: connection), job: job)
    guard let response else { return }
    guard response.status.isSuccess else {
      cancel(job)
      throw order.refusal(response, job: job)
    }
  }

  /// Print-Job, for printers without Create-Job: the number comes only with the answer.
  func printJob(_ document: any DocumentStream) throws(Ending) -> Int {
    try record { $0.phase = .sending }
    let request = order.printJob(over: connection)
    guard let response = try stream(document, with: request, job: nil) else {
      throw Ending(.inDoubt, lostAnswer)
    }
    guard response.status.isSuccess else { throw order.refusal(response) }
    guard let job = response.jobs.first?.number("job-id"), job > 0 else {
      throw Ending(.forgotten, "\(order.printer) took the document but gave the job no number.")
    }
    try record { $0.jobId = job }
    report(.created(jobId: job))
    return job
  }

  private var lostAnswer: String {
    "The connection to \(order.printer) broke after the whole document was sent; it may have printed."
  }

  /// Sends the document. nil when every byte has left and only the answer was lost: then the job's own
  /// state tells what became of it.
  private func stream(
    _ document: any DocumentStream, with request: Request, job: Int?
  ) throws(Ending) -> Response? {
    watchStalls()
    defer { connection.whenStalled = nil }
    do {
      try connection.beginDocument(request)
    } catch {
      let isCanceled = job.map(cancel)
      if case .interrupted = error.kind {
        throw order.interrupted(interruption, job: job, isCanceled: isCanceled)
      }
      throw order.failure(error, interruption: interruption, job: job)
    }
    let isWhole = try pour(document, job: job)
    do {
      return try connection.finish()
    } catch {
      if case .interrupted = error.kind {
        throw order.interrupted(interruption, job: job, isCanceled: job.map(cancel) ?? false)
      }
      if error.kind == .unauthorized || error.kind == .nonsense {
        throw order.failure(error, interruption: interruption, job: job)
      }
      guard isWhole, connection.hasEndedDocument else { throw broken(error, job: job) }
      return nil
    }
  }

  /// The connection broke before the document's end: what has arrived may print, as if it were all.
  private func broken(_ error: IPPError, job: Int?) -> Ending {
    _ = abandon(job)
    return Ending(
      .inDoubt,
      "The connection to \(order.printer) broke while the document was on its way "
        + "(\(error.message)). Part of it may have printed; it is not sent again.", job: job)
  }

  /// Every byte of the document; false when the printer answered before the last. A printer that is cut off in the middle prints what it has (protocol
  /// §4.5), so whenever the document ends early the job is cancelled before the connection is cut.
  private func pour(_ document: any DocumentStream, job: Int?) throws(Ending) -> Bool {
    while true {
      let piece: [UInt8]?
      do {
        piece = try document.next()
      } catch {
        let isCanceled = abandon(job)
        if interruption.isRaised {
          throw order.interrupted(interruption, job: job, isCanceled: isCanceled)
        }
        throw Ending(error.code, error.message, job: job)
      }
      guard let piece else { return true }
      do {
        guard try piece.withUnsafeBytes({ try connection.write($0) }) else { return false }
      } catch let error as IPPError {
        if case .interrupted = error.kind {
          throw order.interrupted(interruption, job: job, isCanceled: abandon(job))
        }
        throw broken(error, job: job)
      } catch {
        throw Ending(.fault, "\(error)", job: job)
      }
      report(.sending(document.progress))
    }
  }

  /// Takes the job back and cuts the connection; whether the printer agreed.
  private func abandon(_ job: Int?) -> Bool {
    let isCanceled = job.map(cancel) ?? false
    connection.shutDown()
    return isCanceled
  }

  /// Cancels the job over a connection of its own, within a few seconds, whatever state the printer is
  /// in. True when the printer said yes.
  @discardableResult
  func cancel(_ job: Int) -> Bool {
    do {
      let second = try another(patience: .seconds(3), interruption: Interruption())
      return try second.exchange(order.cancelJob(job, at: second.uri)).status.isSuccess
    } catch {
      report(.note("The job could not be cancelled at \(order.printer): \(error.message)."))
      return false
    }
  }

  /// Another connection to the same printer. What cleans up after an interruption has one of its own.
  func another(
    patience: Duration, interruption: Interruption
  ) throws(IPPError) -> Connection {
    try Connection(
      to: connection.uri, at: [connection.address].compactMap { $0 }, patience: patience,
      interruption: interruption)
  }

  /// While the printer takes no byte, says what holds it up, asked every two seconds.
  private func watchStalls() {
    var asked = ContinuousClock.now
    connection.whenStalled = { [unowned self] in
      guard asked.duration(to: .now) >= .seconds(2) else { return }
      asked = .now
      reportPrinter()
    }
  }
}
