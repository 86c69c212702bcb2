internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel

/// `airprint cancel`.
struct Cancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cancel print jobs.",
    usage: "airprint cancel [<options>] <job> ...",
    discussion: """
        airprint cancel k7q2m
        airprint cancel Till/12
      """)

  @OptionGroup var arguments: JobArguments

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    try await arguments.each(output) { job in
      let report = try await cancelJob(job, context)
      if output.isJSON { try output.jsonLine(report) }
      output.message("Canceled \(report.name) on \(report.printer).")
      return .success
    }
  }
}
