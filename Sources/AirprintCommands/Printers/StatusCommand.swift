internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import FoundationEssentials
internal import PrintModel
internal import Printers
internal import Terminal

/// `airprint status`.
struct StatusCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "status", "Show a printer's state on one line, for status bars and prompts.",
    usage: "[<printer>]",
    examples: ["airprint status", "airprint status --waybar \"Office Laser\""]
  ).ofAirprint

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption

  @Flag(help: "Write JSON for Waybar's custom module.")
  var waybar = false

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if waybar, global.json { throw ValidationError("--waybar can't be used with --json.") }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    try credentials.check()
    context.passwordFile = credentials.passwordFile
    // A user can wait a moment for the current status; a status bar or a script can't.
    let isNow = output.out.isTerminal && !waybar && !output.isJSON
    let snapshot = try await Printers.readStatus(
      at: context.printerName(typed: printer.printer), context, isNow: isNow)
    if waybar { return try output.jsonLine(WaybarModule(snapshot)) }
    if output.isJSON { return try output.json(snapshot.report) }
    // A cached answer may be half a minute old, so its age is shown.
    try output.line(
      "\(snapshot.name): \(snapshot.inWords)\(snapshot.ageInWords(from: isNow ? 60 : 15))")
  }
}

/// The line that Waybar's custom module reads with `"return-type": "json"` (waybar-custom(5)); it parses text and
/// tooltip as Pango markup.
private struct WaybarModule: Encodable {
  var text: String
  var tooltip: String
  var `class`: String
  /// Level of the lowest supply; absent if the printer reports none.
  var percentage: Int?

  init(_ snapshot: PrinterStatusSnapshot) {
    text = WaybarModule.markup(snapshot.inWords)
    let supplies = snapshot.answer?.supplies ?? []
    tooltip =
      ([snapshot.name + snapshot.ageInWords(from: 60), snapshot.inWords]
      + supplies.compactMap(\.inWords))
      .map(WaybarModule.markup).joined(separator: "\n")
    `class` = snapshot.kind
    percentage = supplies.filter { !$0.type.hasPrefix("waste") }.compactMap(\.level).min()
  }

  private static func markup(_ text: String) -> String {
    markupEscaped(isolated(cleaned(text, upTo: 500)))
  }
}

extension PrinterStatusSnapshot {
  /// `status --json`: the time of the answer is in the format of RFC 3339, and its age in seconds.
  fileprivate var report: JSONObject {
    JSONObject([
      "name": name, "uri": uri, "available": isAvailable, "state": status?.state.keyword,
      "stateReasons": answer?.reasons ?? [],
      "trouble": status.map { $0.trouble(isLoaded: nil) } ?? stateInWords,
      "messages": answer?.messages ?? [], "acceptingJobs": answer?.isAcceptingJobs,
      "jobs": answer?.queuedJobs ?? 0, "queued": queued, "supplies": answer?.supplies ?? [],
      "low": status?.low.map(\.name) ?? [],
      "asked": Date(timeIntervalSince1970: asked.rounded(.down)).formatted(.iso8601),
      "age": Int(age),
    ])
  }

  /// The status in words: `ready`, `printing, 2 jobs waiting: black toner 8 %`, `does not answer`.
  fileprivate var inWords: String {
    var text = stateInWords
    if let low = status?.low.compactMap(\.inWords) {
      if !low.isEmpty { text += ", low: \(low.joined(separator: ", "))" }
    }
    return queued > 0 ? "\(text), \(queued) in the queue here" : text
  }

  /// The status in words, without supplies and this machine's queue.
  var stateInWords: String {
    status?.inWords ?? silence ?? "does not answer"
  }

  /// Returns the age in words; empty if it is less than `noted` seconds.
  fileprivate func ageInWords(from noted: Int) -> String {
    switch Int(age) {
    case ..<noted: ""
    case ..<60: " (\(Int(age)) s ago)"
    case ..<3_600: " (\(Int(age) / 60) min ago)"
    case ..<172_800: " (\(Int(age) / 3_600) h ago)"
    default: " (\(Int(age) / 86_400) days ago)"
    }
  }

  /// Class for a style sheet.
  fileprivate var kind: String {
    switch status?.state {
    case nil: "away"
    case .stopped: "stopped"
    case .processing: "printing"
    case .idle:
      status?.low.isEmpty != false
        && status?.reasons.contains { StateReason($0).words != nil } != true ? "ready" : "low"
    }
  }
}
