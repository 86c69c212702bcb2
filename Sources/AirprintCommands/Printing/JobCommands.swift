internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import Jobs
internal import Printers
internal import Printing
internal import PrintModel
internal import System
internal import Terminal

/// `airprint jobs`.
struct JobsCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "jobs", "List your print jobs, or show one.", usage: "[<printer-or-job>]",
    examples: ["airprint jobs", "airprint jobs Till --json", "airprint jobs k7q2m"])

  @Argument(
    help: .init(
      "A job, to show everything about it; or a printer, to list only its jobs, including those other "
        + "programs sent for you.", valueName: "printer-or-job"),
    completion: .from(.jobsAndPrinters))
  var what: String?

  @Option(
    "List at most this many jobs, the newest (default: all active ones and 20 that have ended; with "
      + "--json: all).", value: "number", name: [.customShort("n"), .customLong("limit")])
  var limit: Int?

  @Flag(help: "List every job in the journal.")
  var all = false

  @Flag(help: "Keep the list up to date until interrupted.")
  var watch = false

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let limit, limit < 1 {
      throw ValidationError("--limit \(limit): takes a number, 1 or more.")
    }
    if all, limit != nil { throw ValidationError("--all can't be used with --limit.") }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if let what, let details = try await jobDetails(what, context) {
      if output.isJSON { return try output.json(details) }
      return try show(details, output)
    }
    var target: PrinterReference?
    if let what {
      do throws(Failure) {
        target = try await findPrinter(what, for: nil, context)
      } catch {
        guard error.reason == .unknownPrinter else { throw error }
        target = try printer(ofJobsOn: what, context)
        guard target != nil else {
          throw Failure(
            .unknownJob, "No job or printer \"\(what)\" (see airprint jobs, airprint printers).")
        }
      }
    }
    if watch { try await keepWatching(target, context, output) }
    let jobs = try await listJobs(at: target, context) { output.message($0) }
    if output.isJSON { return try output.json(Array(jobs.suffix(limit ?? jobs.count))) }
    if jobs.isEmpty { return output.message("There are no jobs.") }
    try show(jobs, output)
  }

  /// Returns jobs that have not ended first, in the order in which they print; then the newest.
  private func shown(_ jobs: [JobReport]) -> [JobReport] {
    let sorted = jobs.filter(\.isActive) + jobs.filter { !$0.isActive }.reversed()
    if all { return sorted }
    if let limit { return Array(sorted.prefix(limit)) }
    return Array(sorted.prefix(jobs.count(where: \.isActive) + 20))
  }

  /// Prints the table; with a height, only as many jobs as fit, with lines for the headings, the rest and the cursor.
  private func show(_ jobs: [JobReport], _ output: CommandOutput, height: Int? = nil) throws {
    let shown = shown(jobs).prefix(height.map { max(1, $0 - 3) } ?? .max)
    let isList = output.out.isTerminal
    try output.table(
      [
        Column("JOB", usual: 8, importance: 6),
        Column("STATE", minimum: 10, usual: 12, importance: 5),
        Column("PAGES", minimum: 5, usual: 5, importance: 1, alignment: .right),
        Column("PRINTER", minimum: 12, usual: 16, importance: 2),
        Column("NAME", minimum: 12, usual: 24, importance: 4),
        // A part of a time or of a duration would be another one.
        Column("TIME", minimum: 16, usual: 16, importance: 3),
        Column("TOOK", minimum: 12, usual: 12),
        Column("WHY", minimum: 16, usual: 30, importance: 1),
      ], shown.map { $0.cells(isList: isList) })
    let rest = jobs.count - shown.count
    if rest > 0, limit == nil {
      output.message(
        "\(rest.counted(height == nil ? "older job" : "more job")): airprint jobs --all")
    }
  }

  /// Redraws the list repeatedly on a terminal; elsewhere prints a line for each job that has changed.
  ///
  /// Ends by a signal.
  private func keepWatching(
    _ target: PrinterReference?, _ context: Context, _ output: CommandOutput
  ) async throws {
    let cancellation = Cancellation.catchingSignals()
    var last: [String: String] = [:]
    var isFirst = true
    while true {
      let jobs = try await listJobs(at: target, context)
      if output.out.canRedraw, !output.isJSON {
        try output.out.write("\u{1B}[H\u{1B}[2J")
        if jobs.isEmpty { try output.line("There are no jobs.") }
        try show(jobs, output, height: output.out.size.height)
      } else {
        // With a limit, older jobs are not reported at first.
        let old = isFirst ? jobs.prefix(max(0, jobs.count - (limit ?? jobs.count))) : []
        for job in old { last[job.title] = job.news }
        isFirst = false
        for job in jobs where last.updateValue(job.news, forKey: job.title) != job.news {
          if output.isJSON {
            try output.jsonLine(job)
          } else {
            try output.table([], [job.cells(isList: false)])
          }
        }
      }
      for _ in 0..<10 where !cancellation.isRaised { try await Task.sleep(for: .milliseconds(200)) }
      if let signal = cancellation.signal { Cancellation.takeItsCourse(signal: signal) }
    }
  }

  private func show(_ details: JobDetails, _ output: CommandOutput) throws {
    let job = details.report
    var facts: [(String, String?)] = [
      ("job", job.title), ("name", job.name), ("file", job.file), ("state", job.stateInWords),
      ("why", job.why), ("printer", job.printer), ("address", job.uri),
      ("number", job.jobId.map(String.init)), ("pages", job.pages),
      ("created", job.created.map(localTime)), ("ended", job.ended.map(localTime)),
      ("took", job.took), ("exit", job.exitCode.map(String.init)), ("type", details.type),
    ]
    facts += details.options.map { ("option", "\($0.name)=\($0.value)") }
    facts += details.plan.enumerated().map { ($0 == 0 ? "plan" : "", $1) }
    try output.facts(facts)
  }
}

extension JobReport {
  fileprivate var title: String { job ?? "\(printer)/\(jobId ?? 0)" }

  /// The text by which changes are detected and reported once.
  fileprivate var news: String { "\(stateInWords) \(pages) \(why)" }

  /// The problem of the job, or its result.
  ///
  /// A printer that has stopped reports more details than its job.
  fileprivate var why: String {
    if let trouble { return trouble }
    if exitCode == PrintModel.ExitCode.success.rawValue { return "" }
    let words = reasons.compactMap { StateReason($0).words }.joined(separator: "; ")
    let said = !isActive || words.isEmpty ? message ?? words : words
    // "Printing." only repeats the state.
    return ["printing", stateInWords].contains(said.lowercased().filter { $0 != "." }) ? "" : said
  }

  fileprivate var pages: String {
    // cupsd does not count for queues whose filters don't: 0 pages of a completed job are not a count.
    guard let impressions, impressions > 0 || state != JobState.completed.keyword else { return "" }
    guard isActive, let sides, sides > 0 else { return "\(impressions)" }
    return "\(impressions)/\(sides)"
  }

  /// Time from the request to the end.
  fileprivate var took: String {
    guard let created, let ended else { return "" }
    return elapsed(seconds: Int(ended - created))
  }

  private var style: TerminalStyle? {
    switch stateInWords {
    case "completed": .green
    case "processing", "starting": .cyan
    case "processing-stopped", "held", "queued", "forgotten": .yellow
    case "aborted", "in doubt", "not sent": .red
    default: nil
    }
  }

  fileprivate func cells(isList: Bool) -> [Cell] {
    var state = Cell(stateInWords)
    state.styles = style.map { [$0] } ?? []
    let time = created.map { isList ? shortTime($0) : localTime($0) } ?? ""
    return [
      Cell(title, .bold), state, Cell(pages), Cell(printer), Cell(name), Cell(time), Cell(took),
      Cell(why, .dim),
    ]
  }
}

/// `airprint cancel`.
struct Cancel: AirprintCommand {
  static let configuration = CommandConfiguration(
    "cancel", "Cancel print jobs.", usage: "[<job> ...]",
    examples: [
      "airprint cancel", "airprint cancel k7q2m", "airprint cancel Till/12",
      "airprint cancel --all",
    ])

  @Argument(
    "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one).",
    value: "job", completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @Flag(help: "Cancel every active job.")
  var all = false

  @Option(
    "Cancel another program's job in this user's name.", value: "name",
    name: [.customShort("U"), .long])
  var user: String?

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    if let user { context.user = user }
    var named = try await meantJobs(jobs, all: all, to: "cancel", context)
    if named.isEmpty { return output.message("No job is active.") }
    // The last first: a job that waits must not start because the one before it ends.
    if all { named.reverse() }
    try await change(named, output, "Canceled") { [context] in try await cancelJob($0, context) }
  }
}

/// Calls `act` for every job, as `forEach` does, and tells what it has done.
private func change(
  _ jobs: [String], _ output: CommandOutput, _ done: String,
  _ act: (String) async throws -> JobReport
) async throws {
  try await forEach(jobs, output) { job in
    let report = try await act(job)
    if output.isJSON { try output.jsonLine(report) }
    output.message("\(done) \(report.name) on \(report.printer).")
    return .success
  }
}

/// `airprint release`.
struct Release: AirprintCommand {
  static let configuration = CommandConfiguration(
    "release", "Let held jobs print.", usage: "[<job> ...]",
    examples: ["airprint release k7q2m", "airprint release Till/12", "airprint release --all"])

  @Argument(
    "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only held one).",
    value: "job", completion: .from(.heldJobs))
  var jobs: [String] = []

  @Flag(help: "Release every held job.")
  var all = false

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let named = try await meantJobs(jobs, all: all, to: "release", isHeld: true, context)
    if named.isEmpty { return output.message("No job is held.") }
    try await change(named, output, "Released") { try await changeJob($0, context) }
  }
}

/// `airprint change`.
struct ChangeCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "change", "Change the priority of jobs that wait at a printer, or when they print.",
    usage: "[<job> ...]",
    examples: ["airprint change k7q2m --priority 90", "airprint change Till/12 --hold 18:00"])

  @Argument(
    "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one).",
    value: "job", completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @Option(help: "As for print, from 1 (last) to 100 (first).")
  var priority: Int?

  @Option(
    "Hold them until then, as for print --hold.", value: "when",
    completion: .list(HoldTime.keywords))
  var hold: String?

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if priority == nil, hold == nil { throw ValidationError("Give --priority or --hold.") }
    if let priority, !(1...100).contains(priority) {
      throw ValidationError("--priority \(priority): takes a number from 1 to 100.")
    }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let request = PrintRequest(
      ofHold: try hold.map { (text) throws(Failure) in try HoldTime.value(text) },
      priority: priority)
    let named = try await meantJobs(jobs, to: "change", context)
    try await change(named, output, "Changed") { try await changeJob($0, to: request, context) }
  }
}

/// `airprint move`.
struct MoveCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "move", "Move a job that has not printed yet to another printer.", usage: "<job> <printer>",
    examples: ["airprint move k7q2m Back", "airprint move Till/12 Back"])

  @Argument(
    help: "The job, as listed by airprint jobs or print --lp, or PRINTER/NUMBER.",
    completion: .from(.unfinishedJobs))
  var job: String

  @Argument(
    help: "The printer to move it to, as for print -d; of several, the first that is ready.",
    completion: .from(.savedPrinters))
  var printer: String

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let report = try await moveJob(job, to: printer, context)
    if output.isJSON { try output.jsonLine(report) }
    let next = report.isQueued ? "; airprint queue run prints it" : ""
    output.message("Moved \(report.name) to \(report.printer)\(next).")
  }
}

/// `airprint wait`.
struct Wait: AirprintCommand {
  static let configuration = CommandConfiguration(
    "wait", "Wait for jobs to finish and exit with the status print would have had.",
    usage: "[<job> ...]",
    examples: ["job=$(airprint print --detach receipt.pdf)", "airprint wait $job"])

  @Argument(
    "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one, else the last).",
    value: "job", completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @Option(
    "Wait at most this many seconds for each job (default: until it has ended).", value: "seconds")
  var timeout: Int?

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let timeout, timeout < 0 {
      throw ValidationError("--timeout \(timeout): takes a number of seconds.")
    }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let cancellation = Cancellation.catchingSignals()
    var named = jobs
    if jobs.isEmpty {
      // The queue waits for a command.
      let listed = try await listJobs(at: nil, context).filter { !$0.isQueued }
      guard let last = listed.last else { return output.message("There is no job to wait for.") }
      // What a script waits for may have happened.
      let isOver = !listed.contains(where: \.isActive)
      named = [try isOver ? last.job ?? "" : onlyJob(of: listed, to: "wait for")]
    }
    try await forEach(named, output, cancellation) { job in
      let report = try await waitForJob(
        job, context, timeout: timeout.map { .seconds($0) }, cancellation: cancellation
      ) { output.message($0) }
      if output.isJSON {
        output.tell(of: report.job ?? job, report.name) { try output.jsonLine(report) }
      }
      let code = report.exitCode.flatMap(PrintModel.ExitCode.init) ?? .inDoubt
      if code == .success {
        output.message("Printed \(report.name) on \(report.printer).")
      } else {
        output.complain("airprint: \(report.name): \(report.message ?? "failed")")
      }
      return code
    }
  }
}

/// Calls `act` for every job, even if some fail, and ends with the worst code.
///
/// - `codes`: those of what went before.
/// - `cancellation`: ends the command by its signal after the current job.
/// - `act`: returns the result; errors that it throws are shown.
func forEach(
  _ jobs: [String], _ output: CommandOutput, after codes: [PrintModel.ExitCode] = [],
  _ cancellation: Cancellation? = nil, _ act: (String) async throws -> PrintModel.ExitCode
) async throws {
  var codes = codes
  for job in jobs {
    do {
      codes.append(try await act(job))
    } catch let failure as Failure {
      codes.append(failure.code)
      output.fail(failure, of: job)
    }
    if let signal = cancellation?.signal { Cancellation.takeItsCourse(signal: signal) }
  }
  try SilentExit.end(withWorstOf: codes)
}

/// `airprint reprint`.
struct ReprintCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "reprint", "Print a job again.", usage: "[<job>]",
    examples: [
      "airprint reprint", "airprint reprint k7q2m -d Back -P 2-3",
      "airprint reprint --dry-run --paper A5",
    ])

  @Argument(
    help:
      "The job, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the last printed one).",
    completion: .from(.jobs))
  var job: String?

  @OptionGroup var printer: OtherPrinterOption

  @Option(
    "Pages to print: 1-3,7,9- by position, or labels: iv,A-1.", value: "list",
    name: [.customShort("P"), .long])
  var pages: String?

  @Option(help: "What is printed, as for print.", completion: .words(JobType.self))
  var type: String?

  @Option(help: "Paper, as for print.", completion: .from(.papers))
  var paper: String?

  @Option(
    "Number of copies (default: as before).", value: "number", name: [.customShort("n"), .long])
  var copies: String?

  @OptionGroup var trial: DryRunOption
  @OptionGroup var password: PasswordOption
  @OptionGroup var secrecy: PINOption
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let former = try await reprint(job, context)
    var arguments = former.arguments
    arguments.typed += printOptions
    if let type { arguments.type = try JobType.named(type) }
    arguments.isDryRun = trial.dryRun
    arguments.asks = trial.ask
    try arguments.validate()
    if let password = try await password.password() { arguments.password = password }
    arguments.pin = try await secrecy.pin()
    let names = try printer.printer.map { try printerNames($0, context) }
    var targets = [former.target].compactMap { $0 }
    if names != nil || targets.isEmpty {
      targets = try await findPrinters(
        names ?? former.printers, for: arguments.type, isStored: names == nil, context)
      arguments.choosesPrinter =
        names == nil && former.printers.isEmpty && arguments.type == nil
    }
    let progress = PrintProgress(
      output, printer: targets.first?.name ?? "the printer", isDryRun: trial.dryRun)
    try await progress.show(
      all: startPrinting(
        arguments, at: targets, context, cancellation: Cancellation.catchingSignals()))
  }
}
