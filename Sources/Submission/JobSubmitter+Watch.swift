internal import IPP
internal import PrintModel
internal import System

extension JobSubmitter {
  /// Follows the job until the printer says that it is over, and judges how.
  ///
  /// Polls after 10 ms, since many printers complete a page as they take its last byte, and then ever more
  /// rarely: ten times in two seconds, once a second from there, or as soon as the printer tells that
  /// something has happened. Time counts against the limit only while nothing goes forward: neither the job's state nor its impressions, and
  /// no reason comes that was not there before.
  func watch(_ job: Int) throws(SubmitError) -> JobOutcome {
    var patience = RetryTimer(order.timeout, clock)
    var progress = JobProgress(sides: order.ticket.pages.count * order.ticket.copies)
    var last: JobStatus?
    var line: (any PrinterLine)? = connection
    var events = Events(order, job: job, clock)
    var pause = Duration.milliseconds(10)
    var isTakenBack = false
    while true {
      switch try poll(job, over: &line) {
      case .status(let status):
        if status.state.isOver { return ended(status) }
        if progress.isNews(status) {
          patience.restart()
          pause = min(pause, .milliseconds(250))
        }
        // Also when the job's state stands still: paper runs out while it is processing.
        tell(status, over: line)
        last = status
        if !isTakenBack, journal.isCancelRequested { isTakenBack = cancel(job) != .unknown }
      case .unknown: return .forgotten(by: order.printer, job: job, last: last)
      case .silence(let why):
        let words = ["No answer (\(why))"]
        if words != lastWords {
          lastWords = words
          report(.waiting(words))
        }
      }
      if patience.isOver { return try timedOut(job, last: last) }
      guard events.wait(pause, over: &line, cancellation) else {
        throw order.interrupted(cancellation, job: job, fate: cancel(job))
      }
      pause = min(pause * 8 / 5, .seconds(1))
    }
  }

  /// Asks over `line`, or over a new one after that broke: a printer may drop a connection that idles.
  func poll(_ job: Int, over line: inout (any PrinterLine)?) throws(SubmitError) -> JobAnswer {
    let response: Response
    do {
      let open =
        if let line { line } else {
          try another(patience: .seconds(5), cancellation: cancellation)
        }
      line = open
      open.patience = min(order.timeout ?? .seconds(10), .seconds(10))
      response = try open.exchange(.getJobAttributes(job, at: open.uri, user: order.user))
    } catch {
      line = nil
      if case .interrupted = error.kind {
        throw order.interrupted(cancellation, job: job, fate: cancel(job))
      }
      return .silence(error.message)
    }
    guard response.status.isSuccess else {
      // Some answer bad-request once the page is out (ipp-client-kotlin#19): they know no more.
      return response.status.mayPass
        ? .silence(response.status.description) : .unknown(response.status)
    }
    guard let status = response.job(job) else { return .unknown(nil) }
    // A printer that was switched off counts from 1 again: this is somebody else's job.
    if let uuid, let theirs = status.uuid, uuid != theirs { return .unknown(nil) }
    if uuid == nil, let theirs = status.uuid {
      uuid = theirs
      try? record { $0.uuid = theirs }
    }
    return .status(status)
  }

  /// Conditions that stop a job that is not over, in words, with the printer's own reasons beside
  /// the job's.
  private func tell(_ status: JobStatus, over line: (any PrinterLine)?) {
    report(.printing(impressions: status.impressions))
    var words: [String] = []
    if status.state == .held {
      let hold =
        status.reasons.contains("job-hold-until-specified")
        ? "to let it print, run: airprint release \(journal.record.id)"
        : status.reasons.compactMap { StateReason($0).words }.first
      words.append("the printer holds \"\(order.name)\"" + (hold.map { ": \($0)" } ?? ""))
    }
    reportPrinter(over: line, and: words, impressions: status.impressions)
  }

  /// Asks the printer what is the matter with it, and tells. A printer that does not say loses nothing
  /// but the words.
  func reportPrinter(
    over connection: (any PrinterLine)? = nil, and more: [String] = [], impressions: Int? = nil
  ) {
    guard let status = try? status(over: connection) else { return }
    printerStatus = status
    let words = StateReasonMessages(ticket: order.ticket, printer: status, impressions: impressions)
    for warning in words.warnings where notes.insert(warning).inserted {
      report(.note("\(order.printer): \(warning)."))
    }
    let waiting = more + words.troubles
    if waiting != lastWords {
      lastWords = waiting
      report(.waiting(waiting))
    }
  }

  func status(over connection: (any PrinterLine)?) throws(IPPError) -> PrinterStatus? {
    let second =
      if let connection { connection } else {
        try another(patience: .seconds(2), cancellation: cancellation)
      }
    let request = Request(
      .getPrinterAttributes,
      operationAttributes: [
        Attribute("printer-uri", .uri(second.uri.text)),
        Attribute("requesting-user-name", .name(order.user)),
        Attribute("requested-attributes", PrinterStatus.attributes.map { .keyword($0) }),
      ])
    let response = try second.exchange(request)
    return response.status.isSuccess ? PrinterStatus(reading: response.printer) : nil
  }
}

// MARK: - Endings

extension JobSubmitter {
  private func ended(_ status: JobStatus) -> JobOutcome {
    if let sides = order.sides, status.isSuccess, let count = status.impressions, count > 0,
      count < sides
    {
      report(.note("\(order.printer) counts \(count) of \(sides) pages."))
    }
    return JobOutcome(status, at: order.printer)
  }

  /// The time is up: the job is taken back if no sheet is out, so that a later try does not meet it.
  private func timedOut(_ job: Int, last: JobStatus?) throws(SubmitError) -> JobOutcome {
    let isOut = (last?.impressions ?? 0) > 0
    var state = last?.state
    var impressions = last?.impressions
    let left: String
    if isOut {
      left = "Part of the job is printed; the rest was left at the printer"
    } else if order.leavesOnTimeout {
      left = "The job was left at the printer and may still print"
    } else {
      switch cancel(job) {
      case .canceled:
        state = .canceled
        // A sheet may have come out since.
        impressions = self.impressions(of: job) ?? impressions
        let isOut = (impressions ?? 0) > 0
        left =
          "The job was canceled"
          + (isOut ? "; part of it is printed" : isInDoubt ? "" : "; nothing was printed")
      // It ended in the last moment.
      case .over(let status): return ended(status)
      case .unknown: left = "The job could not be canceled and may still print"
      }
    }
    let why = lastWords.isEmpty ? "" : " (\(lastWords.inWords()))"
    let limit = order.timeout.map { "\($0.components.seconds) s" } ?? "the time allowed"
    var ending = SubmitError(
      .notNow, "No progress on \(order.printer) for \(limit)\(why). \(left).", job: job)
    ending.outcome.state = state
    ending.outcome.reasons = (last?.reasons ?? []) + (printerStatus?.reasons ?? [])
    ending.outcome.impressions = impressions
    throw ending
  }

  /// Impressions that the printer counts now, asked beside everything else.
  private func impressions(of job: Int) -> Int? {
    guard let line = try? another(patience: .seconds(3), cancellation: Cancellation()) else {
      return nil
    }
    let response = try? line.exchange(.getJobAttributes(job, at: line.uri, user: order.user))
    return response?.job(job)?.impressions
  }
}
