internal import AirprintContext
internal import IPP
internal import Logging
internal import PrintModel
internal import Printers
internal import Rendering
internal import Settings
internal import Submission
internal import System

/// Log of a job's steps that are only shown with `--verbose`.
private let submissionLog = Logger(label: "submit")

extension PrintRun {
  /// Submits the document as a job, and follows it to its end.
  ///
  /// If the printer could not read the format, raster is sent instead, once, as long as no sheet is out.
  func submit(
    _ document: OpenDocument, _ ticket: Ticket, _ secret: [Attribute],
    on session: PrinterConnection, _ configuration: Configuration, as given: JournalEntry?,
    _ result: inout PrintResult, isLast: Bool
  ) throws(Failure) -> JobOutcome {
    let name = document.jobName(titled: arguments.title)
    let pages = startDrawing(document, ticket)
    let entry: JournalEntry
    if let given {
      entry = given
      try entry.update { $0.take(name, ticket, on: session) }
    } else {
      entry = try begin(document, name, ticket, on: session)
    }
    result.job = entry.record.id
    var submission = makeSubmission(of: ticket, named: name, secret, on: session, configuration)
    let isAhead = isAhead()
    submission.waitsWhileBusy = !isAhead
    submission.isTriedElsewhere = !isLast || isAhead
    let first = run(submission, document, drawn: pages, on: session, entry, &result)
    // A job from the caller continues elsewhere under its ID; one made for this printer ends.
    if isAhead, first.isElsewhere {
      held = entry
      return first
    }
    if submission.isTriedElsewhere, first.isElsewhere {
      return given == nil ? try entry.end(first) : first
    }
    guard first.mayTryOtherFormat, let proof = first.nothingPrinted else { return first }
    guard !arguments.handling.strict, !ticket.isRaw,
      let format = session.otherFormat(than: ticket.format)
    else {
      return try entry.end(first)
    }
    report(
      .event(
        file: result.file,
        .note("\(session.name) could not read \(ticket.format); sending raster instead.")))
    submission.ticket = try plan(document, on: session, configuration, format: format)
    result.ticket = submission.ticket
    try entry.update { $0.retract(proof) }
    let second = run(submission, document, drawn: nil, on: session, entry, &result)
    return second.mayTryOtherFormat ? try entry.end(second) : second
  }

  /// Asks the printer if it would accept the job (Validate-Job), and reports what it would ignore.
  ///
  /// The failure is the job's.
  func ask(
    _ document: OpenDocument, _ ticket: Ticket, _ secret: [Attribute],
    on session: PrinterConnection,
    _ configuration: Configuration
  ) throws(Failure) {
    let submission = makeSubmission(
      of: ticket, named: document.jobName(titled: arguments.title), secret, on: session,
      configuration)
    for note in try submission.ask(over: session.connection, cancellation: cancellation) {
      report(
        .event(file: arguments.names[document.file.path] ?? document.file.path, .told(.note(note))))
    }
  }

  /// Starts drawing the document while the job is written to disk; nil if it is drawn on demand, or if it fails.
  private func startDrawing(_ document: OpenDocument, _ ticket: Ticket) -> (any DocumentStream)? {
    guard !document.isUsed, let pages = try? document.stream(for: ticket) else { return nil }
    document.isUsed = true
    return pages
  }

  /// Longest time without progress without a terminal, if nothing else is set: the default of `--timeout`.
  private static let unattendedTimeout = Duration.seconds(300)

  private func makeSubmission(
    of ticket: Ticket, named name: String, _ secret: [Attribute], on session: PrinterConnection,
    _ configuration: Configuration
  ) -> JobSubmission {
    var submission = JobSubmission(
      name: name, user: context.user, ticket: ticket, capabilities: session.capabilities,
      printer: session.name)
    submission.uri = session.target.uri
    submission.secret = secret
    submission.handling = arguments.handling.with(
      timeout: configuration.timeout.map { .seconds($0) }
        ?? (context.isInteractive ? nil : PrintRun.unattendedTimeout),
      leavesOnTimeout: configuration.leavesOnTimeout)
    submission.line = session.line(in: context.places.state)
    return submission
  }

  /// Adds a new job to the journal before anything is sent to the printer.
  private func begin(
    _ document: OpenDocument, _ name: String, _ ticket: Ticket, on session: PrinterConnection
  ) throws(Failure) -> JournalEntry {
    var record = JobRecord(
      name: name, file: arguments.names[document.file.path] ?? document.file.path,
      printer: session.name, uri: session.target.uri, addresses: session.address,
      user: context.user, created: WallClock.seconds)
    record.take(name, ticket, on: session)
    record.request = JobRequest(arguments, for: document.file, at: targets.map(\.uri), context)
    return try context.journal.begin(record, for: document, by: arguments, context)
  }

  /// Submits the job once.
  ///
  /// - `pages`: pages of the document that are already being drawn.
  private func run(
    _ submission: JobSubmission, _ document: OpenDocument, drawn pages: (any DocumentStream)?,
    on session: PrinterConnection, _ entry: JournalEntry, _ result: inout PrintResult
  ) -> JobOutcome {
    var submission = submission
    let file = result.file
    submission.sides = Self.sides(submission.ticket)
    var troubles = Troubles()
    let submitter = JobSubmitter(
      submission, over: session.connection, entry: entry, of: context.journal,
      cancellation: cancellation, clock: clock
    ) { [self] event in
      if case .waiting(let known) = event, troubles.areNew(known),
        known.contains(where: { $0.need != .time })
      {
        announce(known, of: submission, isAskedFor: arguments.handling.notifies, context)
      }
      if case .supplyLow(let warning) = event {
        guard isNews(warning, of: session.target.uri, context) else { return }
      }
      if case .detail(let words) = event { submissionLog.debug("\(words)") }
      report(.event(file: file, event))
    }
    submitter.whenStatusChanges = { [context] in session.rememberStatus($0, context) }
    var (pages, again) = (pages, OpenDocument?.none)
    var allSides: Int?
    let outcome = submitter.run { () throws(Failure) in
      var source = document
      if pages == nil, document.isUsed {
        source = try document.reopened(keptAs: entry.document)
        // Makes its pages if they are made for the paper.
        _ = try source.refine(for: submission.ticket)
        again = source
      }
      document.isUsed = true
      let stream = if let pages { pages } else { try source.stream(for: submission.ticket) }
      pages = nil
      allSides = stream.progress.allSides
      return stream
    }
    withExtendedLifetime(again) {}
    // A printer may ask for encryption as late as with the job.
    if let news = session.keepCertificate(context) {
      report(.event(file: file, .note(news)))
      try? entry.update { $0.certificate = session.connection.security.pin }
    }
    result.sides = allSides
    return outcome
  }

  /// The fewest impressions that the printer will count; blank backs may be added.
  ///
  /// With number-up, it may be fewer.
  private static func sides(_ ticket: Ticket) -> Int? {
    guard ticket.numberUp == 1, !ticket.isRaw else { return nil }
    return ticket.pages.count * ticket.copies
  }
}

extension OpenDocument {
  /// The document and the files that it names in its folder, for the journal's copies.
  var sources: [Journal.SourceFile] {
    [file.source]
      + companions.map {
        Journal.SourceFile(descriptor: $0.descriptor, path: $0.name, isBeside: true)
      }
  }
}

extension JobRecord {
  /// Takes the plan of a job that is new, or waited in the journal for its printer.
  fileprivate mutating func take(
    _ name: String, _ ticket: Ticket, on session: PrinterConnection
  ) {
    self.name = name
    printer = session.name
    uri = session.target.uri
    addresses = session.address
    printerUUID = session.capabilities.uuid
    certificate = session.connection.security.pin
    plan = ticket.warnings + ticket.reasons
    // The next step is sending Create-Job.
    phase = .creating
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
  var address: [String] { [connection.address].compactMap { $0 } }

  /// The raster format to fall back on; nil if the format was raster already.
  fileprivate func otherFormat(than format: String) -> PrintRequest.FormatOption? {
    guard !DocumentFormat.isRaster(format) else { return nil }
    if capabilities.urf != nil { return .urf }
    return capabilities.pwg != nil ? .pwg : nil
  }
}

extension PrinterConnection {
  /// Returns the folder of this user's line for the printer, named by its UUID, because it has many addresses.
  fileprivate func line(in state: String) -> String {
    let key = capabilities.uuid ?? target.uri
    let name = key.utf8.map { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        ? String(UnicodeScalar(byte)) : "-"
    }.joined()
    return "\(state)/turns/\(name.suffix(120))"
  }
}
