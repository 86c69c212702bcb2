internal import AirprintKit
internal import ArgumentParser
internal import Glibc
internal import PrintModel
internal import Terminal
internal import Threading

/// `airprint print`.
struct Print: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print files, one job each, and wait until the paper is out.",
    usage: "airprint print [<options>] [<file> ...]",
    discussion: """
        airprint print report.pdf
        airprint print --type receipt receipt.pdf
        make-label | airprint print --type label -n 3

      print --help-all shows every option.
      """)

  @Argument(
    help: ArgumentHelp("Files to print; - or none is standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup(title: HelpTitle.everyday) var printer: PrinterOption
  @OptionGroup var options: PrintOptions
  @OptionGroup(title: HelpTitle.everyday) var trial: DryRunOption
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var protection: PasswordOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobOptions
  @OptionGroup var global: GlobalOptions

  init() {}

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    var wish = try wish()
    wish.password = try await protection.password()
    let target = try await target(for: wish.type, context, output)
    let interruption = Interruption.catchingSignals()
    let progress = PrintProgress(output, printer: target.name, isDryRun: trial.dryRun)
    var codes: [PrintModel.ExitCode] = []
    for await report in printing(wish, at: [target], context, interruption: interruption) {
      if case .finished(let result) = report { codes.append(result.exitCode) }
      try progress.show(report)
    }
    progress.end()
    let worst = PrintModel.ExitCode.worst(of: codes)
    if let signal = interruption.signal, worst == .interrupted || worst == .terminated {
      Interruption.takeItsCourse(signal: signal)
    }
    if worst != .success { throw Quietly(exitCode: worst) }
  }

  /// The printer to print to. With nothing saved somebody at a terminal chooses one, which is saved;
  /// nobody is asked where there is none.
  private func target(
    for type: JobType?, _ context: Context, _ output: Output
  ) async throws -> Target {
    if let target = try await findPrinter(context.meant(printer.printer), for: type, context) {
      return target
    }
    guard context.isInteractive, !output.isJSON, !output.isQuiet else {
      throw noPrinterSaved(for: type)
    }
    var search = DiscoveryWish()
    var pick = PickWish()
    search.types = type.map { [$0] } ?? []
    pick.types = search.types
    return Target(try await pickOnTerminal(search, pick, context).printer)
  }

  /// What was typed, as one value; nonsense is refused before a file or a printer is touched.
  private func wish() throws -> PrintWish {
    if files.isEmpty && isatty(0) == 1 {
      throw Failure(.usage, "There is nothing to print: name a file, or pipe a document in.")
    }
    if let timeout = job.timeout, timeout < 1 {
      throw Failure(.usage, "--timeout \(timeout): takes a number of seconds, 1 or more.")
    }
    var wish = try options.wish(files: files.isEmpty ? ["-"] : files, jobOptions: job.options)
    wish.title = job.title
    wish.isDryRun = trial.dryRun
    wish.endsWhenSent = job.noWait
    wish.stopsOnError = job.stopOnError
    wish.timeout = job.timeout.map { .seconds($0) }
    wish.leavesOnTimeout = job.onTimeout.map { $0 == .leave }
    return wish
  }
}

/// `--dry-run`.
struct DryRunOption: ParsableArguments {
  @Flag(help: "Show what would be done and why; send nothing.")
  var dryRun = false
}

/// What becomes of a job: its name, its attributes, how long it is waited for.
struct JobOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The job's name; usually the file's.", valueName: "name"))
  var title: String?

  @Option(
    name: [.customShort("o"), .customLong("option")],
    help: ArgumentHelp(
      "Any IPP job attribute that the printer knows.", valueName: "name=value"))
  var options: [String] = []

  @Flag(help: "End when the printer has the whole document.")
  var noWait = false

  @Option(
    help: ArgumentHelp(
      "Give up when nothing has gone forward for this long; 300 without a terminal, else never.",
      valueName: "seconds"))
  var timeout: Int?

  @Option(
    help: ArgumentHelp(
      "What becomes of the job when the time is over and no sheet is out: cancel or leave.",
      valueName: "what"), completion: .list(["cancel", "leave"]))
  var onTimeout: TimeoutWish?

  @Flag(help: "Print no more files when one has failed.")
  var stopOnError = false

  enum TimeoutWish: String, ExpressibleByArgument { case cancel, leave }
}
