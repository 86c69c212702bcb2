internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import Printers
internal import Printing
internal import PrintModel
internal import PrintOptions
internal import System
internal import Terminal

/// `airprint print`.
struct Print: AirprintCommand, PrintFlags {
  static let configuration = CommandConfiguration(
    "print", "Print files and wait until they have been printed.", usage: "[<file> ...]",
    examples: [
      "airprint print report.pdf", "airprint print --type receipt receipt.pdf",
      "make-label | airprint print --type label -n 3",
    ],
    notes: """
      print --help-all shows every option.
      """
  ).ofAirprint

  @Argument("Files to print; none or - is standard input.", value: "file", completion: .file())
  var files: [String] = []

  @OptionGroup(title: HelpTitle.everyday) var printer: PrinterOption
  @OptionGroup(title: HelpTitle.everyday) var everyday: EverydayOptions
  @OptionGroup(title: HelpTitle.paper, visibility: .rare) var sheet: PaperOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var page: PageOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var insistence: InsistenceOptions
  @OptionGroup(title: HelpTitle.everyday) var trial: DryRunOption
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var protection: PasswordOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var credentials: CredentialsOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var secrecy: PINOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var time: TimeOptions
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = try credentials.context(context, output)
    let questions = CredentialQuestions()
    if output.mayAsk(context) {
      context.askForCredentials = questions.ask
    }
    do {
      try await print(context, output, questions)
    } catch let failure as Failure {
      if time.notify { announce(failure, context) }
      throw failure
    }
  }

  /// Refuses secrets for a job that is printed later: they are not kept in the journal.
  private func refuseUnkeptSecrets(_ context: Context) throws(Failure) {
    if context.passwordFile != nil, time.later {
      throw .usage(
        "--password-file is read when the job is printed: give it to airprint queue run, or use "
          + "airprint login.")
    }
    if time.detach { try refuseFleetingPassword(context) }
    if secrecy.pinFile != nil, time.later || time.detach {
      throw .usage(
        "--pin-file can't be used with --detach or --later: a PIN is not kept in the journal.")
    }
  }

  private func print(
    _ context: Context, _ output: CommandOutput, _ questions: CredentialQuestions
  ) async throws {
    try refuseUnkeptSecrets(context)
    var arguments = try arguments()
    arguments.password = try await protection.password()
    arguments.pin = try await secrecy.pin()
    arguments.handling.notifies = time.notify
    arguments.printers = try printer.names(context)
    arguments.choosesPrinter = arguments.printers.isEmpty && arguments.type == nil
    try arguments.refusePrintersAmongFiles(context)
    if arguments.password == nil {
      arguments.password = await askForDocumentPassword(of: arguments.files, context, output)
    }
    if time.later { return try await queue(arguments, context, output) }
    var notes: [String] = []
    let targets = try await targets(for: arguments, context, output) {
      notes.append($0)
      output.message($0)
    }
    arguments.notes = notes
    let cancellation = Cancellation.catchingSignals()
    if time.detach {
      return try await showStored(output) { [arguments, context] in
        await printDetached(arguments, at: targets, context, cancellation: cancellation, each: $0)
      }
    }
    do {
      let progress = PrintProgress(
        output, printer: targets.first?.name ?? "the printer", files: arguments.files.count,
        isDryRun: trial.dryRun, likeLp: time.lp,
        offersLater: !asksForLater(arguments, context, output) && !trial.dryRun
          && arguments.pin == nil)
      try await progress.show(
        all: startPrinting(arguments, at: targets, context, cancellation: cancellation))
      for target in targets where questions.answered.contains(target.name) {
        output.message("To save this password, run: airprint login \(target.commandWord)")
      }
    } catch let exit as SilentExit where exit.exitCode == .unavailable {
      guard asksForLater(arguments, context, output), await wantsItLater() else { throw exit }
      let name = targets.first?.name ?? "The printer"
      try await queue(
        arguments, context, output,
        after: Failure(.unavailable, "\(name) did not answer."))
    }
  }

  /// Returns true if `wantsItLater` can ask: a single file, which can be read again, and a user at a terminal.
  private func asksForLater(
    _ arguments: PrintArguments, _ context: Context, _ output: CommandOutput
  ) -> Bool {
    output.mayAsk(context) && isatty(0) == 1 && !arguments.isDryRun
      && arguments.files.count == 1 && arguments.files[0] != "-" && arguments.pin == nil
  }

  /// Asks if the file should be printed when its printer is available.
  private func wantsItLater() async -> Bool {
    let question = "Print it later, when the printer is available?"
    return (try? await confirm(question, default: true)) ?? false
  }

  /// Returns the printers to print on.
  ///
  /// If none is saved, a user at a terminal chooses one, which is saved; without a terminal, nobody is asked. `note` gets
  /// sentences about those that were not found.
  private func targets(
    for arguments: PrintArguments, _ context: Context, _ output: CommandOutput,
    note: @escaping (String) -> Void
  ) async throws -> [PrinterReference] {
    if arguments.files.contains("-"), arguments.choosesPrinter {
      try await onThread { () throws(Failure) in try InputFile.keepStandardInput(context) }
    }
    var type = arguments.type
    var filter = ""
    do throws(Failure) {
      let found = try await findPrinters(arguments.printers, for: type, context, note: note)
      if !found.isEmpty { return found }
      if arguments.choosesPrinter {
        let types = try await onThread { () throws(Failure) in
          try arguments.typesWithoutPrinter(context, cancellation: Cancellation())
        }
        if types.isEmpty { return [] }
        if types.allSatisfy({ $0 == .receipt }) { type = .receipt }
      }
    } catch {
      // For a part of several names, show the list of those if there is a terminal.
      guard let name = arguments.printers.first, arguments.printers.count == 1,
        error.reason == .ambiguousPrinter, output.mayAsk(context)
      else { throw error }
      filter = name
    }
    guard output.mayAsk(context) else {
      throw Failure.noPrinterSaved(for: type, context)
    }
    if let missing = arguments.files.first(where: { !InputFile.exists($0) }) {
      throw Failure.unreadable("\(missing): No such file. No printer was chosen.")
    }
    var search = DiscoveryArguments()
    var pick = PickArguments()
    if filter.isEmpty {
      search.types = type.map { [$0] } ?? []
      pick.types = search.types
    } else {
      pick.keepsDefault = true
    }
    do {
      let picked = try await pickOnTerminal(search, pick, context, filter: filter)
      for line in picked.assignment.sentences { output.message(line) }
      return [PrinterReference(picked.printer)]
    } catch let exit as SilentExit where exit.exitCode == .nothing {
      output.message("Nothing was printed.")
      throw exit
    }
  }

  /// Returns the typed options as one value; invalid ones are refused before any file or printer is used.
  private func arguments() throws(Failure) -> PrintArguments {
    var arguments = try job.arguments(for: files, self)
    arguments.isDryRun = trial.dryRun
    arguments.asks = trial.ask
    let typed = [
      (trial.dryRun, "dry-run"), (time.detach, "detach"), (time.later, "later"),
      (time.lp && global.json, "json"), (time.lp, "lp"),
    ].filter(\.0).map(\.1)
    guard typed.count < 2 else {
      throw .usage("--\(typed[0]) and --\(typed[1]) can't be used together.")
    }
    return arguments
  }
}

/// `--dry-run`.
struct DryRunOption: ParsableArguments {
  @Flag(help: "Show what would be printed and why; send nothing.")
  var dryRun = false

  @Flag(help: "With --dry-run: ask the printer if it would accept the job.")
  var ask = false

  mutating func validate() throws {
    if ask, !dryRun { throw ValidationError("--ask can only be used with --dry-run.") }
  }
}

/// Options for handling the job: its name, its attributes, how long to wait.
struct JobOptions: ParsableArguments {
  @Option("The job's name (default: the file's name).", value: "name", name: [.short, .long])
  var title: String?

  @Option(
    "Any IPP job attribute the printer supports, or an lp option: fit-to-page, media=A4,Tray2.",
    value: "name=value", name: [.customShort("o"), .customLong("option")],
    completion: .list(PrintOption.lpNames))
  var options: [String] = []

  @Flag(
    help:
      "Hold the job on the printer until airprint release, or until WHEN with --hold WHEN (18:00, night)."
  )
  var hold = false

  @Option(
    "The same as --hold WHEN: a time of the day, or night, evening, weekend and the like.",
    value: "when", name: [.customShort("H"), .long], completion: .list(HoldTime.keywords))
  var holdUntil: String?

  @Option(
    "The job's priority among those waiting at the printer, from 1 (last) to 100 (first).",
    value: "number")
  var priority: Int?

  @Option(
    "Send the job in this user's name (default: yours).", value: "name",
    name: [.customShort("U"), .long])
  var user: String?

  @Option("The account that pays for the job (job-account-id).", value: "name")
  var account: String?

  @Option(
    "The kind of account: general, group or none.", value: "keyword",
    completion: .list(PrintOption.usualAccountTypes))
  var accountType: String?

  @Option("The user of the account that pays (job-accounting-user-id).", value: "name")
  var accountUser: String?

  @Flag(help: "Exit once the printer has received the whole document.")
  var noWait = false

  @Option(
    "Give up after this many seconds without progress, or 5m, 1h (default: 300; on a terminal: never).",
    value: "seconds")
  var timeout: String?

  @Option(
    "What to do with the job on timeout if no sheet has been printed: cancel (default) or leave.",
    value: "what")
  var onTimeout: String?

  @Flag(help: "Stop after the first file that fails; if one is missing, print nothing.")
  var stopOnError = false

  /// Returns `--hold` and `--priority` as job attributes (RFC 8011 §5.2.1, §5.2.2).
  private func courseAtPrinter() throws(Failure) -> [String] {
    var options: [String] = []
    if let holdUntil {
      options.append("job-hold-until=\(try HoldTime.value(holdUntil))")
    } else if hold {
      options.append("job-hold-until=indefinite")
    }
    if let priority { options.append("job-priority=\(priority)") }
    return options
  }

  /// Parses `--timeout` in seconds; exit 64 if invalid.
  static func seconds(_ text: String) throws(Failure) -> Int {
    guard let seconds = PrintOption.seconds(text) else {
      throw .usage("--timeout \(text): takes a number of seconds, 1 or more, or 5m, 1h.")
    }
    return seconds
  }

  /// Makes the arguments of the typed file names, where none means standard input; exit 64 for invalid options.
  func arguments(for files: [String], _ print: some PrintFlags) throws(Failure) -> PrintArguments {
    // A renderer may need no data.
    let isTyped = files.isEmpty && isatty(0) == 1
    let isFromNothing = print.page.renderer != nil && isTyped
    let seconds = try timeout.map { (text) throws(Failure) in try JobOptions.seconds(text) }
    let named = isFromNothing ? ["/dev/null"] : files.isEmpty ? ["-"] : files
    var arguments = try print.arguments(files: named, jobOptions: options + courseAtPrinter())
    arguments.title = title
    // The title, which is each file's own, has just been set.
    arguments.typed += printOptions.filter { $0.option != .title }
    try arguments.validate()
    if files.isEmpty, !isFromNothing { try arguments.refuseEatenFile() }
    if isTyped, !isFromNothing {
      throw .usage("Nothing to print: name a file, or pipe a document in.")
    }
    arguments.handling.endsWhenSent = noWait
    arguments.stopsOnError = stopOnError
    arguments.handling.timeout = seconds.map { .seconds($0) }
    if let onTimeout, !["cancel", "leave"].contains(onTimeout) {
      throw .usage("--on-timeout \(onTimeout): takes cancel or leave.")
    }
    arguments.handling.leavesOnTimeout = onTimeout.map { $0 == "leave" }
    return arguments
  }
}

/// Options for `print` to end before it has printed.
struct TimeOptions: ParsableArguments {
  @Flag(help: "Save the job, write its ID to standard output, and print in the background.")
  var detach = false

  @Flag(help: "Queue the document to be printed later, like airprint queue add.")
  var later = false

  @Flag(help: "Show a desktop notification when a job ends, or waits for someone.")
  var notify = false

  @Flag(help: "Write \"request id is PRINTER-NUMBER (1 file(s))\" for each file sent, as lp does.")
  var lp = false
}

/// The time until which a job is held, as accepted by `--hold` and `lp -H`.
enum HoldTime {
  /// job-hold-until's keywords (RFC 8011 §5.2.2), except no-hold.
  static let keywords = [
    "indefinite", "day-time", "evening", "night", "weekend", "second-shift", "third-shift",
  ]

  /// lp's words for two of them.
  private static let lp = ["hold": "indefinite", "immediate": "no-hold"]

  /// Returns true for a time after `--hold`, where a file could follow as well; exit 64 if it is neither.
  ///
  /// A mistyped file is more likely than a printer's own name for a time, which `--hold=NAME` accepts.
  static func isMeant(_ word: String) throws(Failure) -> Bool {
    if isUsual(word.lowercased()) { return true }
    guard !word.hasPrefix("-"), !word.contains("://"), access(word, F_OK) != 0 else { return false }
    throw refused(word, "there is no such file either")
  }

  private static func isUsual(_ word: String) -> Bool {
    keywords.contains(word) || lp[word] != nil || word == "no-hold" || ClockTime(word) != nil
  }

  private static func refused(_ text: String, _ more: String? = nil) -> Failure {
    Failure.usage(
      "--hold \(text): takes a time of the day (18:00), or \(keywords.inWords(joinedBy: "or"))"
        + (more.map { "; \($0)." } ?? "."))
  }

  /// Returns the value of job-hold-until; exit 64 if it is not a time, with the command for lp's other uses of this
  /// option.
  static func value(_ text: String) throws(Failure) -> String {
    let word = text.lowercased()
    switch word {
    case "resume": throw .usage("-H resume: airprint release JOB lets a held job print.")
    case "restart": throw .usage("-H restart: airprint reprint JOB prints a job again.")
    default: break
    }
    // A printer may have its own names.
    let isName = word.allSatisfy { $0.isASCII && ($0.isLetter || "-_".contains($0)) }
    guard ClockTime(word) != nil || isName && !word.isEmpty else {
      throw refused(text)
    }
    return lp[word] ?? (isUsual(word) ? word : text)
  }
}

/// Asks on the terminal for the password of protected PDF documents among `files`; nil if none is protected or there is
/// no terminal: then opening the document reports the problem.
///
/// One password opens all of them, as with `--document-password-file`.
func askForDocumentPassword(
  of files: [String], _ context: Context, _ output: CommandOutput
) async -> String? {
  guard output.mayAsk(context) else { return nil }
  let cancellation = Cancellation.catchingSignals()
  for file in files where await isProtected(file) {
    var password: String?
    // The same number of attempts as login(1).
    for _ in 0..<3 {
      let report = await checkFile(
        file, password: password, for: [], context, cancellation: cancellation)
      guard report.reason == .documentPassword else { break }
      if password != nil { output.complain("Wrong password.") }
      password = try? await asking { (prompt) throws(TerminalError) in
        try await prompt.secret("Password for \(Context.lastComponent(file))")
      }
      if password == nil { return nil }
    }
    if let password { return password }
  }
  return nil
}
