internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printers

/// `airprint forget`.
struct Forget: AirprintCommand {
  static let configuration = CommandConfiguration(
    "forget", "Remove a saved printer.", usage: "<name>",
    examples: ["airprint forget \"Old Laser\"", "airprint forget Till --type receipt"])

  @Argument(help: "The printer's saved name.", completion: .from(.savedPrinters))
  var name: String

  @Option(
    name: .customLong("type"),
    help: .init(
      "Keep the printer, but no longer use it for these types: \(JobType.list).",
      valueName: "types"), completion: .from(.jobTypeList))
  var typeNames: [String] = []

  @Flag(help: "Remove it from /etc/airprint, for all users.")
  var system = false

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let types = try typeNames.jobTypes()
    let forgotten =
      types.isEmpty
      ? try await forgetPrinter(name, system: system, context)
      : try unassignPrinter(name, from: types, system: system, context)
    if output.isJSON { return try output.json(forgotten) }
    output.message(
      types.isEmpty
        ? "Forgot \(forgotten.name)."
        : "\(types.map(\.plural).inWords()) no longer print on \(forgotten.name).")
    for line in forgotten.sentences { output.message(line) }
  }
}
