internal import AirprintKit
internal import PrintModel
internal import Settings
internal import Synchronization
internal import Terminal
internal import System

/// Shows the live picker and saves what is chosen. Exit 1 when the person leaves; 64 without a terminal.
func pickOnTerminal(
  _ search: DiscoveryArguments, _ wish: PickArguments, _ context: Context
) async throws -> PickResult {
  var search = search
  search.isWatching = true
  search.contactsAll = true
  let book = try context.settings.printers()
  let saved = search.types.first.flatMap(book.printer(for:)) ?? book.defaultPrinter
  let list = PickList()
  let reports = try await discovering(search, context)
  let purpose = search.types.isEmpty ? "" : " for \(search.types.map(\.rawValue).inWords())"
  let picker = Picker(
    PickerText(
      title: "Choose a printer\(purpose)", searching: "Looking for printers",
      nothing: "No printer was found.", columns: PickList.columns),
    start: saved.flatMap(PickList.id), environment: context.environment)
  let rows = list.rows(of: reports)
  let choosing = Task { try await choose(picker, from: rows) }
  // Nobody answers: what may be the matter is more use than a clock.
  let waiting = Task {
    try await Task.sleep(for: longestSilence)
    if list.isEmpty { choosing.cancel() }
  }
  let choice = try await withTaskCancellationHandler {
    try await choosing.value
  } onCancel: {
    choosing.cancel()
  }
  waiting.cancel()
  if choosing.isCancelled, list.isEmpty, !Task.isCancelled {
    throw Failure(.nothing, noPrinters)
  }
  switch choice {
  case .chosen(let id):
    guard let printer = list.printer(id) else {
      throw Failure(.unavailable, "The printer went away while it was chosen.")
    }
    return try await pickPrinter(printer, wish, context)
  case .left: throw SilentExit(exitCode: .nothing)
  case .interrupted(let signal): Cancellation.takeItsCourse(signal: signal)
  }
}

/// Time the list stays empty before it closes.
private let longestSilence = Duration.seconds(60)

private func choose(
  _ picker: Picker, from rows: AsyncStream<[PickerRow]>
) async throws -> PickerResult {
  do {
    return try await picker.pick(from: rows)
  } catch {
    guard error == .noTerminal else { throw error }
    throw Failure(
      .usage,
      "Not a terminal: name the printer, as in airprint pick \"Office Laser\".")
  }
}

/// The printers that are there, as the picker's rows.
private final class PickList: Sendable {
  private let printers = Mutex<[String: FoundPrinter]>([:])

  static let columns = [
    Column("MODEL", usual: 20, importance: 1), Column("PRINTS", usual: 20, importance: 2),
    Column("COLOR", minimum: 4, usual: 6, importance: 3),
    Column("SIDES", minimum: 6, usual: 8, importance: 3),
    Column("LOCK", minimum: 4, usual: 8, importance: 4),
    Column("STATE", usual: 16, importance: 5),
  ]

  static func id(_ printer: SavedPrinter) -> String? {
    printer.service.map { "\($0.instance).\($0.domain)" }
  }

  private static func id(_ found: FoundPrinter) -> String {
    "\(found.printer.service.instance).\(found.printer.service.domain)"
  }

  var isEmpty: Bool { printers.withLock { $0.isEmpty } }

  func printer(_ id: String) -> DiscoveredPrinter? { printers.withLock { $0[id]?.printer } }

  /// The whole list after every report, in alphabetical order.
  func rows(of reports: AsyncStream<DiscoveryUpdate>) -> AsyncStream<[PickerRow]> {
    let (rows, continuation) = AsyncStream<[PickerRow]>.makeStream()
    let task = Task {
      for await report in reports { continuation.yield(take(report)) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return rows
  }

  private func take(_ report: DiscoveryUpdate) -> [PickerRow] {
    printers.withLock { printers in
      switch report {
      case .appeared(let found), .changed(let found): printers[PickList.id(found)] = found
      case .vanished(let found): printers[PickList.id(found)] = nil
      }
      return printers.sorted {
        $0.value.printer.name == $1.value.printer.name
          ? $0.key < $1.key : $0.value.printer.name.precedesNaturally($1.value.printer.name)
      }
      .map { PickerRow(id: $0.key, $0.value) }
    }
  }
}

extension PickerRow {
  fileprivate init(id: String, _ found: FoundPrinter) {
    let printer = found.printer
    self.init(
      id: id, title: printer.name,
      subtitle: printer.location.flatMap { $0.isEmpty ? nil : $0 },
      columns: [
        printer.makeAndModel ?? "",
        printer.types.sorted().map(\.rawValue).joined(separator: ", "),
        printer.isColor.map { $0 ? "color" : "gray" } ?? "",
        printer.isDuplex.map { $0 ? "2 sides" : "1 side" } ?? "",
        printer.authentication == "none" ? "" : "locked", found.status?.inWords ?? "",
      ], mark: found.saved.map { $0 == printer.name ? "✓" : "✓ \($0)" })
  }
}
