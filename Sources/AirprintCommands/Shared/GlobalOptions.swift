internal import AirprintContext
internal import ArgumentParser

/// Options of every command.
struct GlobalOptions: ParsableArguments {
  @Flag(help: "Write JSON to standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Show what is sent and received, and why.")
  var verbose = false

  init() {}
}

/// A command, which `run(_:worker:)` calls with its surroundings.
protocol AirprintCommand: AsyncParsableCommand {
  var global: GlobalOptions { get }

  /// Parses the command's own options, calls its use case and shows the result.
  func run(_ context: Context, _ output: CommandOutput) async throws
}
