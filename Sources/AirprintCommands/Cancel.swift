internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel

/// `airprint cancel`.
struct Cancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cancel print jobs.",
    usage: "airprint cancel [<options>] [<job> ...]",
    discussion: """
        airprint cancel
        airprint cancel k7q2m
        airprint cancel Till/12
      """)

  @Argument(
    help: ArgumentHelp(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the one that is active).",
      valueName: "job"),
    completion: .jobs)
  var jobs: [String] = []

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    var codes: [PrintModel.ExitCode] = []
    for job in try jobs.isEmpty ? [await onlyActiveJob(context)] : jobs {
      do {
        let report = try await cancelJob(job, context)
        if output.isJSON { try output.jsonLine(report) }
        output.message("Canceled \(report.name) on \(report.printer).")
      } catch let failure as Failure {
        codes.append(failure.code)
        output.complain("airprint: \(failure.message)")
      }
    }
    let worst = PrintModel.ExitCode.worst(of: codes)
    if worst != .success { throw SilentExit(exitCode: worst) }
  }
}
