internal import AirprintKit
internal import ArgumentParser
internal import PrintModel
internal import Terminal

/// `airprint show`.
struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a printer's details, state and loaded paper.",
    usage: "airprint show [<options>] [<printer>]",
    discussion: """
        airprint show
        airprint show ipp://192.0.2.7/ipp/print --json
      """)

  @OptionGroup var printer: PrinterArgument
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let output = Output(global, environment: Context.current.environment)
    let context = Context.current(output, credentials)
    let target = try await printer.target(for: nil, context)
    let progress = output.isQuiet ? nil : Progress("Waiting for \(target.name)", on: output.err)
    let (report, failure) = await showPrinter(target, context)
    progress?.end()
    if output.isJSON {
      try output.json(report)
    } else {
      for line in report.lines { try output.line(line) }
    }
    if let failure { throw failure }
  }
}

extension PrinterReport {
  /// The report for people, one fact a line.
  fileprivate var lines: [String] {
    var lines: [String] = []
    func add(_ name: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      lines.append(name.padded(to: 11) + " " + text)
    }
    add("name", name)
    add("state", isAvailable ? status?.inWords : "does not answer")
    add("last seen", isAvailable ? nil : lastSeen)
    add("model", makeAndModel)
    add("kind", isQueue ? "a CUPS queue: what is loaded is not known" : nil)
    add("location", location)
    add("prints", types.map(\.rawValue).joined(separator: ", "))
    add("color", isColor.map { $0 ? "yes" : "no" })
    add("both sides", isDuplex.map { $0 ? "yes" : "no" })
    add("formats", formats.joined(separator: ", "))
    for (index, paper) in ready.enumerated() { add(index == 0 ? "loaded" : "", paper.inWords) }
    for (index, supply) in (status?.supplies ?? []).enumerated() {
      add(index == 0 ? "supplies" : "", supply.inWords)
    }
    add("connection", isSecure ? "encrypted" : "not encrypted")
    add("web page", moreInfo)
    add("address", uri)
    return lines
  }
}

extension Paper {
  /// `A4, tray-1, stationery, margins 4.2 mm`.
  var inWords: String {
    let m = margins
    let edges = [m.top, m.bottom, m.left, m.right]
    let edge: String
    if m.isBorderless {
      edge = "borderless"
    } else if let first = edges.first, edges.allSatisfy({ $0 == first }) {
      edge = "margins \(first.inMillimetres)"
    } else {
      edge =
        "margins top \(m.top.inMillimetres), bottom \(m.bottom.inMillimetres), "
        + "left \(m.left.inMillimetres), right \(m.right.inMillimetres)"
    }
    return ([title, source, type].compactMap { $0 } + [edge]).joined(separator: ", ")
  }
}

extension PrinterStatus.Supply {
  fileprivate var inWords: String {
    level.map { "\(name) \(type) \($0) %" } ?? "\(name) \(type)"
  }
}

extension PrinterStatus {
  /// `ready`, `printing, 2 jobs waiting`, `stopped: close the cover`.
  var inWords: String {
    let reasons = reasons.compactMap { StateReason($0).words }
    var text =
      switch state {
      case .idle: "ready"
      case .processing: "printing"
      case .stopped: "stopped"
      }
    if !isAcceptingJobs { text += ", takes no jobs" }
    if let queuedJobs, queuedJobs > 0 {
      text += ", \(queuedJobs) \(queuedJobs == 1 ? "job" : "jobs") waiting"
    }
    return reasons.isEmpty ? text : "\(text): \(reasons.joined(separator: "; "))"
  }
}
