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
    let bell = event.isIdentification && isatty(2) == 1 ? "\u{7}" : ""
    for sentence in event.sentences {
      if event.isFailure {
        output.complain("airprint: \(sentence)")
      } else {
        output.message(sentence + bell)
      }
    }
    if let pages = event.pages { open(pages) }
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
