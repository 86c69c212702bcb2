internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel
internal import System

/// `airprint wait`.
struct Wait: AirprintCommand {
  static let configuration = CommandConfiguration(
    "wait", "Wait for jobs to finish and exit with the status print would have had.",
    usage: "[<job> ...]",
    examples: ["job=$(airprint print --detach receipt.pdf)", "airprint wait $job"])

  @Argument(
    help: .init(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one).",
      valueName: "job"), completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let cancellation = Cancellation.catchingSignals()
    let named = jobs.isEmpty ? [try await onlyActiveJob(to: "wait for", context)] : jobs
    try await forEach(named, output, cancellation) { job in
      let report = try await waitForJob(job, context, cancellation: cancellation) {
        output.message($0)
      }
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
