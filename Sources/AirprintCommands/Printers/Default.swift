internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printers

/// `airprint default`.
struct Default: AirprintCommand {
  static let configuration = CommandConfiguration(
    "default", "Show or set the printer to use when none is named.", usage: "[<name>]",
    examples: [
      "airprint default", "airprint default \"Office Laser\"",
      "airprint default Till --type receipt",
    ])

  @Argument(
    help: "The printer's saved name. Without it, show the default printer.",
    completion: .from(.savedPrinters))
  var name: String?

  @Option(
    name: .customLong("type"),
    help: .init(
      "Use it only for these types: \(JobType.list).", valueName: "types"),
    completion: .from(.jobTypeList))
  var typeNames: [String] = []

  @Flag(help: "Set it in /etc/airprint, for all users.")
  var system = false

  @Flag(help: "Use it for these types even if the printer does not print them.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let types = try typeNames.jobTypes()
    guard let name else { return try show(types, output, context) }
    let change = try assignPrinter(name, to: types, system: system, force: force, context)
    if output.isJSON { return try output.json(change) }
    for line in change.sentences { output.message(line) }
  }

  /// Prints only the printer's name on standard output, for scripts, or that of each type that was named.
  private func show(_ types: [JobType], _ output: CommandOutput, _ context: Context) throws {
    for type in types.isEmpty ? [nil] : types.map(Optional.some) {
      let printer = try defaultPrinter(for: type, context)
      if output.isJSON {
        try output.jsonLine(["name": printer.name, "uri": printer.uri])
      } else {
        try output.line(printer.name)
      }
    }
    guard let named = context.printerName(typed: nil) else { return }
    output.message("AIRPRINT_PRINTER is set: commands without a printer use \(named).")
  }
}
