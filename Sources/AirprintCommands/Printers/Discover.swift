internal import AirprintContext
internal import ArgumentParser
internal import PrintModel
internal import Printers
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
      name: .customLong("type"),
      help: .init(
        "Only printers that support all of these types: \(JobType.list).", valueName: "types"),
      completion: .from(.jobTypeList))
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
      throw Failure(
        .usage,
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
