internal import AirprintContext
internal import ArgumentParser
internal import FoundationEssentials
internal import PrintModel
internal import Printers
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
}

extension PrinterReport {
  /// The state in words; or why it would not print, if its status does not tell that: a missing password, no paper.
  var stateInWords: String {
    guard let trouble, trouble != status?.trouble(isLoaded: nil) else {
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
      return text + (trouble(isLoaded: nil).map { ": \($0)" } ?? "")
    }
    guard !reasons.isEmpty else { return text }
    return text + (state == .idle ? ", but " : ": ") + reasons.joined(separator: "; ")
  }
}
