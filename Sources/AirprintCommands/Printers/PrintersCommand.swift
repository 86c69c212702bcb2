internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printers
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
