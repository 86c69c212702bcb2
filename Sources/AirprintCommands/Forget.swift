internal import AirprintKit
internal import ArgumentParser
internal import PrintModel

/// `airprint forget`.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove a saved printer.",
    usage: "airprint forget [<options>] <name>",
    discussion: """
        airprint forget "Old Laser"
      """)

  @Argument(
    help: ArgumentHelp("The printer's saved name.", valueName: "name"), completion: .savedPrinters)
  var name: String

  @Flag(help: "Remove it from /etc/airprint, for all users.")
  var system = false

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    let forgotten = try await forgetPrinter(name, system: system, context)
    if output.isJSON { return try output.json(["forgotten": forgotten]) }
    output.message("Forgot \(forgotten).")
  }
}
