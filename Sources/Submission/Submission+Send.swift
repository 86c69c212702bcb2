internal import Glibc
internal import IPP
internal import PrintModel
internal import Threading

extension Submission {
  /// Send-Document: the whole document in one chunked request.
  func send(_ document: OpenedDocument, job: Int) throws(Ending) {
    do throws(Ending) { try beginSending() } catch {
      cancel(job)
      throw error
    }
    let request = order.sendDocument(job: job, over: connection)
    guard let response = try stream(document, with: request, job: job) else {
      throw try settled(job)
    }
    guard response.status.isSuccess else { throw refused(response, job) }
  }

  /// Print-Job, for printers without Create-Job: the number comes only with the answer.
  func printJob(_ document: OpenedDocument) throws(Ending) -> Int {
    try beginSending()
    let request = order.printJob(over: connection)
    guard let response = try stream(document, with: request, job: nil) else {
      throw Ending(.inDoubt, lostAnswer)
    }
    guard response.status.isSuccess else { throw refused(response, nil) }
    guard let job = response.jobs.first?.number("job-id"), job > 0 else {
      throw Ending(.forgotten, "\(order.printer) took the document but gave the job no number.")
    }
    try? record { $0.jobId = job }
    report(.created(jobId: job))
    if interruption.isRaised {
      throw order.interrupted(interruption, job: job, fate: cancel(job))
    }
    return job
  }

  /// A refusal of the document. Nothing of it is printed, unless the printer has counted a sheet.
  private func refused(_ response: Response, _ job: Int?) -> Ending {
    var ending = order.refusal(response, job: job)
    let out = job.flatMap(lookUp)?.impressions ?? 0
    wasRefused(job, job.map { cancel($0) })
    if out > 0 {
      ending.remedy = nil
      ending.outcome.mayTryOtherFormat = false
      ending.outcome.impressions = out
      ending.outcome.message = (ending.outcome.message ?? "") + " Part of it was printed."
    }
    return ending
  }

  private var lostAnswer: String {
    "The connection to \(order.printer) broke after the document was sent, before it answered; it may "
      + "have printed."
  }

  /// The answer was lost after the last byte had left: what the printer makes of the job tells whether
  /// that byte arrived. A printer prints what it has, be it whole or not, and calls both completed; so
  /// its count of sheets has to be right too.
  private func settled(_ job: Int) throws(Ending) -> Ending {
    let isDelivered = connection.isDelivered
    var ending = Ending(.inDoubt, lostAnswer, job: job)
    report(.waiting(["its answer was lost; asking what became of the job"]))
    let outcome: JobOutcome
    do { outcome = try watch(job) } catch {
      // Nobody could say, within the time or before Ctrl-C.
      if interruption.isRaised { throw error }
      outcome = error.outcome
    }
    ending.outcome.state = outcome.state
    ending.outcome.reasons = outcome.reasons
    ending.outcome.impressions = outcome.impressions
    switch outcome.exitCode {
    case .success:
      if isDelivered, let sides = order.sides, sides > 0, outcome.impressions ?? 0 >= sides {
        report(
          .note("\(order.printer) has printed all \(sides) pages, although its answer was lost."))
        return Ending(outcome)
      }
      let count = outcome.impressions.map { $0 > 0 ? "\($0) impressions" : nil } ?? nil
      ending.outcome.message =
        "\(lostAnswer) The printer calls the job completed"
        + (count.map { " with \($0)" } ?? "") + ", which does not say that it had all of it."
    case .aborted, .canceled: return Ending(outcome)
    default: ending.outcome.message = "\(lostAnswer) \(outcome.message ?? "")"
    }
    return ending
  }

  /// Sends the document. nil when every byte has left and only the answer was lost.
  private func stream(
    _ document: OpenedDocument, with request: Request, job: Int?
  ) throws(Ending) -> Response? {
    watchStalls()
    defer { connection.whenStalled = nil }
    do {
      try connection.beginDocument(request)
    } catch {
      // The request itself did not get there: nothing of the document has left.
      let fate = job.map { cancel($0) }
      wasRefused(job, fate)
      if case .interrupted = error.kind {
        throw order.interrupted(interruption, job: job, fate: fate)
      }
      throw order.failure(error, interruption: interruption, job: job)
    }
    let isWhole = try pour(document, job: job)
    do {
      // Without a number nothing can be cancelled.
      return try connection.finish(grace: job == nil ? Submission.grace : .zero) {
        try? record { $0.phase = .delivered }
      }
    } catch {
      if case .interrupted = error.kind {
        throw order.interrupted(interruption, job: job, fate: job.map { cancel($0) } ?? .unknown)
      }
      switch error.kind {
      case .status(.timeout): break
      case .unauthorized, .status:
        wasRefused(job, job.map { cancel($0) })
        throw order.failure(error, interruption: interruption, job: job)
      default: break
      }
      guard isWhole, connection.hasEndedDocument else { throw broken(error, job: job) }
      return nil
    }
  }

  /// The connection broke before the document's end: what has arrived may print, as if it were all.
  private func broken(_ error: IPPError, job: Int?) -> Ending {
    let fate = abandon(job)
    var ending = Ending(
      .inDoubt,
      "The connection to \(order.printer) broke while the document was on its way "
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
  /// is cancelled before the connection is cut.
  private func pour(_ document: OpenedDocument, job: Int?) throws(Ending) -> Bool {
    while true {
      let piece: [UInt8]?
      do {
        piece = try document.next()
      } catch {
        let fate = abandon(job)
        if interruption.isRaised {
          throw order.interrupted(interruption, job: job, fate: fate)
        }
        // With the job cancelled before the document's end the printer has nothing that it could print
        // whole; without that nobody knows.
        throw fate.isCanceled
          ? Ending(error.code, error.message, job: job)
          : Ending(.inDoubt, "\(error.message) Part of it may have printed.", job: job)
      }
      guard let piece else { return true }
      do {
        guard try piece.withUnsafeBytes({ try connection.write($0) }) else { return false }
      } catch let error as IPPError {
        if case .interrupted = error.kind {
          throw order.interrupted(interruption, job: job, fate: abandon(job))
        }
        throw broken(error, job: job)
      } catch {
        throw Ending(.fault, "\(error)", job: job)
      }
      report(.sending(document.stream.progress))
    }
  }

  /// Takes the job back and cuts the connection.
  private func abandon(_ job: Int?) -> Fate {
    let fate = job.map { cancel($0) } ?? .unknown
    connection.shutDown()
    return fate
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

// MARK: - Beside the document

extension Submission {
  /// Cancels the job over a connection of its own, within a few seconds, whatever state the printer is
  /// in.
  @discardableResult
  func cancel(_ job: Int) -> Fate {
    let uninterrupted = Interruption()
    do {
      let second = try another(patience: .seconds(3), interruption: uninterrupted)
      if try second.exchange(.cancelJob(job, at: second.uri, user: order.user)).status.isSuccess {
        return .canceled
      }
      // It can't be cancelled because it is over, as a rule.
      let response = try second.exchange(.getJobAttributes(job, at: second.uri, user: order.user))
      if let status = response.job, status.state.isOver {
        return .over(status)
      }
      return .unknown
    } catch {
      report(.note("The job could not be cancelled at \(order.printer): \(error.message)."))
      return .unknown
    }
  }

  /// What the printer says of the job, asked beside the document.
  private func lookUp(_ job: Int) -> JobStatus? {
    guard let second = try? another(patience: .seconds(3), interruption: interruption) else {
      return nil
    }
    let response = try? second.exchange(.getJobAttributes(job, at: second.uri, user: order.user))
    return response?.job
  }

  /// Another connection to the same printer. What cleans up after an interruption has one of its own.
  func another(
    patience: Duration, interruption: Interruption
  ) throws(IPPError) -> Connection {
    let address = connection.address.map { [$0] }
    return try Connection(
      to: connection.uri, at: address ?? journal.record.addresses,
      security: connection.security, patience: patience, interruption: interruption)
  }
}

/// Seconds since 1970, for what is written down; waits go by ContinuousClock.
func wallClock() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
