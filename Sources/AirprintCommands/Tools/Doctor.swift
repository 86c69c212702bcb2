internal import AirprintContext
internal import ArgumentParser
internal import ForeignText
internal import LateLibraries
internal import Maintenance
internal import PrintModel
internal import Printers
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
      for check in report.failures { output.complain("airprint: \(check.sentence).") }
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
    let detail = global.verbose ? check.detail : check.detail.withShortFingerprints
    try output.wrapped(start, detail, indent: 11 + width + 2)
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
