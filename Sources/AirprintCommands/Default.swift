internal import AirprintKit
internal import ArgumentParser
internal import PrintModel

/// `airprint default`.
struct Default: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set the printer to use when none is named.",
    usage: "airprint default [<options>] <name>",
    discussion: """
        airprint default "Office Laser"
        airprint default Till --type receipt
      """)

  @Argument(
    help: ArgumentHelp("The printer's saved name.", valueName: "name"), completion: .savedPrinters)
  var name: String

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "Use it only for these types: document, envelope, label, photo, postcard, receipt, roll, "
        + "large-format, disc.", valueName: "types"),
    completion: .jobTypes)
  var typeNames: [String] = []

  @Flag(help: "Set it in /etc/airprint, for all users.")
  var system = false

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    let types = try typeNames.jobTypes()
    let change = try assignPrinter(name, to: types, system: system, context)
    if output.isJSON { return try output.json(change) }
    for line in change.sentences { output.message(line) }
  }
}
