internal import AirprintKit
internal import ArgumentParser
internal import ForeignText
internal import PrintModel
internal import Terminal

/// `airprint doctor`.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check this machine and suggest fixes.",
    usage: "airprint doctor [<options>] [<printer>]",
    discussion: """
        airprint doctor
        airprint doctor "Office Laser"
      """)

  @Argument(
    help: ArgumentHelp(
      "The printer to contact (default: all saved printers).", valueName: "printer"),
    completion: .savedPrinters)
  var printer: String?

  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let context = Context.current
    let output = Output(global, environment: context.environment)
    var target: PrinterReference?
    if let printer { target = try await findPrinter(printer, for: nil, context) }
    let report = await examine(target, context)
    if output.isJSON {
      try output.json(report)
    } else {
      try show(report, output)
    }
    if report.exitCode != .success { throw SilentExit(exitCode: report.exitCode) }
  }

  private func show(_ report: HealthReport, _ output: Output) throws {
    let width = report.checks.map(\.name.displayWidth).max() ?? 0
    var area = ""
    for check in report.checks {
      if check.area != area {
        if !area.isEmpty { try output.line("") }
        try output.line(check.area.capitalizedFirst)
      }
      area = check.area
      let state = check.state.rawValue.padded(to: 9)
      try output.line("  \(state)\(cleaned(check.name).padded(to: width + 2))\(check.detail)")
      if let mend = check.mend, check.state != .ok { try output.line("           \(mend)") }
    }
    guard !report.settings.isEmpty else { return }
    try output.line("")
    try output.line("Settings")
    for setting in report.settings {
      let place = setting.scope.map { "[\($0)] " } ?? ""
      let rest = setting.isOverridden ? ", overridden" : ""
      try output.line("  \(place)\(setting.name) = \(setting.value)  (\(setting.source)\(rest))")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - displayWidth))
  }

  fileprivate var capitalizedFirst: String { (first?.uppercased() ?? "") + dropFirst() }
}
