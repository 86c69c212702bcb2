internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel

/// `airprint release`.
struct Release: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let held jobs print.",
    usage: "airprint release [<options>] <job> ...",
    discussion: """
        airprint release k7q2m
        airprint release Till/12
      """)

  @Argument(
    help: ArgumentHelp(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER.", valueName: "job"),
    completion: .jobs)
  var jobs: [String]

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    var codes: [PrintModel.ExitCode] = []
    for job in jobs {
      do {
        let report = try await releaseJob(job, context)
        if output.isJSON { try output.jsonLine(report) }
        output.message("Released \(report.name) on \(report.printer).")
      } catch let failure as Failure {
        codes.append(failure.code)
        output.complain("airprint: \(failure.message)")
      }
    }
    let worst = PrintModel.ExitCode.worst(of: codes)
    if worst != .success { throw SilentExit(exitCode: worst) }
  }
}
