internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printers
internal import Settings
internal import Terminal

/// `airprint printers`.
struct PrintersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "printers", abstract: "List saved printers.",
    usage: "airprint printers [<options>]",
    discussion: """
        airprint printers --check
      """)

  @Flag(help: "Contact each printer and show its state.")
  var check = false

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    let entries = try await listSaved(contacting: check, context)
    if output.isJSON { return try output.json(entries) }
    if entries.isEmpty {
      return output.message("No printer is saved. Run airprint pick to choose one.")
    }
    try output.table(Entry.columns(withState: check), entries.map { $0.cells(withState: check) })
  }

  fileprivate typealias Entry = SavedEntry
}

extension SavedEntry {
  fileprivate static func columns(withState: Bool) -> [Column] {
    let columns = [
      Column("NAME", usual: 24, importance: 5), Column("FOR", usual: 20, importance: 3),
      Column("MODEL", usual: 24, importance: 1), Column("URI", minimum: 12, usual: 40),
    ]
    return withState ? columns + [Column("STATE", usual: 20, importance: 4)] : columns
  }

  fileprivate func cells(withState: Bool) -> [Cell] {
    let purposes = (isDefault ? ["default"] : []) + assigned.map(\.rawValue)
    let cells = [
      Cell(printer.name, .bold), Cell(purposes.joined(separator: ", ")),
      Cell(printer.makeAndModel ?? ""), Cell(printer.uri, .dim),
    ]
    return withState ? cells + [Cell(stateInWords)] : cells
  }

  private var stateInWords: String {
    guard isAvailable == true else { return "does not answer" }
    return status?.inWords ?? "ready"
  }
}
