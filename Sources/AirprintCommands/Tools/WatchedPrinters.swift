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
    var name: String
    var state: PluginState
    var words: String
    /// True if it answers; nil if it is no printer, but what prevents asking one.
    var answers: Bool?
    /// The supplies whose level is known, in percent, by names that differ.
    var supplies: [(name: String, type: String, level: Int)] = []
  }

  private let entries: [Entry]

  init(_ failure: Failure) {
    entries = [Entry(name: "", state: .unknown, words: failure.event)]
  }

  init(_ checks: [HealthCheck]) {
    entries = checks.filter { $0.area == "printers" || $0.state != .ok }.map { check in
      let isPrinter = check.area == "printers" && !check.isOptional
      let low = check.supplies.filter(\.isLow).compactMap(\.inWords)
      var entry = Entry(name: check.name, state: .unknown, words: check.detail)
      guard isPrinter else {
        if check.area == "printers" {
          (entry.name, entry.words) = ("airprint", "has \(check.detail)")
        }
        return entry
      }
      entry.answers = check.state != .missing
      entry.state = check.state != .ok ? .critical : low.isEmpty ? .ok : .warning
      if entry.state == .warning { entry.words = "is low on \(low.inWords())" }
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

  /// `PRINTERS WARNING: Till is low on black toner 7 %; 1 ready | 'Till black toner'=7%;11:;;0;100`.
  ///
  /// One line, without its line break. What is low, 10 % and less, is a warning; a waste container is not.
  var summary: String {
    let ready = entries.count { $0.state == .ok }
    let troubles = entries.filter { $0.state != .ok }.map { entry in
      let words = entry.words.onOneLine
      let end = words.firstRange(of: ". ")?.lowerBound ?? words.endIndex
      return (entry.name.isEmpty ? "" : "\(entry.name) ") + words[..<end]
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
    return [
      gauge(
        "airprint_printer_up", "1 if the printer answers.",
        printers.map { ([("printer", $0.name)], $0.answers == true ? 1 : 0) }),
      gauge(
        "airprint_printer_ready", "1 if the printer would print now.",
        printers.map { ([("printer", $0.name)], [.ok, .warning].contains($0.state) ? 1 : 0) }),
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
      return "\(name){\(words.joined(separator: ","))} \(value)"
    }
    return lines.isEmpty ? [] : ["# HELP \(name) \(help)", "# TYPE \(name) gauge"] + lines
  }
}
