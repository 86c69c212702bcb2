internal import ArgumentParser
internal import ForeignText
internal import PrintModel
internal import PrintOptions
internal import Printers

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
      help: .init(
        "Only printers that accept this MIME type, such as application/pdf.", valueName: "mime-type"
      ), completion: .list(DocumentFormat.sendable.sorted()))
    var format: [String] = []

    @Option(help: .init("Only names that match this pattern (*, ?, […]).", valueName: "pattern"))
    var name: String?

    @Option(help: .init("Only models that match this pattern.", valueName: "pattern"))
    var model: String?

    @Option(help: .init("Only locations that match this pattern.", valueName: "pattern"))
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

    @Option(
      help: .init("Search for at most this many seconds, or 2m (default: 5).", valueName: "seconds")
    )
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
      throw Failure(
        .usage,
        "--timeout \(text): takes a number of seconds (5, 0.5) or minutes (2m), more than 0, at most 3600."
      )
    }
    return .milliseconds(Int(timeout * 1000))
  }
}
