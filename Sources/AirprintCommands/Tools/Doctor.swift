internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import LateLibraries
internal import Maintenance
internal import Printers
internal import PrintModel
internal import Terminal

/// `airprint doctor`.
struct Doctor: AirprintCommand {
  static let configuration = CommandConfiguration(
    "doctor", "Check this machine and suggest fixes.", usage: "[<printer>]",
    examples: ["airprint doctor", "airprint doctor \"Office Laser\"", "airprint doctor --nagios"])

  @Argument(
    help: "The printer to contact (default: all saved printers).", completion: .from(.savedPrinters)
  )
  var printer: String?

  @Flag(help: "End as the worst of several printers does, rather than the best.")
  var all = false

  @Flag(
    help:
      "Check the printers only, and print a line for Nagios, Icinga or Zabbix with their supplies.")
  var nagios = false

  @Flag(help: "Check the printers only, and print metrics for Prometheus' node exporter.")
  var prometheus = false

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard [nagios, prometheus, global.json].count(where: \.self) < 2 else {
      throw ValidationError("--json, --nagios and --prometheus are different outputs: choose one.")
    }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    if nagios || prometheus { return try await watch(context, output) }
    let report = await examine(try await target(context), needsAll: all, context)
    if output.isJSON {
      try output.json(report)
    } else if output.isQuiet {
      for check in report.failures { output.complain("airprint: \(check.sentence)") }
    } else {
      try show(report, output)
    }
    if report.exitCode != .success { throw SilentExit(exitCode: report.exitCode) }
  }

  /// The printer that is named; nil for all saved ones.
  private func target(_ context: Context) async throws(Failure) -> PrinterReference? {
    guard NetworkLibraries.missing == nil, let name = context.printerName(typed: printer) else {
      return nil
    }
    return try await findPrinter(name, for: nil, context)
  }

  /// Prints the printers' state for another program, which expects its line whatever happens.
  private func watch(_ context: Context, _ output: CommandOutput) async throws {
    let found: WatchedPrinters
    var failure: Failure?
    do throws(Failure) {
      found = WatchedPrinters(await examinePrinters(try await target(context), context))
    } catch {
      found = WatchedPrinters(error)
      failure = error
    }
    if prometheus {
      try found.metrics.forEach(output.line)
      if let failure { throw failure }
      return
    }
    try output.line(found.summary)
    if found.state != .ok { throw ArgumentParser.ExitCode(found.state.rawValue) }
  }

  private func show(_ report: HealthReport, _ output: CommandOutput) throws {
    let checks = report.checks.filter { !$0.isSpare || global.verbose }
    let width = min(checks.map(\.name.displayWidth).max() ?? 0, 26)
    var area = ""
    for check in checks {
      if check.area != area {
        if !area.isEmpty { try output.line("") }
        try output.line(check.area.capitalizedFirst)
      }
      area = check.area
      try write(check, width, output)
    }
    try show(report.settings, output)
    try output.line("")
    try output.wrapped(
      "", report.summary, output.style(report.exitCode == .success ? .green : .red))
  }

  private func write(_ check: HealthCheck, _ width: Int, _ output: CommandOutput) throws {
    let color: TerminalStyle =
      switch check.state {
      case .ok: .green
      case .missing: check.isOptional ? .yellow : .red
      case .wrong: .red
      }
    let state = check.state.rawValue
    let start =
      "  \(output.style(color)(state))\(String(repeating: " ", count: 9 - state.count))"
      + cleaned(check.name).padded(to: width + 2)
    try output.wrapped(start, check.detail, indent: 11 + width + 2)
    if let fix = check.fix, check.state != .ok {
      try output.folded("           \(fix)", indent: 13)
    }
  }

  /// Shows the values of the configuration; certificates, which users don't write themselves, only with -v.
  private func show(_ settings: [SettingReport], _ output: CommandOutput) throws {
    let shown = settings.filter { $0.name != "certificate" || global.verbose }
    guard !shown.isEmpty else { return }
    try output.line("")
    try output.line("Settings")
    for setting in shown {
      let place = setting.scope.map { "[\($0)] " } ?? ""
      let rest = setting.isOverridden ? ", overridden" : ""
      try output.wrapped(
        "  ", "\(place)\(setting.name) = \(setting.value)  (\(setting.source)\(rest))", indent: 4)
    }
  }
}

extension HealthReport {
  /// Problems that prevent airprint from printing.
  fileprivate var failures: [HealthCheck] {
    exitCode == .success ? [] : checks.filter { !$0.isOptional && $0.state != .ok }
  }

  /// The last line: the result, with the problems that prevent printing.
  fileprivate var summary: String {
    let printers = checks.filter { $0.area == "printers" }
    let ready = printers.filter { $0.state == .ok }.map(\.name)
    if exitCode == .success {
      let others = printers.filter { $0.state != .ok }.map(\.name)
      return ready.isEmpty
        ? "airprint works here. Choose a printer with: airprint pick"
        : "Ready to print on \(ready.inWords())."
          + (others.isEmpty ? "" : " Not ready: \(others.inWords()).")
    }
    let trouble = failures.map { failure in
      // The details, with fingerprints and commands, are shown above.
      failure.sentence.firstSentence.withoutFullStop
    }
    return "\(trouble.count.counted("problem")): \(trouble.joined(separator: "; "))."
  }
}

extension CommandOutput {
  /// Returns a function that colors text if the terminal supports it.
  fileprivate func style(_ style: TerminalStyle) -> (String) -> String {
    { [out] text in text.styled([style], if: out.hasColors) }
  }
}

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
      guard check.area == "printers", !check.isOptional else {
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
