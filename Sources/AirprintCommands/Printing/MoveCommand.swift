internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel

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
