import Glibc
import Synchronization
import TestSupport

/// A printer for storms: it counts complete documents by job name, takes a moment to print, and forgets its jobs when
/// it restarts.
///
/// Sheets that were printed before a restart still count.
final class StormPrinter: Sendable {
  private let printer: OddPrinter
  private let paper: Paper
  private let length: Int

  private final class Paper: Sendable {
    /// The number of complete documents, by name.
    let whole = Mutex([String: Int]())
    let numbers = Mutex(Dice(0))
  }

  var port: Int { Int(printer.uri.split(separator: ":")[2].split(separator: "/")[0]) ?? 0 }

  /// - `document`: the document of every job.
  init(_ document: [UInt8], pages: Int32) throws {
    let paper = Paper()
    let length = document.count
    self.paper = paper
    self.length = length
    printer = try OddPrinter { request, state in
      // Some responses get lost, and the printer is sometimes busy. A request whose connection it drops has no
      // effect.
      let luck = paper.numbers.withLock { Int.random(in: 0..<60, using: &$0) }
      if luck == 2 { return .hangUp }
      let number = request.integer("job-id") ?? 0
      switch request.operation {
      case OddPrinter.sendDocument:
        guard let job = state.jobs[number], job.state < 7 else { return .answer(status: 0x0404) }
        state.ending = (5, ["job-printing"], 0)
        // A truncated document does not count; at most, a part of it prints.
        if request.document.count == length {
          paper.whole.withLock { $0[job.name, default: 0] += 1 }
        }
      case OddPrinter.getJobAttributes:
        guard var job = state.jobs[number], job.state == 5 else { break }
        let count = min(pages, (job.impressions ?? 0) + 1)
        job.impressions = count
        if count == pages { (job.state, job.reasons) = (9, ["job-completed-successfully"]) }
        state.jobs[number] = job
      case OddPrinter.cancelJob:
        guard let job = state.jobs[number], job.state == 5 else { break }
        // The printing job is interrupted.
        paper.whole.withLock { $0[job.name, default: 0] -= 1 }
      default: break
      }
      switch luck {
      case 0: return .mute
      case 1 where request.operation != OddPrinter.getPrinterAttributes:
        return .doneBut(status: 0x0507)
      default: return .usual
      }
    }
  }

  /// Returns the number of complete documents of this name on paper.
  func whole(_ name: String) -> Int { paper.whole.withLock { $0[name] ?? 0 } }

  /// Switches the printer off and on again: the current job is not finished.
  func restart() {
    let printing = printer.with { state in
      defer { state.jobs = [:] }
      return state.jobs.values.filter { $0.state == 5 }.map(\.name)
    }
    paper.whole.withLock { for name in printing { $0[name, default: 0] -= 1 } }
  }

  func close() { printer.close() }
}
