internal import AirprintContext
internal import PrintModel
internal import Printers
internal import System
internal import Terminal

/// The printers as `discover` shows them: rows for people or lines for programs, with concurrent ones sorted.
final class DiscoveryList {
  private let output: CommandOutput
  private let progress: ProgressLine?
  private let context: Context
  private let isLong: Bool
  /// Columns of the first rows, which later rows keep.
  private var layout: RowLayout?
  /// The current printers for JSON, which is written at the end.
  private var present: [ServiceName: PresentPrinter] = [:]
  private var count = 0

  init(_ output: CommandOutput, _ progress: ProgressLine?, _ context: Context, isLong: Bool) {
    self.output = output
    self.progress = progress
    self.context = context
    self.isLong = isLong
  }

  /// Writes all current printers, sorted, as JSON.
  func writeJSON() throws {
    try output.json(list: present.values.sortedByName(\.found).lazy.map(\.found))
  }

  var isEmpty: Bool { count == 0 }

  /// Counts the printers, and keeps those that are written at the end.
  func take(_ report: DiscoveryUpdate) {
    switch report.event {
    case .appeared: count += 1
    case .vanished: count -= 1
    case .changed: break
    }
    guard output.isJSON else { return }
    let found = report.found
    present[found.printer.service] = report.event == .vanished ? nil : PresentPrinter(found)
  }

  /// A printer in memory of its own: a dictionary has up to three times the room that its values need.
  private final class PresentPrinter {
    let found: FoundPrinter

    init(_ found: FoundPrinter) { self.found = found }
  }

  /// Shows the printers that have appeared or vanished.
  func show(_ batch: [DiscoveryUpdate]) throws {
    var news: [ServiceName: FoundPrinter] = [:]
    // A printer's records in another domain may change its name.
    let arrived = Set(batch.filter { $0.event == .appeared }.compactMap(\.found.printer.uuid))
    for report in batch {
      take(report)
      let printer = report.found.printer
      switch report.event {
      case .appeared: news[printer.service] = report.found
      case .changed: if news[printer.service] != nil { news[printer.service] = report.found }
      case .vanished:
        news[printer.service] = nil
        if let uuid = printer.uuid, arrived.contains(uuid) { continue }
        output.message("\(printer.name) is gone.")
      }
    }
    guard !news.isEmpty, !output.isJSON else { return }
    let lines = lines(for: news.values.sortedByName())
    try progress.aside { for line in lines { try output.out.print(line) } }
  }

  private func lines(for found: [FoundPrinter]) -> [String] {
    guard output.out.isTerminal else {
      return found.map { $0.fields.map { Cell($0).text }.joined(separator: "\t") }
    }
    let colors = output.out.hasColors
    let rows = found.map { $0.cells(rememberedStatus(of: $0.saved, context)) }
    let isFirst = layout == nil
    let layout = layout ?? fitted(rows)
    self.layout = layout
    let lines = rows.map { layout.line($0, colors: colors) }
    return (isFirst ? [layout.heading(colors: colors)] : []) + lines
  }

  /// Returns the layout, which cuts nothing if these rows fit.
  private func fitted(_ rows: [[Cell]]) -> RowLayout {
    let table = Table(DiscoveryList.columns)
    let whole = table.layout(for: rows, width: nil, heading: true)
    guard !isLong, let width = output.out.lineWidth, whole.naturalWidth > width else {
      return whole
    }
    return table.layout(for: rows, width: width, heading: true)
  }

  private static let columns = [
    // The name is typed in further commands.
    Column("NAME", minimum: 200, usual: 200, importance: 9),
    Column("SAVED", minimum: 5, usual: 12, importance: 8),
    Column("STATE", minimum: 14, usual: 20, importance: 7),
    Column("PRINTS", minimum: 16, usual: 24, importance: 6),
    Column("COLOR", minimum: 5, usual: 5, importance: 4),
    Column("SIDES", minimum: 5, usual: 5, importance: 3),
    Column("MODEL", minimum: 18, usual: 24, importance: 2),
    Column("LOCATION", minimum: 12, usual: 16, importance: 1),
    Column("URI", importance: 0, isSpare: true),
  ]
}

/// Groups the updates of each half second, starting with the first one: concurrent ones are sorted, and none waits for
/// a printer that does not answer.
func inBatches(_ reports: AsyncStream<DiscoveryUpdate>) -> AsyncStream<[DiscoveryUpdate]> {
  let (batches, continuation) = AsyncStream<[DiscoveryUpdate]>.makeStream()
  let pending = Monitor<[DiscoveryUpdate]>([])
  let task = Task {
    await withDiscardingTaskGroup { waiting in
      for await report in reports {
        let count = pending.withLock { updates in
          updates.append(report)
          return updates.count
        }
        guard count == 1 else { continue }
        waiting.addTask {
          try? await Task.sleep(for: .milliseconds(500))
          let batch = pending.withLock { updates in
            defer { updates = [] }
            return updates
          }
          continuation.yield(batch)
        }
      }
      waiting.cancelAll()
    }
    continuation.finish()
  }
  continuation.onTermination = { _ in task.cancel() }
  return batches
}

extension FoundPrinter {
  private var ink: String { printer.isColor.map { $0 ? "color" : "gray" } ?? "?" }
  private var sides: String { printer.isDuplex.map { $0 ? "2" : "1" } ?? "?" }
  private var prints: String {
    printer.types.isEmpty ? "?" : printer.types.sorted().map(\.rawValue).joined(separator: ", ")
  }

  /// The fields for programs: the same number for each printer, in a fixed order.
  fileprivate var fields: [String] {
    [
      printer.name, printer.location ?? "", printer.makeAndModel ?? "", prints, ink, sides,
      printer.uri, saved ?? "",
    ]
  }

  fileprivate func cells(_ status: PrinterStatusSnapshot?) -> [Cell] {
    [
      Cell(printer.name, .bold),
      Cell(saved.map { $0 == printer.name ? "✓" : "✓ \($0)" } ?? "", .green),
      status.map { Cell($0.stateInWords, $0.style) } ?? "",
      Cell(prints), Cell(ink), Cell(sides),
      Cell(printer.makeAndModel ?? ""), Cell(printer.location ?? ""), Cell(printer.uri, .dim),
    ]
  }
}

extension PrinterStatusSnapshot {
  fileprivate var style: TerminalStyle {
    switch status?.state {
    case nil: .dim
    case .stopped: .red
    case .idle, .processing: .green
    }
  }
}
