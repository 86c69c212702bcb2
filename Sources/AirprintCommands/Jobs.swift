internal import AirprintKit
internal import ArgumentParser
internal import PrintModel
internal import Terminal

/// `airprint jobs`.
struct Jobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List your print jobs.",
    usage: "airprint jobs [<options>] [<printer>]",
    discussion: """
        airprint jobs
        airprint jobs Till --json
      """)

  @Argument(
    help: ArgumentHelp(
      "Only jobs on this printer, including those other programs sent for you.",
      valueName: "printer"),
    completion: .savedPrinters)
  var printer: String?

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    var target: PrinterReference?
    if let printer { target = try await findPrinter(printer, for: nil, context) }
    let jobs = try await listJobs(at: target, context) { output.message($0) }
    if output.isJSON { return try output.json(jobs) }
    if jobs.isEmpty { return output.message("There are no jobs.") }
    try output.table(
      [
        Column("JOB", usual: 8, importance: 5), Column("STATE", usual: 12, importance: 4),
        Column("PAGES", minimum: 3, usual: 5, importance: 1, alignment: .right),
        Column("PRINTER", usual: 16, importance: 2), Column("NAME", usual: 24, importance: 3),
        Column("WHY", usual: 30),
      ], jobs.map(\.cells))
  }
}

extension JobReport {
  fileprivate var cells: [Cell] {
    let why = reasons.compactMap { StateReason($0).words }.joined(separator: "; ")
    return [
      Cell(job ?? "\(printer)/\(jobId ?? 0)", .bold),
      Cell(exitCode == PrintModel.ExitCode.inDoubt.rawValue ? "in doubt" : state ?? "not sent"),
      Cell(impressions.map(String.init) ?? ""), Cell(printer), Cell(name),
      Cell(why.isEmpty ? message ?? "" : why, .dim),
    ]
  }
}
