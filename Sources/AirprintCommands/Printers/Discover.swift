internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import Printers
internal import PrintModel
internal import PrintOptions
internal import System
internal import Terminal

/// `airprint discover`.
struct Discover: AirprintCommand {
  static let configuration = CommandConfiguration(
    "discover", "List printers on the network.", usage: "[<host>]",
    examples: [
      "airprint discover", "airprint discover --long", "airprint discover print.example.com",
      "airprint discover --type receipt --json",
    ],
    notes: """
      Saved printers have a check mark. If the terminal is too narrow for everything, addresses are left \
      out: --long shows everything uncut. In a pipe, each printer is a line of fields separated by tabs: \
      name, location, model, types, color, sides, URI, saved name.
      """)

  @Argument(
    help: .init(
      "List the printers of this host instead: a CUPS server, or a printer application.",
      valueName: "host"))
  var server: String?

  @OptionGroup(title: HelpTitle.filters) var types: TypeFilter
  @OptionGroup var options: DiscoveryOptions
  @OptionGroup(title: HelpTitle.search) var watching: WatchOption
  @OptionGroup var listing: ListingOption
  @OptionGroup var global: GlobalOptions

  struct TypeFilter: ParsableArguments {
    @Option(
      "Only printers that support all of these types: \(JobType.list).", value: "types",
      name: .customLong("type"), completion: .from(.jobTypeList))
    var types: [String] = []
  }

  struct WatchOption: ParsableArguments {
    @Flag(help: "Keep searching, whatever --timeout says, and report printers as they come and go.")
    var watch = false
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    var arguments = try options.arguments(try types.types.jobTypes())
    let watch = watching.watch
    arguments.isWatching = watch
    arguments.server = server
    if let server, watch || !arguments.domains.isEmpty {
      throw Failure.usage(
        "--\(watch ? "watch" : "domain") can't be used with a host: \(server) lists its printers at once."
      )
    }
    let progress = watch ? nil : output.progress("Looking for printers")
    defer { progress?.end() }
    // The line is erased first: a message would begin behind it.
    context.note = { text in progress.aside { output.message(text) } }
    let list = DiscoveryList(output, progress, context, isLong: listing.long)
    let reports = try await startDiscovery(arguments, context)
    if watch, output.isJSON {
      for await report in reports {
        list.take(report)
        try output.jsonLine(report)
      }
    } else {
      for await batch in inBatches(reports) { try list.show(batch) }
    }
    progress?.end()
    if output.isJSON, !watch { try list.writeJSON() }
    if list.isEmpty {
      let filters = options.filters
      let isFiltered =
        !arguments.types.isEmpty || filters.colorOnly || filters.duplexOnly
        || !filters.format.isEmpty
        || filters.name != nil || filters.model != nil || filters.location != nil
      output.message(
        isFiltered
          ? "No printers match. \(filters.wholeText.map { "To match a part: \($0)" } ?? "To list all: airprint discover")"
          : server.map { "\($0) has no list of printers. If it is a printer: airprint pick \($0)" }
            ?? nothingFound(in: arguments.domains))
      throw SilentExit(exitCode: .nothing)
    }
  }
}

/// Returns the sentence for a search that found nothing: for the link with likely reasons, and with alternatives to
/// discovery.
private func nothingFound(in domains: [String]) -> String {
  let others = domains.filter { !["local", "local."].contains($0.lowercased()) }
  guard others.isEmpty || others.count < domains.count else {
    return "No printers found in \(others.inWords())."
  }
  return noPrinters
}

let noPrinters = """
  No printers found. Is the printer switched on, and on this network (not on a guest network)? A firewall has to \
  let UDP port 5353 through. airprint doctor checks this machine.
  With the printer's address: airprint pick 192.0.2.7
  """

/// `--long`, of lists that have no room for addresses on most terminals.
struct ListingOption: ParsableArguments {
  @Flag(name: [.short, .long], help: "List everything, addresses too, and cut nothing.")
  var long = false
}

/// The filters of `discover` and `pick`; all must match.
struct DiscoveryOptions: ParsableArguments {
  @OptionGroup(title: HelpTitle.filters) var filters: Filters
  @OptionGroup(title: HelpTitle.search) var search: SearchOptions

  struct Filters: ParsableArguments {
    @Flag(help: "Only color printers.")
    var colorOnly = false

    @Flag(help: "Only printers that print on both sides (duplex).")
    var duplexOnly = false

    @Option(
      "Only printers that accept this MIME type, such as application/pdf.", value: "mime-type",
      completion: .list(DocumentFormat.sendable.sorted()))
    var format: [String] = []

    @Option("Only names that match this pattern (*, ?, […]).", value: "pattern")
    var name: String?

    @Option("Only models that match this pattern.", value: "pattern")
    var model: String?

    @Option("Only locations that match this pattern.", value: "pattern")
    var location: String?

    @Flag(help: "Include printers that accept no format airprint can send.")
    var all = false

    /// The first pattern without wildcards, which only matches a whole text, as an option that matches a part.
    var wholeText: String? {
      for (option, pattern) in [("--name", name), ("--model", model), ("--location", location)] {
        guard let pattern, !pattern.contains(where: { "*?[".contains($0) }) else { continue }
        return "\(option) \(ShellWord.quoted("*\(pattern)*"))"
      }
      return nil
    }
  }

  struct SearchOptions: ParsableArguments {
    @Option(help: "Search only this DNS-SD domain; local is the link. Can be repeated.")
    var domain: [String] = []

    @Option("Search for at most this many seconds, or 2m (default: 5).", value: "seconds")
    var timeout: String?
  }

  func arguments(_ types: [JobType]) throws(Failure) -> DiscoveryArguments {
    var arguments = DiscoveryArguments()
    arguments.types = types
    arguments.colorOnly = filters.colorOnly
    arguments.duplexOnly = filters.duplexOnly
    arguments.formats = filters.format
    arguments.name = filters.name
    arguments.model = filters.model
    arguments.location = filters.location
    arguments.domains = search.domain
    arguments.includesAll = filters.all
    arguments.timeout = try timeout()
    return arguments
  }

  /// Returns the time of `--timeout`; exit 64 for one that is too short or too long.
  func timeout() throws(Failure) -> Duration? {
    guard let text = search.timeout else { return nil }
    guard let timeout = Double(text) ?? PrintOption.seconds(text).map(Double.init), timeout > 0,
      timeout <= 3_600
    else {
      throw .usage(
        "--timeout \(text): takes a number of seconds (5, 0.5) or minutes (2m), more than 0, at most 3600."
      )
    }
    return .milliseconds(Int(timeout * 1000))
  }
}

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
    let lines = lines(for: news.values.sortedByName(\.self))
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
