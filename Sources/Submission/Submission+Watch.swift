internal import IPP
internal import PrintModel
internal import Threading

extension Submission {
  /// Follows the job until the printer says that it is over, and judges how.
  ///
  /// Polls from 0.25 to 2 s. Time counts against the limit only while nothing changes: neither the job's
  /// state, nor its reasons, nor its impressions.
  func watch(_ job: Int) throws(Ending) -> JobOutcome {
    var patience = Patience(order.timeout)
    var last: JobStatus?
    var line: Connection? = connection
    var pause = Duration.milliseconds(250)
    while true {
      switch try poll(job, over: &line) {
      case .status(let status):
        if status.state.isOver { return JobOutcome(status, at: order.printer) }
        if status != last { patience.restart() }
        // Also when the job's state stands still: paper runs out while it is processing.
        tell(status, over: line)
        last = status
      case .unknown: return forgotten(job, last: last)
      case .silence(let why): report(.waiting(["\(order.printer) does not answer (\(why))"]))
      }
      if patience.isOver { throw timedOut(job, last: last) }
      guard interruption.sleep(pause) else {
        throw order.interrupted(interruption, job: job, isCanceled: cancel(job))
      }
      pause = min(pause * 5 / 4, .seconds(2))
    }
  }

  private enum Answer {
    case status(JobStatus)
    /// The printer answers and does not know the job.
    case unknown
    case silence(String)
  }

  /// Asks over `line`, or over a new one after that broke: a printer may drop a connection that idles.
  private func poll(_ job: Int, over line: inout Connection?) throws(Ending) -> Answer {
    let response: Response
    do {
      let open =
        if let line { line } else {
          try another(patience: .seconds(5), interruption: interruption)
        }
      line = open
      open.patience = .seconds(10)
      response = try open.exchange(order.getJobAttributes(job, at: open.uri))
    } catch {
      line = nil
      if case .interrupted = error.kind {
        throw order.interrupted(interruption, job: job, isCanceled: cancel(job))
      }
      return .silence(error.message)
    }
    guard response.status.isSuccess else {
      // Some answer bad-request once the page is out (ipp-client-kotlin#19): they know no more.
      return response.status.mayPass ? .silence(response.status.description) : .unknown
    }
    return response.jobs.first.flatMap(JobStatus.init(reading:)).map(Answer.status) ?? .unknown
  }

  /// What keeps a job that is not over, in words, with the printer's own reasons beside the job's.
  private func tell(_ status: JobStatus, over line: Connection?) {
    report(.printing(impressions: status.impressions))
    var words: [String] = []
    if status.state == .held {
      let hold = status.reasons.compactMap { StateReason($0).words }.first
      words.append("the printer holds \"\(order.name)\"" + (hold.map { ": \($0)" } ?? ""))
    }
    reportPrinter(over: line, and: words)
  }

  /// Asks the printer what is the matter with it, and tells. A printer that does not say loses nothing
  /// but the words.
  func reportPrinter(over connection: Connection? = nil, and more: [String] = []) {
    guard let status = try? printerStatus(over: connection) else { return }
    let reasons = status.reasons.map(StateReason.init).filter(\.needsSomebody)
    let words = more + reasons.compactMap(\.words)
    if words != lastWords {
      lastWords = words
      report(.waiting(words))
    }
  }

  private func printerStatus(over connection: Connection?) throws(IPPError) -> PrinterStatus? {
    let second =
      if let connection { connection } else {
        try another(patience: .seconds(2), interruption: interruption)
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

extension Submission {
  private func forgotten(_ job: Int, last: JobStatus?) -> JobOutcome {
    JobOutcome(
      exitCode: .forgotten, jobId: job, state: last?.state, reasons: last?.reasons ?? [],
      impressions: last?.impressions,
      message:
        "\(order.printer) took the whole document, but does not know the job any more; it has "
        + "probably printed.")
  }

  /// The time is up: the job is taken back if no sheet is out, so that a later try does not meet it.
  private func timedOut(_ job: Int, last: JobStatus?) -> Ending {
    let isOut = (last?.impressions ?? 0) > 0
    let left: String
    if isOut {
      left = "Part of the job is printed; the rest was left at the printer"
    } else if order.leavesOnTimeout {
      left = "The job was left at the printer and may still print"
    } else if cancel(job) {
      left = "The job was cancelled; nothing was printed"
    } else {
      left = "The job could not be cancelled and may still print"
    }
    let why = lastWords.isEmpty ? "" : " (\(lastWords.inWords()))"
    let limit = order.timeout.map { "\($0.components.seconds) s" } ?? "the time allowed"
    var ending = Ending(
      .notNow, "Nothing went forward at \(order.printer) for \(limit)\(why). \(left).", job: job)
    ending.outcome.state = last?.state
    ending.outcome.reasons = last?.reasons ?? []
    ending.outcome.impressions = last?.impressions
    return ending
  }
}
