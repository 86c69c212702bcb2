internal import PrintModel

/// A printer's problems, in words for someone standing in front of it.
struct JobStateReasons {
  var ticket: Ticket
  var printer: PrinterStatus
  /// The job, if its document has been sent.
  var job: JobStatus?

  /// Conditions that stop the job.
  var troubles: [Trouble] {
    let known = reasons.filter(\.needsSomebody).withoutNeed.compactMap { reason in
      sentence(reason).map { Trouble($0, Self.paper.contains(reason.keyword) ? .paper : .somebody) }
    }.unique
    return known.isEmpty ? [stop ?? unknown].compactMap { $0 } : known
  }

  /// A stop of the printer for which only it has words.
  private var unknown: Trouble? {
    guard printer.state == .stopped, !printer.messages.isEmpty else { return nil }
    return printer.trouble(isLoaded: nil).map { Trouble($0.capitalizedFirst, .somebody) }
  }

  /// The job's own stop: if a filter fails, cupsd stops the job, and its printer is idle.
  private var stop: Trouble? {
    guard let job, job.state == .stopped else { return nil }
    return Trouble(
      "The job has stopped" + (job.message.map { ": \($0.withoutFullStop)" } ?? ""), .somebody)
  }

  /// Conditions that will soon stop the job.
  var warnings: [String] {
    reasons.filter { !$0.needsSomebody && JobStateReasons.low.contains($0.keyword) }.compactMap(
      sentence
    )
    .unique
  }

  private var reasons: [StateReason] { printer.reasons.map(StateReason.init) }

  private func sentence(_ reason: StateReason) -> String? {
    switch reason.keyword {
    // Another job came first, and wants its own paper.
    case _ where reason.needsPaper && isBehind: printer.words(of: reason).map(\.capitalizedFirst)
    case "media-needed":
      "Load \(ticket.paper.titleToLoad)\(ticket.paper.trayInWords.map { " in \($0)" } ?? "")\(page)"
    case _ where reason.needsPaper:
      printer.words(of: reason, for: isOwnTray ? ticket.paper : nil, page: page)
        .map(\.capitalizedFirst)
    case "media-jam": "Paper jam\(page): clear it"
    case "cutter-jam": "The cutter is jammed\(page): clear it"
    case "media-low": "Low on paper; printing continues"
    case "marker-supply-low", "toner-low":
      "Low on \(supplies(reason, upTo: 25).inWords()); printing continues"
    case "marker-supply-empty", "toner-empty": replacement(of: supplies(reason, upTo: 2))
    default: reason.words.map(\.capitalizedFirst)
    }
  }

  /// False if the printer reports that other trays are empty than the job's.
  private var isOwnTray: Bool {
    guard let source = ticket.paper.source, !printer.emptyTrays.isEmpty else { return true }
    return printer.emptyTrays.contains { $0.source == source }
  }

  /// True if the printer has the job, and one of another program or person before it.
  private var isBehind: Bool { job?.state == .pending && printer.queuedJobs ?? 1 > 1 }

  private var page: String {
    guard let impressions = job?.impressions, impressions > 0 else { return "" }
    return " after page \(impressions)"
  }

  private func replacement(of supplies: [String]) -> String {
    "Replace the \(supplies.inWords()): \(supplies.count > 1 ? "they are" : "it is") empty"
  }

  /// Returns the supplies that are low: `black ink`; `ink or toner` if the printer does not report which.
  private func supplies(_ reason: StateReason, upTo level: Int) -> [String] {
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
    return names.isEmpty ? [isToner ? "toner" : "ink or toner"] : names
  }

  private static let paper: Set<String> = [
    "media-empty", "input-media-supply-empty", "media-needed", "media-low-stopped",
  ]
  private static let low: Set<String> = ["media-low", "marker-supply-low", "toner-low"]
}
