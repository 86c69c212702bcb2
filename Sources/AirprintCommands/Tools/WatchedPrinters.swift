internal import ForeignText
internal import Maintenance
internal import PrintModel

/// Printers as programs that watch machines want them: `doctor --nagios`, `doctor --prometheus`.
struct WatchedPrinters {
  /// The states of the Monitoring Plugins' guidelines, by their exit codes.
  enum PluginState: Int32 {
    case ok, warning, critical, unknown
  }

  private struct Entry {
    var name = ""
    var state = PluginState.unknown
    /// The finding with the printer's name, or what prevents asking.
    var words: String
    /// True if it answers; nil if it is no printer, but what prevents asking one.
    var answers: Bool?
    var isLow = false
    /// The supplies whose level is known, in percent, by names that differ.
    var supplies: [(name: String, type: String, level: Int)] = []
  }

  private let entries: [Entry]

  init(_ failure: Failure) {
    entries = [Entry(words: failure.event)]
  }

  init(_ checks: [HealthCheck]) {
    entries = checks.filter { $0.area == "printers" || $0.state != .ok }.map { check in
      let isPrinter = check.area == "printers" && !check.isOptional
      guard isPrinter else {
        return Entry(
          words: check.area == "printers" ? "airprint has \(check.detail)" : check.sentence)
      }
      var entry = Entry(name: check.name, words: check.sentence)
      entry.answers = check.state != .missing
      entry.state = check.state != .ok ? .critical : check.low.isEmpty ? .ok : .warning
      entry.isLow = !check.low.isEmpty
      if entry.state == .warning {
        entry.words = "\(check.name): \(check.low.joined(separator: ", "))"
      }
      for supply in check.supplies {
        guard let level = supply.level else { continue }
        let title = supply.title ?? "supply"
        let twins = entry.supplies.count { $0.name == title || $0.name.hasPrefix("\(title) #") }
        let name = twins == 0 ? title : "\(title) #\(twins + 1)"
        entry.supplies.append((name, supply.type, level))
      }
      return entry
    }
  }

  /// The worst one: a printer that is known not to print is worse than one of which nothing is known.
  var state: PluginState {
    let states = Set(entries.map(\.state))
    return [.critical, .unknown, .warning].first(where: states.contains) ?? .ok
  }

  /// `PRINTERS WARNING: Till: low on black toner 7 %; 1 ready | 'Till black toner'=7%;11:;;0;100`.
  ///
  /// One line, without its line break. What is low, 10 % and less, is a warning; a waste container is not.
  var summary: String {
    let ready = entries.count { $0.state == .ok }
    let troubles = entries.filter { $0.state != .ok }.map { entry in
      entry.words.onOneLine.firstSentence.withoutFullStop
    }
    let words = (troubles + (ready > 0 ? ["\(ready) ready"] : [])).joined(separator: "; ")
    let numbers = entries.flatMap { entry in
      entry.supplies.map { supply in
        let label = cleaned("\(entry.name) \(supply.name)").filter { !"='|".contains($0) }
        let limit = supply.type.hasPrefix("waste") ? "" : "11:"
        return "'\(label)'=\(supply.level)%;\(limit);;0;100"
      }
    }
    // What follows a bar is read as numbers.
    let text = cleaned(words).map { $0 == "|" ? "/" : $0 }
    return "PRINTERS \("\(state)".uppercased()): \(String(text))"
      + (numbers.isEmpty ? "" : " | \(numbers.joined(separator: " "))")
  }

  /// The lines of gauges in Prometheus' text format.
  var metrics: [String] {
    let printers = entries.filter { $0.answers != nil }
    let supplies = printers.flatMap { printer in
      printer.supplies.map { supply in
        let labels = [("printer", printer.name), ("supply", supply.name), ("type", supply.type)]
        return (labels, Double(supply.level) / 100)
      }
    }
    func ofPrinters(_ isTrue: (Entry) -> Bool) -> [(labels: [(String, String)], Double)] {
      printers.map { ([("printer", $0.name)], isTrue($0) ? 1 : 0) }
    }
    return [
      gauge(
        "airprint_configuration_ok", "1 if there is a printer and no file prevents printing.",
        [([], printers.count == entries.count ? 1 : 0)]),
      gauge(
        "airprint_printer_up", "1 if the printer answers.", ofPrinters { $0.answers == true }),
      gauge(
        "airprint_printer_ready", "1 if the printer would print now.",
        ofPrinters { [.ok, .warning].contains($0.state) }),
      gauge("airprint_printer_low", "1 if the printer is low on anything.", ofPrinters(\.isLow)),
      gauge("airprint_printer_supply_ratio", "Level of a supply, from 0 to 1.", supplies),
    ].flatMap(\.self)
  }

  private func gauge(
    _ name: String, _ help: String, _ values: [(labels: [(name: String, value: String)], Double)]
  ) -> [String] {
    let lines = values.map { labels, value in
      let words = labels.map { label in
        let text = cleaned(label.value).map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }
        return "\(label.name)=\"\(text.joined())\""
      }
      let braces = words.isEmpty ? "" : "{\(words.joined(separator: ","))}"
      return "\(name)\(braces) \(value)"
    }
    return lines.isEmpty ? [] : ["# HELP \(name) \(help)", "# TYPE \(name) gauge"] + lines
  }
}
