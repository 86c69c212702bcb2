internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel

/// `airprint cancel`.
struct Cancel: AirprintCommand {
  static let configuration = CommandConfiguration(
    "cancel", "Cancel print jobs.", usage: "[<job> ...]",
    examples: [
      "airprint cancel", "airprint cancel k7q2m", "airprint cancel Till/12",
      "airprint cancel --all",
    ])

  @Argument(
    help: .init(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one).",
      valueName: "job"), completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @Flag(help: "Cancel every active job.")
  var all = false

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if all, !jobs.isEmpty { throw Failure(.usage, "Name jobs or give --all, not both.") }
    var named = jobs
    if all {
      // The last first: a job that waits must not start because the one before it ends.
      named = try await activeJobs(context).compactMap(\.job).reversed()
      if named.isEmpty { return output.message("No job is active.") }
    } else if jobs.isEmpty {
      named = [try await onlyActiveJob(to: "cancel", context)]
    }
    try await forEach(named, output) { job in
      let report = try await cancelJob(job, context)
      if output.isJSON { try output.jsonLine(report) }
      output.message("Canceled \(report.name) on \(report.printer).")
      return .success
    }
  }
}
