internal import AirprintKit
internal import ArgumentParser
internal import PrintModel
internal import Terminal

/// `airprint discover`.
struct Discover: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List printers on the network.",
    usage: "airprint discover [<options>]",
    discussion: """
        airprint discover
        airprint discover --type receipt --json
      """)

  @OptionGroup(title: HelpTitle.filters) var types: TypeFilter
  @OptionGroup var options: DiscoveryOptions
  @OptionGroup(title: HelpTitle.search) var watching: WatchOption
  @OptionGroup var global: GlobalOptions

  struct TypeFilter: ParsableArguments {
    @Option(
      name: .customLong("type"),
      help: ArgumentHelp(
        "Only printers that support all of these types: document, envelope, label, photo, postcard, "
          + "receipt, roll, large-format, disc.", valueName: "types"),
      completion: .jobTypes)
    var types: [String] = []
  }

  struct WatchOption: ParsableArguments {
    @Flag(help: "Keep searching and report printers as they come and go.")
    var watch = false
  }

  mutating func run() async throws {
    var context = Context.current
    let output = Output(global, environment: context.environment)
    context.note = output.message
    var wish = try options.wish(try types.types.jobTypes())
    let watch = watching.watch
    wish.isWatching = watch
    let progress =
      output.isQuiet || watch ? nil : Progress("Looking for printers", on: output.err)
    defer { progress?.end() }
    let list = ArrivalList(output, progress)
    for await report in try await discovering(wish, context) {
      if watch, output.isJSON {
        try output.jsonLine(WatchLine(report))
      } else {
        try list.show(report)
      }
    }
    progress?.end()
    if output.isJSON, !watch { try output.json(list.printers) }
    if list.printers.isEmpty {
      let filters = options.filters
      let isFiltered =
        !wish.types.isEmpty || filters.colorOnly || filters.duplexOnly || !filters.format.isEmpty
        || filters.name != nil || filters.model != nil || filters.location != nil
      output.message(isFiltered ? "No printers match." : noPrinters)
      throw SilentExit(exitCode: .nothing)
    }
  }
}

/// Likely reasons where nobody answers, and what works without discovery.
let noPrinters = """
  No printers found. Is the printer switched on, and on this network (not on a guest network)? A firewall has to \
  let UDP port 5353 through. airprint doctor checks this machine.
  With the printer's address: airprint pick 192.0.2.7
  """

/// A line of `discover --watch --json`: a printer, and what became of it.
private struct WatchLine: Encodable {
  var event: String
  var printer: FoundPrinter

  init(_ report: DiscoveryUpdate) {
    switch report {
    case .appeared(let found): (event, printer) = ("appeared", found)
    case .changed(let found): (event, printer) = ("changed", found)
    case .vanished(let found): (event, printer) = ("vanished", found)
    }
  }

  private enum CodingKeys: String, CodingKey { case event }

  func encode(to encoder: any Encoder) throws {
    try printer.encode(to: encoder)
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(event, forKey: .event)
  }
}

/// Rows as printers arrive, and all of them at the end.
private final class ArrivalList {
  private let output: Output
  private let progress: Progress?
  private let layout: RowLayout
  private var hasHeading = false
  private(set) var printers: [FoundPrinter] = []

  init(_ output: Output, _ progress: Progress?) {
    self.output = output
    self.progress = progress
    layout = Table([
      Column("NAME", minimum: 12, usual: 24, importance: 6),
      Column("LOCATION", minimum: 8, usual: 12, importance: 1),
      Column("MODEL", minimum: 12, usual: 20, importance: 2),
      Column("PRINTS", minimum: 8, usual: 20, importance: 4),
      Column("COLOR", minimum: 6, usual: 6, importance: 3),
      Column("SIDES", minimum: 5, usual: 5, importance: 3),
      Column("URI", minimum: 24, usual: 36, importance: 5),
    ]).layoutForArrivals(width: output.out.lineWidth)
  }

  func show(_ report: DiscoveryUpdate) throws {
    switch report {
    case .appeared(let found):
      printers.append(found)
      try print(found)
    case .changed(let found):
      if let index = printers.firstIndex(where: { $0.printer.service == found.printer.service }) {
        printers[index] = found
      }
    case .vanished(let found):
      printers.removeAll { $0.printer.service == found.printer.service }
      output.message("\(found.printer.name) is gone.")
    }
    printers.sort {
      $0.printer.name == $1.printer.name
        ? $0.printer.uri < $1.printer.uri
        : $0.printer.name.precedesNaturally($1.printer.name)
    }
  }

  private func print(_ found: FoundPrinter) throws {
    guard !output.isJSON else { return }
    let colors = output.out.hasColours
    var lines = [layout.line(found.cells, colors: colors)]
    if !hasHeading { lines.insert(layout.heading(colors: colors), at: 0) }
    hasHeading = true
    for line in lines {
      if let progress {
        try progress.aside { () throws(TerminalError) in try output.out.print(line) }
      } else {
        try output.out.print(line)
      }
    }
  }
}

extension FoundPrinter {
  fileprivate var cells: [Cell] {
    [
      Cell(printer.name, .bold), Cell(printer.location ?? ""), Cell(printer.makeAndModel ?? ""),
      Cell(printer.types.sorted().map(\.rawValue).joined(separator: ",")),
      Cell(printer.isColor.map { $0 ? "color" : "gray" } ?? "?"),
      Cell(printer.isDuplex.map { $0 ? "2" : "1" } ?? "?"), Cell(printer.uri, .dim),
    ]
  }
}
