internal import Desktop
internal import Glibc
internal import PrintModel
internal import VirtualPrinters

/// Shows the events of simulated printers: lines for people on standard error, or JSON objects, one per line, on
/// standard output.
struct SimulationView: Sendable {
  let output: CommandOutput
  /// Shows a job's pages when they are complete.
  let viewer: Viewer?

  func show(_ event: SimulationEvent) {
    if output.isJSON { try? output.jsonLine(event) }
    switch event {
    case .started(let printers, let folder, let isTemporary):
      for printer in printers { showStart(of: printer) }
      output.message("Pages go to \(folder)\(isTemporary ? ", which is removed at the end" : "").")
    case .unlisted(let why):
      output.message("Not listed on the network (\(why)): print to the URI.")
    case .received(let job):
      output.message(
        "\(job.printer): job \(job.job), \(job.name), \(job.format ?? "of no known type").")
    case .printed(let page):
      output.message(
        "\(page.printer): job \(page.job), page \(page.page)"
          + (page.duplex ? " (sheet \(page.sheet), \(page.side))" : "")
          + ", \(page.paper), \(page.color ? "color" : "gray"): \(page.file)")
    case .stopped(let printer, let reasons, let message):
      output.message("\(printer) has stopped (\(reasons.joined(separator: ", "))): \(message)")
    case .resumed(let printer): output.message("\(printer) has resumed.")
    case .ended(let job):
      let state = job.state == "completed" ? "printed" : job.state
      // `Printed.` says nothing more.
      let isPlain = ["Printed.", "Canceled."].contains(job.message)
      output.message("\(job.printer): job \(job.job) \(state)\(isPlain ? "." : ": \(job.message)")")
      if let folder = job.folder, job.pages > 0 { open("\(folder)/pages.pdf") }
    case .identified(let printer, let actions, let message):
      output.message(
        "\(printer): \(actions.joined(separator: ", "))"
          + (message.map { ": \($0)" } ?? "") + (isatty(2) == 1 ? "\u{7}" : ""))
    case .failed(let printer, let message): output.complain("airprint: \(printer): \(message)")
    }
  }

  private func showStart(of printer: SimulatedPrinterReport) {
    output.message(
      "\(printer.name) (\(printer.profile)) prints at \(printer.uri)"
        + (printer.listedAs.map { $0 == printer.name ? "" : ", listed as \($0)" } ?? "")
        + (printer.password.map { "; password \($0)" } ?? "") + ".")
  }

  private func open(_ path: String) {
    guard let viewer else { return }
    Task {
      do throws(Failure) {
        try await viewer.show(path)
      } catch {
        output.complain("airprint: \(error.message)")
      }
    }
  }
}
