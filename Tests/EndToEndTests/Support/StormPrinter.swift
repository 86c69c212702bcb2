import Glibc
import Synchronization
import TestSupport

/// A printer for storms: it counts what came out as a whole by the job's name, takes a moment to print, and forgets
/// its jobs when it is restarted.
///
/// Paper that was out stays out.
final class StormPrinter: Sendable {
  private let printer: OddPrinter
  private let paper: Paper
  private let length: Int

  private final class Paper: Sendable {
    /// Whole documents by name, and those of them that are still being printed, by number.
    let whole = Mutex([String: Int]())
    let numbers = Mutex(Seeded(0))
  }

  var port: Int { Int(printer.uri.split(separator: ":")[2].split(separator: "/")[0]) ?? 0 }

  /// - `document`: what every job sends.
  init(_ document: [UInt8], pages: Int32) throws {
    let paper = Paper()
    let length = document.count
    self.paper = paper
    self.length = length
    printer = try OddPrinter { request, state in
      // Answers get lost, and printers are busy; of what it hangs up on it has heard nothing.
      let luck = paper.numbers.withLock { Int.random(in: 0..<60, using: &$0) }
      if luck == 2 { return .hangUp }
      let number = request.integer("job-id") ?? 0
      switch request.operation {
      case OddPrinter.sendDocument:
        guard let job = state.jobs[number], job.state < 7 else { return .answer(status: 0x0404) }
        state.ending = (5, ["job-printing"], 0)
        // Cut off it is no document, and prints in part at the most.
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
        // Stopped in the middle.
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

  /// How many whole documents of this name are on paper.
  func whole(_ name: String) -> Int { paper.whole.withLock { $0[name] ?? 0 } }

  /// It is switched off and on again: what it was printing is not finished.
  func restart() {
    let printing = printer.with { state in
      defer { state.jobs = [:] }
      return state.jobs.values.filter { $0.state == 5 }.map(\.name)
    }
    paper.whole.withLock { for name in printing { $0[name, default: 0] -= 1 } }
  }

  func close() { printer.close() }
}
