internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import Jobs
internal import Printers
internal import Printing
internal import PrintModel
internal import System
internal import Terminal

/// `airprint queue`.
struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Print later, when the printer is available.",
    discussion: """
        airprint queue add report.pdf
        airprint queue run
      """,
    subcommands: [
      QueueAdd.self, QueueList.self, QueueShow.self, QueueRemove.self, QueueRunCommand.self,
      QueueWatchCommand.self,
    ], defaultSubcommand: QueueList.self)
}

/// `airprint queue add`.
struct QueueAdd: AirprintCommand, PrintFlags {
  static let configuration = CommandConfiguration(
    "queue add", "Add documents to the queue without contacting a printer.",
    usage: "[<file> ...]",
    examples: [
      "airprint queue add report.pdf", "airprint queue add -d Till --type receipt receipt.pdf",
    ],
    notes: """
      It takes print's options; queue add --help-all shows every option.
      """)

  @Argument("Files to queue; none or - is standard input.", value: "file", completion: .file())
  var files: [String] = []

  @OptionGroup(title: HelpTitle.everyday) var printer: PrinterOption
  @OptionGroup(title: HelpTitle.everyday) var everyday: EverydayOptions
  @OptionGroup(title: HelpTitle.paper, visibility: .rare) var sheet: PaperOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var page: PageOptions
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var insistence: InsistenceOptions
  @OptionGroup(title: HelpTitle.page, visibility: .rare) var protection: PasswordOption
  @OptionGroup(title: HelpTitle.job, visibility: .rare) var job: JobOptions
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var arguments = try job.arguments(for: files, self)
    try arguments.refusePrintersAmongFiles(context, for: "queue add")
    arguments.password = try await protection.password()
    arguments.printers = try printer.names(context)
    try await queue(arguments, context, output)
  }
}

/// Queues documents and writes their jobs' IDs to standard output, each when it is durable.
///
/// - `failure`: the result of trying to print them.
func queue(
  _ arguments: PrintArguments, _ context: Context, _ output: CommandOutput,
  after failure: Failure? = nil
) async throws {
  let doubts = try unknownPrinters(arguments.printers, context).map { name, suggestion in
    "No printer is saved as \"\(name)\"\(suggestion). The job waits for one on the network that is called exactly that."
  }
  for doubt in doubts { output.complain(doubt) }
  let cancellation = Cancellation.catchingSignals()
  try await showStored(output) { result in
    let place = result.printer.map { " for \($0)" } ?? ""
    return "Queued \(result.title)\(place) (\(result.job ?? "")). Print it with: airprint queue run"
  } work: { each in
    await addToQueue(arguments, after: failure, context, cancellation: cancellation) { result in
      var result = result
      if result.job != nil, !doubts.isEmpty { result.warnings = (result.warnings ?? []) + doubts }
      each(result)
    }
  }
}

/// Shows the results of `work`, which stores documents as jobs, each when it is durable: its ID on standard output, and
/// `sentence`; exits with the worst of their codes, or by the signal that ended it.
func showStored(
  _ output: CommandOutput, sentence: (PrintResult) -> String? = { _ in nil },
  work: @escaping @Sendable (@escaping @Sendable (PrintResult) -> Void) async -> Void
) async throws {
  let (results, continuation) = AsyncStream<PrintResult>.makeStream()
  Task {
    await work { continuation.yield($0) }
    continuation.finish()
  }
  var codes: [PrintModel.ExitCode] = []
  for await result in results {
    codes.append(result.exitCode)
    let words = sentence(result)
    output.tell(of: result.job, result.file) {
      if output.isJSON {
        try output.jsonLine(result)
      } else if let job = result.job, words == nil || !output.saysAll {
        try output.line(job)
      }
    }
    if result.exitCode != .success {
      output.complain("airprint: \(result.complaint)")
    } else if let words {
      output.message(words)
    }
  }
  if let signal = Cancellation.catchingSignals().signal {
    Cancellation.takeItsCourse(signal: signal)
  }
  try SilentExit.end(withWorstOf: codes)
}

/// `airprint queue list`.
struct QueueList: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue list", "List queued documents and why they wait.", usage: "",
    examples: ["airprint queue list", "airprint queue list --json"])

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let (jobs, unreadable) = try await queuedJobs(context)
    try show(jobs, output)
    for failure in unreadable { output.complain("airprint: \(failure.message)") }
    try SilentExit.end(withWorstOf: unreadable.map(\.code))
  }

  private func show(_ jobs: [QueuedJob], _ output: CommandOutput) throws {
    if output.isJSON { return try output.json(jobs) }
    if jobs.isEmpty { return output.message("The queue is empty.") }
    try output.table(
      [
        Column("JOB", usual: 8, importance: 6),
        Column("NAME", minimum: 12, usual: 24, importance: 5),
        Column("ADDED", minimum: 16, usual: 16, importance: 2),
        Column("PAGES", minimum: 3, usual: 5, importance: 1, alignment: .right),
        Column("TYPE", usual: 8, importance: 1),
        Column("PRINTER", minimum: 12, usual: 16, importance: 4),
        Column("WHY", minimum: 12, usual: 30, importance: 3),
      ], jobs.map { $0.cells(isList: output.out.isTerminal) })
  }
}

/// `airprint queue show`.
struct QueueShow: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue show", "Show the options of a queued job.", usage: "<job>",
    examples: ["airprint queue show k7q2m"])

  @Argument(help: "The job, as listed by airprint queue list.", completion: .from(.queuedJobs))
  var job: String

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let job = try await queuedJob(job, context)
    if output.isJSON { return try output.json(job) }
    try output.facts(job.facts)
  }
}

/// `airprint queue remove`.
struct QueueRemove: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue remove", "Remove jobs from the queue.", usage: "[<job> ...]",
    examples: ["airprint queue remove k7q2m", "airprint queue remove --all"])

  @Argument("Jobs, as listed by airprint queue list.", value: "job", completion: .from(.queuedJobs))
  var jobs: [String] = []

  @Flag(help: "Remove every job but those being printed.")
  var all = false

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var named = jobs
    var codes: [PrintModel.ExitCode] = []
    if all != jobs.isEmpty {
      throw Failure.usage(all ? "Name jobs or give --all, not both." : "Name jobs, or give --all.")
    }
    if all {
      let (waiting, unreadable) = try await queuedJobs(context)
      named = waiting.filter { !$0.isBeingPrinted }.map(\.job)
      for failure in unreadable { output.fail(failure) }
      codes = unreadable.map(\.code)
      if named.isEmpty { output.message("The queue is empty.") }
    }
    try await forEach(named, output, after: codes) { job in
      let name = try await removeFromQueue(job, context)
      if output.isJSON { try output.jsonLine(["job": job, "name": name]) }
      output.message("Removed \(name) (job \(job)).")
      return .success
    }
  }
}

extension QueuedJob {
  fileprivate func cells(isList: Bool) -> [Cell] {
    [
      Cell(job, .bold), Cell(name), Cell(isList ? shortTime(created) : localTime(created)),
      Cell(pages.map(String.init) ?? ""), Cell(type?.rawValue ?? ""), Cell(printer ?? "none saved"),
      Cell(isBeingPrinted ? "is being printed" : message ?? "not tried yet", .dim),
    ]
  }

  /// All details.
  fileprivate var facts: [(String, String?)] {
    var facts: [(String, String?)] = [
      ("job", job), ("name", name), ("file", file), ("mime type", mediaType),
      ("added", localTime(created)), ("pages", pages.map(String.init)), ("type", type?.rawValue),
      ("printer", printer ?? "none saved"), ("title", title),
    ]
    facts += options.enumerated().map { ($0 == 0 ? "options" : "", "--\($1.name) \($1.value)") }
    facts += attachments.enumerated().map { ($0 == 0 ? "with" : "", $1) }
    let state = isBeingPrinted ? "is being printed" : message ?? "waiting, not tried yet"
    return facts + [("state", state)]
  }
}

/// `airprint queue run`.
struct QueueRunCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue run", "Print everything in the queue that can be printed.", usage: "[<job> ...]",
    examples: ["airprint queue run", "airprint queue run k7q2m -d Back"])

  @Argument(
    "Only these jobs, as listed by airprint queue list.", value: "job",
    completion: .from(.queuedJobs))
  var jobs: [String] = []

  @OptionGroup var printer: OtherPrinterOption
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let cancellation = Cancellation.catchingSignals()
    let reports = try await runQueue(
      jobs, on: printer.printer,
      isNamed: printer.printer != nil || !jobs.isEmpty || context.passwordFile != nil,
      context, cancellation: cancellation
    ) { output.complain("airprint: \($0)") }
    let progress = QueueProgress(output)
    for await report in reports { try progress.show(report) }
    progress.end(isCut: cancellation.isRaised)
    if let signal = cancellation.signal { Cancellation.takeItsCourse(signal: signal) }
    try SilentExit.end(withWorstOf: progress.codes)
  }
}

/// Shows how the queue is printed: each job when it has ended, and the reasons for which printers wait.
final class QueueProgress {
  private let output: CommandOutput
  private let progress: ProgressLine?
  private(set) var codes: [PrintModel.ExitCode] = []
  /// The reasons why each printer's jobs are left in the queue, and their number.
  private var left: [(why: String, count: Int)] = []
  private var waited: [String: [Trouble]] = [:]

  init(_ output: CommandOutput) {
    self.output = output
    progress = output.progress("Printing the queue")
  }

  /// Removes the progress line, and reports the remaining jobs, unless a signal cut it short.
  func end(isCut: Bool) {
    progress?.end()
    if isCut { return }
    for (why, count) in left where count > 1 {
      output.message("\(count - 1) more \(count == 2 ? "job is" : "jobs are") waiting: \(why)")
    }
    if codes.isEmpty { output.message("There is nothing to print.") }
  }

  func show(_ report: QueueRunEvent) throws {
    switch report {
    case .event(let job, let event): show(event, job)
    case .problem(let failure, let job):
      codes.append(failure.code)
      progress.aside { output.fail(failure, of: job) }
    case .finished(let job, let result, let isWaiting):
      codes.append(result.exitCode)
      try progress.aside { try show(result, job, isWaiting: isWaiting) }
    }
  }

  private func show(_ event: JobEvent, _ job: QueuedJob) {
    switch event {
    case .created, .sent: progress?.begin("Printing \(job.name)")
    case .waiting(let troubles):
      let news = troubles.filter { waited[job.job]?.contains($0) != true }
      waited[job.job] = troubles
      for trouble in news { say("\(job.name): \(trouble.text).") }
    case .told(let entry): say("\(job.name): \(entry.message)")
    case .aboutPrinter(let text): say("\(job.name): \(text)")
    case .contacting, .reached, .sending, .printing, .detail: break
    }
  }

  private func say(_ text: String) { progress.aside { output.message(text) } }

  private func show(_ result: PrintResult, _ job: QueuedJob, isWaiting: Bool) throws {
    if output.isJSON { output.tell(of: job.job, job.name) { try output.jsonLine(result) } }
    if result.exitCode == .success { return output.message(result.praise(as: job.name)) }
    let why = result.message ?? "failed"
    if isWaiting {
      if let known = left.firstIndex(where: { $0.why == why }) {
        left[known].count += 1
        return
      }
      left.append((why, 1))
      // cron mails what is written: with --quiet, a reason is written once, and not by each run.
      if output.isQuiet, job.message == why { return }
      output.complain("airprint: \(job.name) (job \(job.job)) is still waiting: \(why)")
    } else {
      let isStopped = [.interrupted, .terminated].contains(result.exitCode)
      let next = isStopped ? " Print it again with: airprint reprint \(job.job)" : ""
      output.complain("airprint: \(job.name) (job \(job.job)): \(why)\(next)")
    }
  }
}

/// `airprint queue watch`.
struct QueueWatchCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue watch", "Watch for the printers of queued jobs and notify you, or print.", usage: "",
    examples: ["airprint queue watch --print", "systemctl --user enable --now airprint-queue"])

  @Flag(help: "Print queued jobs as soon as their printer is available.")
  var print = false

  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let cancellation = Cancellation.catchingSignals()
    if output.err.isTerminal {
      output.message("Watching for the printers of queued jobs. Ctrl-C ends this.")
    }
    let (reports, continuation) = AsyncStream<QueueWatchEvent>.makeStream()
    let work = Task { [prints = print] in
      defer { continuation.finish() }
      try await watchQueue(prints: prints, context, cancellation: cancellation) {
        continuation.yield($0)
      }
    }
    for await report in reports { try show(report, output) }
    try await work.value
    // A service that is stopped has succeeded.
    if cancellation.signal == SIGINT { Cancellation.takeItsCourse(signal: SIGINT) }
  }

  private func show(_ report: QueueWatchEvent, _ output: CommandOutput) throws {
    /// Writes a printer that appeared or vanished, and the jobs that wait for it; jobs that are printed have lines as in
    /// `print --json`.
    func write(_ event: String, _ printer: String, _ uri: String, _ jobs: [QueuedJob]) throws {
      guard output.isJSON else { return }
      try output.jsonLine(
        JSONObject(["event": event, "printer": printer, "uri": uri, "jobs": jobs.map(\.job)]))
    }
    switch report {
    case .available(let printer, let uri, let jobs):
      try write("available", printer, uri, jobs)
      let count = jobs.count.counted("job")
      let hint = print ? "" : "; airprint queue run prints \(jobs.count == 1 ? "it" : "them")"
      output.message("\(printer) is available: \(count) waiting\(hint).")
    case .gone(let printer, let uri):
      try write("gone", printer, uri, [])
      output.message("\(printer) no longer answers.")
    case .note(let text): output.complain("airprint: \(text)")
    case .printing(.event(let job, let event)):
      if case .told(let entry) = event { output.message("\(job.name): \(entry.message)") }
      if case .waiting(let troubles) = event {
        for trouble in troubles { output.message("\(job.name): \(trouble.text).") }
      }
    case .printing(.problem(let failure, let job)): output.fail(failure, of: job)
    case .printing(.finished(let job, let result, let isWaiting)):
      if output.isJSON { output.tell(of: job.job, job.name) { try output.jsonLine(result) } }
      if result.exitCode == .success { return output.message(result.praise(as: job.name)) }
      let verb = isWaiting ? " is still waiting" : ""
      output.complain(
        "airprint: \(job.name) (job \(job.job))\(verb): \(result.message ?? "failed")")
    }
  }
}
