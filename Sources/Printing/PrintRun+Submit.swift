internal import AirprintContext
internal import IPP
internal import Logging
internal import PrintModel
internal import Printers
internal import Submission

/// Log of a job's steps that are only shown with `--verbose`.
private let submissionLog = Logger(label: "submit")

extension PrintRun {
  /// Begins the job in the journal before anything is sent to the printer.
  ///
  /// Its pages are drawn while that is written to disk; nil if they are drawn on demand, or if that fails.
  func begin(
    _ job: PlannedJob, as given: JournalEntry?
  ) throws(Failure) -> (JournalEntry, (any DocumentStream)?) {
    let pages = try? job.document.stream()
    if let given {
      try given.update { $0.take(job, context) }
      return (given, pages)
    }
    let entry = try context.journal.begin(
      job.task.document, by: arguments, at: targets.map(\.uri), context
    ) { $0.take(job, context) }
    return (entry, pages)
  }

  /// Submits a job, and follows it to its end.
  ///
  /// If the printer could not read the format, raster is sent instead, once, as long as no sheet is out.
  func submit(
    _ job: PlannedJob, _ pages: (any DocumentStream)?, _ entry: JournalEntry, isNew: Bool,
    isLast: Bool, isAhead: Bool
  ) throws(Failure) -> (JobOutcome, Ticket) {
    let ticket = job.document.ticket
    var submission = try makeSubmission(of: job)
    submission.waitsWhileBusy = !isAhead
    submission.isTriedElsewhere = !isLast || isAhead
    let first = run(submission, job, drawn: pages, entry)
    // A job from the caller continues elsewhere under its ID; one made for this printer ends.
    if submission.isTriedElsewhere, first.mayTryNextPrinter {
      return (isNew && !isAhead ? try entry.end(first) : first, ticket)
    }
    guard first.mayTryOtherFormat, let proof = first.nothingPrinted else { return (first, ticket) }
    guard !arguments.handling.strict, !ticket.isRaw,
      let format = job.connection.otherFormat(than: ticket.format)
    else { return (try entry.end(first), ticket) }
    tell(
      job.file, "\(job.connection.name) could not read \(ticket.format); sending raster instead.")
    var request = job.request
    request.format = format
    let raster = try plan(job.task, on: job.connection, request)
    submission.ticket = raster.document.ticket
    try entry.update { $0.retract(proof) }
    let second = run(submission, raster, drawn: nil, entry)
    return (second.mayTryOtherFormat ? try entry.end(second) : second, submission.ticket)
  }

  /// Asks the printer if it would accept the job (Validate-Job), reports what it would ignore, and returns that.
  ///
  /// The failure is the job's.
  func ask(_ job: PlannedJob) throws(Failure) -> [String] {
    let submission = try makeSubmission(of: job)
    let notes = try submission.ask(over: job.connection.ipp, cancellation: cancellation)
    for note in notes { tell(job.file, note) }
    return notes
  }

  /// Longest time without progress without a terminal, if nothing else is set: the default of `--timeout`.
  private static let unattendedTimeout = Duration.seconds(300)

  private func makeSubmission(of job: PlannedJob) throws(Failure) -> JobSubmission {
    let (connection, configuration) = (job.connection, try context.settings.configuration())
    var submission = JobSubmission(
      name: job.document.jobName, user: job.document.ticket.user ?? context.user,
      ticket: job.document.ticket,
      capabilities: connection.capabilities, printer: connection.name)
    submission.secret = job.secret
    submission.handling = arguments.handling.with(
      timeout: configuration.timeout.map { .seconds($0) }
        ?? (context.isInteractive ? nil : PrintRun.unattendedTimeout),
      leavesOnTimeout: configuration.leavesOnTimeout)
    submission.line = connection.line(in: context.directories.state)
    return submission
  }

  /// Submits the job once.
  ///
  /// - `pages`: pages of the document that are already being drawn.
  private func run(
    _ submission: JobSubmission, _ job: PlannedJob, drawn pages: (any DocumentStream)?,
    _ entry: JournalEntry
  ) -> JobOutcome {
    let (file, connection) = (job.file, job.connection)
    var submission = submission
    submission.sides = Self.sides(submission.ticket)
    var troubles = Troubles()
    let submitter = JobSubmitter(
      submission, over: connection.ipp, entry: entry, of: context.journal,
      cancellation: cancellation, clock: clock
    ) { [self] event in
      if case .waiting(let known) = event, troubles.areNew(known),
        known.contains(where: { $0.need != .time })
      {
        announce(known, of: submission, isAskedFor: arguments.handling.notifies, context)
      }
      if case .aboutPrinter(let warning) = event {
        guard isNews(warning, of: connection.target.uri, context) else { return }
      }
      if case .detail(let words) = event { submissionLog.debug("\(words)") }
      report(.event(file: file, event))
    }
    submitter.whenStatusChanges = { [context] in connection.rememberStatus($0, context) }
    var pages = pages
    let outcome = submitter.run { () throws(Failure) in
      defer { pages = nil }
      return if let pages { pages } else { try job.document.stream() }
    }
    // A printer may ask for encryption as late as with the job.
    if let news = try? connection.keepCertificate(context) {
      report(.event(file: file, .note(news)))
      try? entry.update {
        $0.certificate = connection.ipp.security.pin
        $0.tie(to: connection.target, context)
      }
    }
    return outcome
  }

  /// The fewest impressions that the printer will count; blank backs may be added.
  ///
  /// With number-up, it may be fewer.
  private static func sides(_ ticket: Ticket) -> Int? {
    guard ticket.numberUp == 1, !ticket.isRaw else { return nil }
    return ticket.sidesOfPages * ticket.copies
  }
}

extension JobRecord {
  /// Takes the plan of a job that is new, or waited in the journal for its printer.
  fileprivate mutating func take(_ job: PlannedJob, _ context: Context) {
    let (connection, ticket) = (job.connection, job.document.ticket)
    name = job.document.jobName
    if let user = ticket.user { self.user = user }
    printer = connection.name
    uri = connection.target.uri
    addresses = [connection.ipp.address].compactMap(\.self)
    (service, printerUUID) = (connection.target.found?.service, connection.capabilities.uuid)
    certificate = connection.ipp.security.pin
    give(context, to: [connection.target])
    stoppedSince = connection.status.stoppedSince
    plan = ticket.warnings + ticket.reasons
    create()
    message = nil
  }
}

extension JournalEntry {
  fileprivate func end(_ outcome: JobOutcome) throws(Failure) -> JobOutcome {
    try update { $0.end(outcome, isOver: true) }
    return outcome
  }
}

extension PrinterConnection {
  /// The raster format to fall back on; nil if the format was raster already.
  fileprivate func otherFormat(than format: String) -> PrintRequest.FormatOption? {
    guard !DocumentFormat.isRaster(format) else { return nil }
    if capabilities.urf != nil { return .urf }
    return capabilities.pwg != nil ? .pwg : nil
  }

  /// Returns the folder of this user's line for the printer, named by its UUID, because it has many addresses.
  fileprivate func line(in state: String) -> String {
    "\(state)/turns/\((capabilities.uuid ?? target.uri).asFileName(upTo: 120))"
  }
}
