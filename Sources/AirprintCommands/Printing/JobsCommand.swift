internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import Jobs
internal import PrintModel
internal import Printers
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
    name: [.customShort("n"), .customLong("limit")],
    help: .init(
      "List at most this many jobs, the newest (default: all active ones and 20 that have ended; with "
        + "--json: all).", valueName: "number"))
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
        throw Failure(
          .unknownJob, "No job or printer \"\(what)\" (see airprint jobs, airprint printers).")
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
