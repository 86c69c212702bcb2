package import AirprintContext
internal import Logging
internal import Negotiation
internal import PrintModel
internal import PrintOptions
package import Printers
internal import Rendering
internal import Settings
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
  private var sessions: [String: PrinterConnection] = [:]
  /// The clock for the time limit of a job.
  var clock = WaitingClock.machine
  /// True while the previous file still prints: a job that the printer does not accept now is held instead of waited
  /// for.
  var isAhead: () -> Bool = { false }
  /// The job of a file that was ahead and could not be sent yet.
  var held: JournalEntry?
  /// The reason for the current file's printer, as a line of its plan; nil if the document did not choose it.
  var choice: String?
  /// The document opened last.
  private(set) var document: OpenDocument?

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

  func forgetSessions() { sessions = [:] }

  /// Stores the printers' answers, and cancels empty jobs of earlier runs, now that nobody waits for this one.
  func tidyUp() {
    for session in sessions.values { session.rememberAnswer(context) }
    guard !arguments.isDryRun else { return }
    for session in sessions.values {
      var cleanup = OrphanedJobCleanup(context.journal, at: session.target.uri, user: context.user)
      cleanup.sweep(over: session.connection)
    }
  }

  /// Result of trying one printer for a file.
  private enum Attempt {
    /// The file has ended as stated in the result.
    case over
    /// The printer accepts it, but waits for someone to fix a problem.
    ///
    /// Nothing was sent.
    case wouldWait(String)
    /// The printer can't accept it now.
    ///
    /// Nothing was sent.
    case notNow(String)
  }

  /// Prints one file: on the first printer that is ready, if there is a choice; else on the first that answers, which
  /// is waited for.
  func printOne(
    _ file: String, as entry: JournalEntry?, _ result: inout PrintResult
  ) throws(Failure) {
    document = nil
    let (document, targets) = try documentAndTargets(file)
    self.document = document
    (result.printer, result.uri) = (targets[0].name, targets[0].uri)
    var waitable: PrinterReference?
    for (index, target) in targets.enumerated() {
      let isLast = index == targets.count - 1
      let attempt = try attempt(
        document, at: target, isLast: isLast, isOnly: isLast && waitable == nil, as: entry, &result)
      switch attempt {
      case .over: return
      case .wouldWait(let trouble):
        waitable = waitable ?? target
        if !isLast { tell(file, "\(trouble). Trying the next printer.") }
      case .notNow(let why):
        if !isLast { tell(file, "\(why) Trying the next printer.") }
      }
    }
    guard let waitable else { throw Failure(.fault, "There is no printer.") }
    _ = try attempt(document, at: waitable, isLast: true, isOnly: true, as: entry, &result)
  }

  /// Tries one printer.
  ///
  /// `isLast`: no other printer follows. `isOnly`: no earlier printer can be waited for either, so this one is, and its
  /// failure is that of the file.
  private func attempt(
    _ document: OpenDocument, at target: PrinterReference, isLast: Bool, isOnly: Bool,
    as entry: JournalEntry?, _ result: inout PrintResult
  ) throws(Failure) -> Attempt {
    do throws(Failure) {
      let session = try contact(target, document.file.path)
      if !isOnly, let type = arguments.type, !session.serves(type), !arguments.handling.force {
        return .notNow("\(session.name) can't print \(type.plural.lowercased()).")
      }
      if !isOnly, let trouble = session.trouble {
        return .wouldWait("\(session.name): \(trouble)")
      }
      return try print(document, at: session, as: entry, &result, isLast: isLast)
    } catch {
      guard !isOnly,
        error.reason == .notSupported || [.unavailable, .notNow].contains(error.code)
      else { throw error }
      return .notNow(error.event)
    }
  }

  private func tell(_ file: String, _ note: String) {
    report(.event(file: arguments.names[file] ?? file, .note(note)))
  }

  /// Returns the connection to the printer, made once for all files.
  private func contact(_ target: PrinterReference, _ file: String) throws(Failure)
    -> PrinterConnection
  {
    let name = arguments.names[file] ?? file
    if let session = sessions[target.uri] {
      report(.event(file: name, .reached(printer: session.name)))
      return session
    }
    report(.event(file: name, .contacting(printer: target.name)))
    // If `--timeout` is shorter than the wait for a printer that may be asleep, use that.
    let longest = PrinterConnection.wakePatience
    let patience = min(arguments.handling.timeout ?? longest, longest)
    // Its notices are told below, with the file.
    var silent = context
    silent.note = { _ in }
    let made = try PrinterConnection.reach(
      target, silent, patience: patience, cancellation: cancellation)
    sessions[target.uri] = made
    made.rememberStatus(nil, context)
    for notice in made.notices { tell(file, notice) }
    report(.event(file: name, .reached(printer: made.name)))
    return made
  }

  /// Makes the ticket, negotiated again if the paper reveals new facts about the document.
  ///
  /// `format` is the raster that replaces a format which the printer could not read.
  func plan(
    _ document: OpenDocument, on session: PrinterConnection, _ configuration: Configuration,
    format: PrintRequest.FormatOption? = nil
  ) throws(Failure) -> Ticket {
    let type = arguments.type ?? document.info.guessedType
    var request = try arguments.request(type: type, on: session.target, configuration)
    if let format { request.format = format }
    var ticket = try document.ticket(
      for: request, on: session.namedCapabilities, context.region, arguments)
    if arguments.files.count > 1, ticket.numberUp > ticket.pages.count, !ticket.isBooklet,
      request.fromSettings[PrintOption.numberUp.rawValue] == nil
    {
      ticket.ledger.add(
        .note(
          "Each file is printed on sheets of its own: --number-up \(ticket.numberUp) does not put several files on one."
        ))
    }
    if let choice {
      ticket.reasons.insert(choice, at: 0)
    } else if arguments.choosesPrinter, let hint = try typeHint(document.info.sureType, at: session)
    {
      ticket.reasons.insert("printer: \(session.name), the default; \(hint)", at: 0)
    }
    return ticket
  }

  /// Reports the ticket's warnings, but not of an empty tray if the job will be watched at a printer that tells so: then
  /// it is told while the job waits.
  private func tellWarnings(of ticket: Ticket, at session: PrinterConnection, _ file: String) {
    let isTold =
      !arguments.isDryRun && !arguments.handling.endsWhenSent
      && session.status.reasons.map(StateReason.init).contains(where: \.needsPaper)
    let told = isTold ? ticket.paper.emptyWarning(of: session.name) : nil
    for entry in ticket.ledger.entries where entry.message != told {
      report(.event(file: file, .told(entry)))
    }
  }

  /// Prints on one printer.
  private func print(
    _ document: OpenDocument, at session: PrinterConnection, as entry: JournalEntry?,
    _ result: inout PrintResult, isLast: Bool
  ) throws(Failure) -> Attempt {
    let configuration = try context.settings.configuration()
    let file = arguments.names[document.file.path] ?? document.file.path
    result.printer = session.name
    result.uri = session.target.uri
    var ticket: Ticket
    do throws(Failure) {
      ticket = try plan(document, on: session, configuration)
    } catch {
      var hint = try typeHint(arguments.type, at: session)
      if hint == nil, [.mediaEmpty, .notSupported].contains(error.reason) {
        hint = try paperHint(for: document, at: session)
      }
      guard let hint else { throw error }
      throw error.adding("\(hint).")
    }
    result.ticket = ticket
    for reason in ticket.reasons { log.debug("\(reason)") }
    if arguments.needsPIN, arguments.pin == nil {
      throw Failure(
        .usage,
        "The job had a PIN, which is not saved: give it again with --pin-file. Nothing was sent.")
    }
    let secret = try session.jobPassword(arguments.pin)
    tellWarnings(of: ticket, at: session, file)
    if arguments.isDryRun {
      ticket.reasons += try document.rendererReasons(for: ticket)
      if arguments.asks { try ask(document, ticket, secret, on: session, configuration) }
      report(
        .plan(
          PrintPlan(
            printer: session.name, uri: session.target.uri,
            file: document.printed === document.file ? file : document.printed.path,
            mediaType: document.printed.mediaType, pages: document.info.pages.count, ticket: ticket)
        ))
      return .over
    }
    let outcome = try submit(
      document, ticket, secret, on: session, configuration, as: entry, &result, isLast: isLast)
    result.take(outcome)
    return !isLast && outcome.isElsewhere ? .notNow(outcome.message ?? "") : .over
  }
}

extension PrinterConnection {
  /// True if the printer supports the type; one that does not state any types may support all.
  func serves(_ type: JobType) -> Bool {
    capabilities.types.isEmpty || capabilities.types.contains(type)
  }
}
