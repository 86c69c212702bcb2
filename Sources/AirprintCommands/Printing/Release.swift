internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel

/// `airprint release`.
struct Release: AirprintCommand {
  static let configuration = CommandConfiguration(
    "release", "Let held jobs print.", usage: "[<job> ...]",
    examples: ["airprint release k7q2m", "airprint release Till/12"])

  @Argument(
    help: .init(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only held one).",
      valueName: "job"), completion: .from(.heldJobs))
  var jobs: [String] = []

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let named =
      jobs.isEmpty ? [try await onlyActiveJob(to: "release", isHeld: true, context)] : jobs
    try await forEach(named, output) { job in
      let report = try await releaseJob(job, context)
      if output.isJSON { try output.jsonLine(report) }
      output.message("Released \(report.name) on \(report.printer).")
      return .success
    }
  }
}
