package import AirprintContext
internal import Logging
internal import PrintModel
internal import PrintOptions
package import Printers
internal import Submission
package import System

/// Log of the reasons why a job is printed the way it is, for `--verbose`.
private let log = Logger(label: "plan")

/// One run of `print`, on its own thread.
package final class PrintRun {
  let arguments: PrintArguments
  let targets: [PrinterReference]
  let context: Context
  let cancellation: Cancellation
  private let send: (PrintEvent) -> Void
  /// What was told of the current file, for its result.
  var ledger = Ledger()
  /// One connection per printer, made when the first document has proved to be printable.
  private var connections: [String: PrinterConnection] = [:]
  /// The clock for the time limit of a job.
  var clock = WaitingClock.machine
  /// True while the previous file still prints: a job that the printer does not accept now is held instead of waited
  /// for.
  var isAhead: () -> Bool = { false }

  package init(
    _ arguments: PrintArguments, _ targets: [PrinterReference], _ context: Context,
    _ cancellation: Cancellation,
    report: @escaping (PrintEvent) -> Void
  ) {
    self.arguments = arguments
    self.targets = targets
    self.context = context
    self.cancellation = cancellation
    send = report
  }

  /// Sends an event to the caller; what it tells of the file is kept for the file's result, too.
  func report(_ event: PrintEvent) {
    if case .event(_, .told(let entry)) = event { ledger.add(entry) }
    send(event)
  }

  func forgetConnections() { connections = [:] }

  /// Stores the printers' answers, and cancels empty jobs of earlier runs, now that nobody waits for this one.
  func tidyUp() {
    for connection in connections.values { connection.rememberAnswer(context) }
    guard !arguments.isDryRun else { return }
    for connection in connections.values {
      var cleanup = OrphanedJobCleanup(
        context.journal, at: connection.target.uri, user: context.user)
      cleanup.sweep(over: connection.ipp)
    }
  }

  /// How a file ended.
  struct Ending {
    var result: PrintResult
    /// The document; nil if it could not be opened.
    var document: OpenDocument?
    /// The job of a file that was ahead and could not be sent yet.
    var held: JournalEntry?
    /// The reason for trying the next printer, as a sentence: nothing was sent.
    fileprivate var next: String?
    /// The failures at printers that were tried, with these printers.
    fileprivate var passed: [(failure: Failure, printer: String?, uri: String?)] = []
    /// True if the printer accepts it, but waits for someone to fix a problem.
    fileprivate var wouldWait = false

    /// Makes the worst of the failures at its printers, the last of several, that of the file: where one printer can't
    /// print it now and another never can, a later attempt may help.
    fileprivate mutating func failAsWorst() {
      let worst = ExitCode.worst(of: passed.map(\.failure.code))
      guard let last = passed.last(where: { $0.failure.code == worst }) else { return }
      (result.printer, result.uri) = (last.printer, last.uri)
      result.fail(last.failure)
    }
  }

  /// Prints one file: on the first printer that is ready, if there is a choice; else on the first that answers, which
  /// is waited for.
  ///
  /// `entry` is its job if the journal already has that.
  func ending(of file: String, as entry: JournalEntry?) -> Ending {
    let name = arguments.names[file] ?? file
    var result = PrintResult(file: name, printer: targets.first?.name, uri: targets.first?.uri)
    result.job = entry?.record.id
    var ending: Ending
    for note in arguments.notes { ledger.add(.note(note)) }
    do {
      let task = try task(file)
      (result.printer, result.uri) = (task.targets[0].name, task.targets[0].uri)
      ending = print(task, as: entry, Ending(result: result, document: task.document))
    } catch {
      result.fail(error)
      ending = Ending(result: result)
    }
    let ledger = self.ledger.take()
    ending.result.warnings = ledger.entries.isEmpty ? nil : ledger.warnings
    ending.result.losses = ledger.losses.isEmpty ? nil : ledger.losses
    return ending
  }

  private func print(_ task: PrintTask, as entry: JournalEntry?, _ start: Ending) -> Ending {
    var ending = start
    var waitable: PrinterReference?
    for (index, target) in task.targets.enumerated() {
      let isLast = index == task.targets.count - 1
      ending = attempt(
        task, at: target, isLast: isLast, isOnly: isLast && waitable == nil, as: entry, ending)
      guard let why = ending.next else { return ending }
      if ending.wouldWait { waitable = waitable ?? target }
      if !isLast { tell(ending.result.file, "\(why) Trying the next printer.") }
    }
    guard let waitable else {
      ending.result.fail(Failure(.fault, "There is no printer."))
      return ending
    }
    return attempt(task, at: waitable, isLast: true, isOnly: true, as: entry, ending)
  }

  /// Tries one printer; what an earlier one has come to is in `earlier`.
  ///
  /// `isLast`: no other printer follows. `isOnly`: no earlier printer can be waited for either, so this one is, and its
  /// failure is that of the file.
  private func attempt(
    _ task: PrintTask, at target: PrinterReference, isLast: Bool, isOnly: Bool,
    as given: JournalEntry?,
    _ earlier: Ending
  ) -> Ending {
    var ending = earlier
    (ending.next, ending.wouldWait) = (nil, false)
    (ending.result.printer, ending.result.uri) = (target.name, target.uri)
    // Also if it refused the password.
    defer { try? given?.update { $0.tie(to: target, context) } }
    do throws(Failure) {
      let connection = try contact(target, ending.result.file)
      if !isOnly, let type = arguments.type, !connection.serves(type), !arguments.handling.force {
        ending.next = "\(connection.name) can't print \(type.plural.lowercased())."
        return ending
      }
      if !isOnly, let trouble = connection.trouble {
        (ending.next, ending.wouldWait) = ("\(connection.name): \(trouble).", true)
        return ending
      }
      (ending.result.printer, ending.result.uri) = (connection.name, connection.target.uri)
      var job = try plan(task, on: connection)
      ending.result.ticket = job.document.ticket
      try check(&job)
      if arguments.isDryRun {
        try show(job)
        return ending
      }
      let (entry, pages) = try begin(job, as: given)
      ending.result.job = entry.record.id
      let isAhead = isAhead()
      let (outcome, ticket) = try submit(
        job, pages, entry, isNew: given == nil, isLast: isLast, isAhead: isAhead)
      ending.result.ticket = ticket
      ending.result.take(outcome, of: entry)
      if isAhead, outcome.mayTryNextPrinter { ending.held = entry }
      if !isLast, outcome.mayTryNextPrinter { ending.next = outcome.message ?? "" }
    } catch {
      let isOver = error.reason != .notSupported && ![.unavailable, .notNow].contains(error.code)
      if isOver {
        ending.result.fail(error)
      } else {
        ending.passed.append((error, ending.result.printer, ending.result.uri))
        if isOnly { ending.failAsWorst() } else { ending.next = error.event }
      }
    }
    return ending
  }

  func tell(_ file: String, _ note: String) { report(.event(file: file, .note(note))) }

  /// Returns the connection to the printer, made once for all files.
  private func contact(_ target: PrinterReference, _ file: String) throws(Failure)
    -> PrinterConnection
  {
    if let connection = connections[target.uri] {
      report(.event(file: file, .reached(printer: connection.name)))
      return connection
    }
    report(.event(file: file, .contacting(printer: target.name)))
    // If `--timeout` is shorter than the wait for a printer that may be asleep, use that.
    let longest = PrinterConnection.wakeTimeout
    let timeout = min(arguments.handling.timeout ?? longest, longest)
    // Its notices are told below, with the file.
    var silent = context
    silent.note = { _ in }
    let made = try PrinterConnection.reach(
      target, silent, timeout: timeout, cancellation: cancellation)
    connections[target.uri] = made
    made.rememberStatus(nil, context)
    for notice in made.notices { report(.event(file: file, .aboutPrinter(notice))) }
    report(.event(file: file, .reached(printer: made.name)))
    return made
  }

  /// Plans the job at a printer, by the request that the arguments make for the document and the printer.
  private func plan(_ task: PrintTask, on connection: PrinterConnection) throws(Failure)
    -> PlannedJob
  {
    let type = arguments.type ?? task.document.info.guessedType
    let request = try arguments.request(
      type: type, on: connection.target, try context.settings.configuration())
    do throws(Failure) {
      return try plan(task, on: connection, request)
    } catch {
      var hint = try typeHint(arguments.type, at: connection)
      if hint == nil, [.mediaEmpty, .notSupported].contains(error.reason) {
        hint = try paperHint(request, for: type, at: connection)
      }
      guard let hint else { throw error }
      throw error.adding("\(hint).")
    }
  }

  func plan(
    _ task: PrintTask, on connection: PrinterConnection, _ request: PrintRequest
  ) throws(Failure) -> PlannedJob {
    var document = try task.document.layOut(for: request, on: connection.namedCapabilities)
    let ticket = document.ticket
    if arguments.files.count > 1, ticket.numberUp > ticket.pages.count, !ticket.isBooklet,
      request.fromSettings[PrintOption.numberUp.rawValue] == nil
    {
      document.ticket.ledger.add(
        .note(
          "Each file is printed on sheets of its own: --number-up \(ticket.numberUp) does not put several files on one."
        ))
    }
    if let choice = task.choice {
      document.ticket.reasons.insert(choice, at: 0)
    } else if arguments.choosesPrinter,
      let hint = try typeHint(task.document.info.sureType, at: connection)
    {
      document.ticket.reasons.insert("printer: \(connection.name), the default; \(hint)", at: 0)
    }
    return PlannedJob(task: task, connection: connection, request: request, document: document)
  }

  /// Checks what is left to check before a job is begun, and reports the plan's warnings.
  private func check(_ job: inout PlannedJob) throws(Failure) {
    for reason in job.document.ticket.reasons { log.debug("\(reason)") }
    if arguments.needsPIN, arguments.pin == nil {
      throw .usage(
        "The job had a PIN, which is not saved: give it again with --pin-file. Nothing was sent.")
    }
    job.secret = try job.connection.jobPassword(arguments.pin)
    if arguments.isDryRun || arguments.handling.strict {
      let drawn = try job.document.drawFirst()
      job.document.ticket.reasons += drawn.reasons
      try job.document.ticket.ledger.add(drawn.losses, strict: arguments.handling.strict)
    }
    tellWarnings(of: job)
  }

  /// Reports the ticket's warnings, but not of an empty tray if the job will be watched at a printer that tells so: then
  /// it is told while the job waits.
  private func tellWarnings(of job: PlannedJob) {
    let isTold =
      !arguments.isDryRun && !arguments.handling.endsWhenSent
      && job.connection.status.reasons.map(StateReason.init).contains(where: \.needsPaper)
    let ticket = job.document.ticket
    let told = isTold ? ticket.paper.emptyWarning(of: job.connection.name) : nil
    for entry in ticket.ledger.entries where entry.message != told {
      report(.event(file: job.file, .told(entry)))
    }
  }

  /// Reports the plan, and what the printer says of it if it is to be asked.
  private func show(_ job: PlannedJob) throws(Failure) {
    let document = job.document
    var ticket = document.ticket
    for note in arguments.asks ? try ask(job) : [] { ticket.ledger.add(.note(note)) }
    let isItself = document.file === job.task.document.file
    report(
      .plan(
        PrintPlan(
          printer: job.connection.name, uri: job.connection.target.uri,
          file: isItself ? job.file : document.file.path, mediaType: document.file.mediaType,
          pages: document.info.pages.count, sheets: document.sheets, ticket: ticket)))
  }
}

/// A document laid out for a printer.
struct PlannedJob {
  let task: PrintTask
  let connection: PrinterConnection
  let request: PrintRequest
  var document: LaidOutDocument
  /// job-password and job-password-encryption.
  var secret: [Attribute] = []
  /// The document's name in messages.
  var file: String { task.document.name }
}

extension PrinterConnection {
  /// True if the printer supports the type; one that does not state any types may support all.
  func serves(_ type: JobType) -> Bool {
    capabilities.types.isEmpty || capabilities.types.contains(type)
  }
}

extension PrintResult {
  /// Takes over the end of a job at one printer: `airprint move` may go on with it at another.
  fileprivate mutating func take(_ outcome: JobOutcome, of entry: JournalEntry) {
    take(outcome)
    guard outcome.nothingPrinted != nil, entry.isCanceled(by: .move) else { return }
    isLeft = true
    message =
      "The job was taken from \(entry.record.printer) to be moved. To wait for it, run: airprint wait \(entry.record.id)"
  }
}
