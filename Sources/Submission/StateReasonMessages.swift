internal import PrintModel

/// A printer's problems, in words for someone standing in front of it.
struct StateReasonMessages {
  var ticket: Ticket
  var printer: PrinterStatus
  var impressions: Int?

  /// Conditions that stop the job: the remedies, as sentences without a full stop.
  var troubles: [String] {
    reasons.filter(\.needsSomebody).withoutNeed.compactMap(sentence).unique
  }

  /// Conditions that will soon stop the job.
  var warnings: [String] {
    reasons.filter { !$0.needsSomebody && StateReasonMessages.low.contains($0.keyword) }.compactMap(
      sentence
    )
    .unique
  }

  private var reasons: [StateReason] { printer.reasons.map(StateReason.init) }

  private func sentence(_ reason: StateReason) -> String? {
    switch reason.keyword {
    case "media-empty", "input-media-supply-empty":
      tray.map { "\(capitalized($0)) is out of paper\(page): load \(paper)" }
        ?? "Out of paper\(page): load \(paper)"
    case "media-needed": "Load \(paper)\(tray.map { " in \($0)" } ?? "")\(page)"
    case "media-low-stopped":
      tray.map { "Too little is left in \($0)\(page): load \(paper)" }
        ?? "Too little paper is left\(page): load \(paper)"
    case "media-jam": "Paper jam\(page): clear it"
    case "cutter-jam": "The cutter is jammed\(page): clear it"
    case "media-low": "Low on paper; printing continues"
    case "marker-supply-low", "toner-low":
      "Low on \(supply(reason, upTo: 25)); printing continues"
    case "marker-supply-empty", "toner-empty":
      "Replace the \(supply(reason, upTo: 2)): it is empty"
    default: reason.words.map(capitalized)
    }
  }

  /// `A4`, `the 80 mm roll`.
  private var paper: String { (ticket.paper.isRoll ? "the " : "") + ticket.paper.title }

  /// `tray 2`; nil if the printer chooses.
  private var tray: String? { ticket.paper.source.flatMap(StateReasonMessages.tray) }

  private var page: String {
    guard let impressions, impressions > 0 else { return "" }
    return " after page \(impressions)"
  }

  /// Returns the usual words for media-source's keywords (PWG 5101.1); nil if the printer chooses.
  private static func tray(_ source: String) -> String? {
    let words = source.split(separator: "-").joined(separator: " ")
    switch source {
    case "auto": return nil
    case let name where name.hasPrefix("tray-") || name.hasPrefix("roll-"): return words
    case "by-pass-tray": return "the by-pass tray"
    case let name where name.hasSuffix("roll") || name.hasSuffix("tray"): return "the \(words)"
    default: return "the \(words) tray"
    }
  }

  /// Returns the supply that is low: `black ink`; `ink or toner` if the printer does not report which.
  private func supply(_ reason: StateReason, upTo level: Int) -> String {
    let isToner = reason.keyword.hasPrefix("toner")
    let low = printer.supplies.filter { supply in
      supply.level.map { $0 <= level } == true && !supply.type.lowercased().contains("waste")
        && (!isToner || supply.type.lowercased().contains("toner"))
    }
    let lowest = low.compactMap(\.level).min()
    let names = low.filter { $0.level == lowest }.map { supply in
      let noun = supply.type.lowercased().contains("toner") ? "toner" : "ink"
      let words = supply.name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
        .filter { !["ink", "toner", "cartridge", "supply"].contains($0) }
      return (words.map(String.init) + [noun]).joined(separator: " ")
    }
    return names.isEmpty ? (isToner ? "toner" : "ink or toner") : names.inWords()
  }

  private static let low: Set<String> = ["media-low", "marker-supply-low", "toner-low"]
}

private func capitalized(_ text: String) -> String {
  text.prefix(1).uppercased() + text.dropFirst()
}

extension [String] {
  /// The elements without duplicates, in the order of their first occurrence.
  fileprivate var unique: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
