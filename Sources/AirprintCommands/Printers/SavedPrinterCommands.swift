internal import AirprintContext
internal import ArgumentParser
internal import Printers
internal import PrintModel
internal import Terminal

/// `airprint printers`.
struct PrintersCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "printers", "List saved printers.", usage: "",
    examples: ["airprint printers --check"])

  @Flag(help: "Contact each printer and show its state.")
  var check = false

  @OptionGroup var listing: ListingOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let entries = try await listSaved(contacting: check, context)
    if output.isJSON { return try output.json(entries) }
    if entries.isEmpty {
      return output.message("No printer is saved. Run airprint pick to choose one.")
    }
    let sorted = entries.map { (entry: $0, place: NaturalOrder($0.printer.name)) }
      .sorted { $0.place < $1.place }
    try output.table(
      SavedEntry.columns(withState: check), sorted.map { $0.entry.cells(withState: check) },
      isLong: listing.long)
  }
}

extension SavedEntry {
  fileprivate static func columns(withState: Bool) -> [Column] {
    // The last is empty, and left out, where there are none of the administrator's.
    let saved = Column("SAVED", minimum: 13, usual: 13, importance: 0)
    let columns = [
      // The name is typed in further commands.
      Column("NAME", minimum: 200, usual: 200, importance: 6),
      Column("FOR", minimum: 16, usual: 20, importance: 5),
      Column("MODEL", minimum: 10, usual: 24, importance: 1),
      // A truncated address is useless.
      Column("URI", minimum: 200, usual: 200, importance: 2, isSpare: true),
      Column("OPTIONS", minimum: 10, usual: 24, importance: 3),
    ]
    let state = Column("STATE", minimum: 10, usual: 20, importance: 4)
    return columns + (withState ? [state, saved] : [saved])
  }

  fileprivate func cells(withState: Bool) -> [Cell] {
    let purposes = (isDefault ? ["default"] : []) + assigned.map(\.rawValue)
    let cells = [
      Cell(printer.name, .bold), Cell(purposes.joined(separator: ", ")),
      Cell(printer.makeAndModel ?? ""), Cell(printer.uri, .dim), Cell(options),
    ]
    let saved = Cell(isSystem ? "for all users" : "")
    return cells + (withState ? [Cell(report?.stateInWords ?? ""), saved] : [saved])
  }

  /// The settings as text: `copies=2, paper=62x100mm`.
  private var options: String {
    printer.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: ", ")
  }
}

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
    "Use it only for these types: \(JobType.list).", value: "types", name: .customLong("type"),
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

/// `airprint forget`.
struct Forget: AirprintCommand {
  static let configuration = CommandConfiguration(
    "forget", "Remove a saved printer.", usage: "<name>",
    examples: ["airprint forget \"Old Laser\"", "airprint forget Till --type receipt"])

  @Argument(help: "The printer's saved name.", completion: .from(.savedPrinters))
  var name: String

  @Option(
    "Keep the printer, but no longer use it for these types: \(JobType.list).", value: "types",
    name: .customLong("type"), completion: .from(.jobTypeList))
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
