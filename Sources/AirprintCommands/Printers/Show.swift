internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import FoundationEssentials
internal import Printers
internal import PrintModel
internal import Terminal

/// `airprint show`.
struct Show: AirprintCommand {
  static let configuration = CommandConfiguration(
    "show", "Show a printer's details, state and loaded paper.", usage: "[<printer>]",
    examples: ["airprint show", "airprint show ipp://192.0.2.7/ipp/print --json"])

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let target = try await printer.target(for: nil, context)
    let progress = output.progress("Waiting for \(target.name)")
    let (report, failure) = await showPrinter(target, context)
    progress?.end()
    if output.isJSON {
      try output.json(report)
    } else {
      try output.facts(report.facts)
    }
    if let failure { throw failure }
  }
}

/// Parses a time in the format of RFC 3339 into seconds since 1970.
private func seconds(_ text: String) -> Double? {
  (try? Date(text, strategy: .iso8601))?.timeIntervalSince1970
}

extension PrinterReport {
  /// The report for people.
  fileprivate var facts: [(String, String?)] {
    var facts: [(String, String?)] = [
      ("name", name),
      ("state", stateInWords),
      ("reports", status.map { $0.messages.map { "\"\($0)\"" }.joined(separator: ", ") }),
      ("last seen", isAvailable ? nil : lastSeen.flatMap(seconds).map(localTime)),
      ("model", makeAndModel),
      ("kind", isQueue ? "a CUPS queue: what is loaded is not known" : nil),
      ("location", location), ("prints", types.map(\.rawValue).joined(separator: ", ")),
      ("color", isColor.map { $0 ? "yes" : "no" }),
      ("both sides", isDuplex.map { $0 ? "yes" : "no" }),
      ("formats", formats.joined(separator: ", ")),
    ]
    facts += loaded.enumerated().map { ($0 == 0 ? "loaded" : "", $1) }
    facts.append(("presets", presets.joined(separator: ", ")))
    let supplies = (status?.supplies ?? []).compactMap { supply in
      supply.inWords.map { supply.isLow ? "\($0), low" : $0 }
    }
    facts += supplies.enumerated().map { ($0 == 0 ? "supplies" : "", $1) }
    let connection = isSecure ? "encrypted" : "not encrypted"
    return facts + [("connection", connection), ("web page", moreInfo), ("address", uri)]
  }

  /// The state in words; or why it would not print, if its status does not tell that: a missing password, no paper.
  var stateInWords: String {
    guard let trouble, trouble != status?.trouble(isLoaded: status?.hasPaper) else {
      return status?.inWords ?? "not contacted"
    }
    return trouble
  }

  /// The sizes of each tray without duplicates: a size with and without margins is two entries for a program.
  fileprivate var loaded: [String] {
    var lines: [String] = []
    var places: [[String?]: Int] = [:]
    for paper in ready {
      let place = [paper.title, paper.source, paper.type]
      if let index = places[place] {
        lines[index] += paper.margins.isBorderless ? " or borderless" : " or \(paper.edge)"
      } else {
        places[place] = lines.count
        let isEmpty = status?.emptyTrays.contains { $0.source == paper.source } == true
        lines.append(paper.inWords + (isEmpty ? ", empty" : ""))
      }
    }
    return lines
  }
}

extension Paper {
  /// The paper in words: `A4, tray-1, stationery, margins 4.2 mm`.
  var inWords: String {
    // An envelope feeder holds envelopes.
    ([title, source, type == source ? nil : type].compactMap { $0 } + [edge]).joined(
      separator: ", ")
  }

  /// The margins in words: `margins 4.2 mm`, `borderless`.
  fileprivate var edge: String {
    let m = margins
    let edges = [m.top, m.bottom, m.left, m.right]
    if !m.areStated { return "margins unknown" }
    if m.isBorderless { return "borderless" }
    if let first = edges.first, edges.allSatisfy({ $0 == first }) {
      return "margins \(first.inMillimeters)"
    }
    return "margins top \(m.top.inMillimeters), bottom \(m.bottom.inMillimeters), "
      + "left \(m.left.inMillimeters), right \(m.right.inMillimeters)"
  }
}

extension PrinterStatus {
  /// The status in words: `ready`, `printing, 2 jobs waiting`, `stopped: close the cover`, `ready, but toner is low`.
  var inWords: String {
    let reasons = reasonsInWords
    var text =
      switch state {
      case .idle: "ready"
      case .processing: "printing"
      case .stopped: "stopped"
      }
    if !isAcceptingJobs { text += "; not accepting jobs" }
    // The count includes the printing job, which no longer waits.
    let waiting = (queuedJobs ?? 0) - (state == .processing ? 1 : 0)
    if waiting > 0 { text += ", \(waiting.counted("job")) waiting" }
    if reasons.isEmpty, state == .stopped {
      return text + (trouble(isLoaded: hasPaper).map { ": \($0)" } ?? "")
    }
    guard !reasons.isEmpty else { return text }
    return text + (state == .idle ? ", but " : ": ") + reasons.joined(separator: "; ")
  }
}

/// `airprint identify`.
struct Identify: AirprintCommand {
  static let configuration = CommandConfiguration(
    "identify", "Make a printer flash or beep.", usage: "[<printer>]",
    examples: ["airprint identify Till"])

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let target = try await printer.target(for: nil, context)
    let actions = try await identifyPrinter(target, context)
    if output.isJSON { return try output.json(["actions": actions]) }
    let how = actions.isEmpty ? "" : " (\(actions.joined(separator: ", ")))"
    output.message("\(target.name) is identifying itself\(how).")
  }
}

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
    let context = try credentials.context(context, output)
    // A user can wait a moment for the current status; a status bar or a script can't. An answer to another password
    // proves nothing of this one.
    let isNow =
      output.out.isTerminal && !waybar && !output.isJSON || credentials.passwordFile != nil
    let snapshot = try await Printers.readStatus(
      at: context.printerName(typed: printer.printer), context, isNow: isNow)
    if waybar { return try output.jsonLine(WaybarModule(snapshot)) }
    if output.isJSON {
      try output.json(snapshot.report)
    } else {
      // A cached answer may be half a minute old, so its age is shown.
      try output.line(
        "\(snapshot.name): \(snapshot.inWords)\(snapshot.ageInWords(from: isNow ? 60 : 15))")
    }
    try SilentExit.end(withWorstOf: [snapshot.refusal?.exitCode].compactMap(\.self))
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
      "reason": refusal,
      "trouble": refusal == nil ? status?.trouble(isLoaded: status?.hasPaper) : stateInWords,
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
    silence ?? status?.inWords ?? "does not answer"
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
    switch refusal == nil ? status?.state : nil {
    case nil: "away"
    case .stopped: "stopped"
    case .processing: "printing"
    case .idle:
      status?.low.isEmpty != false
        && status?.reasons.contains { StateReason($0).words != nil } != true ? "ready" : "low"
    }
  }
}
