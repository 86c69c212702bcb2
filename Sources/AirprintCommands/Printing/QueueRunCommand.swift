internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel
internal import Printing
internal import System
internal import Terminal

/// `airprint queue run`.
struct QueueRunCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue run", "Print everything in the queue that can be printed.", usage: "[<job> ...]",
    examples: ["airprint queue run", "airprint queue run k7q2m -d Back"])

  @Argument(
    help: .init("Only these jobs, as listed by airprint queue list.", valueName: "job"),
    completion: .from(.queuedJobs))
  var jobs: [String] = []

  @OptionGroup var printer: OtherPrinterOption
  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let cancellation = Cancellation.catchingSignals()
    let reports = try await runQueue(
      jobs, on: printer.printer, context, cancellation: cancellation
    ) { output.complain("airprint: \($0)") }
    let progress = QueueProgress(output)
    for await report in reports { try progress.show(report) }
    progress.end(isCut: cancellation.isRaised)
    if let signal = cancellation.signal { Cancellation.takeItsCourse(signal: signal) }
    try SilentExit.end(withWorstOf: progress.codes)
  }
}

/// Shows how the queue is printed: each job when it has ended, and the reasons for which printers wait.
final class QueueProgress {
  private let output: CommandOutput
  private let progress: ProgressLine?
  private(set) var codes: [PrintModel.ExitCode] = []
  /// The reasons why each printer's jobs are left in the queue, and their number.
  private var left: [(why: String, count: Int)] = []
  private var waited: [String: [Trouble]] = [:]

  init(_ output: CommandOutput) {
    self.output = output
    progress = output.progress("Printing the queue")
  }

  /// Removes the progress line, and reports the remaining jobs, unless a signal cut it short.
  func end(isCut: Bool) {
    progress?.end()
    if isCut { return }
    for (why, count) in left where count > 1 {
      output.message("\(count - 1) more \(count == 2 ? "job is" : "jobs are") waiting: \(why)")
    }
    if codes.isEmpty { output.message("There is nothing to print.") }
  }

  func show(_ report: QueueRunEvent) throws {
    switch report {
    case .event(let job, let event): show(event, job)
    case .problem(let failure):
      codes.append(failure.code)
      progress.aside { output.fail(failure) }
    case .finished(let job, let result, let isWaiting):
      codes.append(result.exitCode)
      try progress.aside { try show(result, job, isWaiting: isWaiting) }
    }
  }

  private func show(_ event: JobEvent, _ job: QueuedJob) {
    switch event {
    case .created, .sent: progress?.begin("Printing \(job.name)")
    case .waiting(let troubles):
      let news = troubles.filter { waited[job.job]?.contains($0) != true }
      waited[job.job] = troubles
      for trouble in news { say("\(job.name): \(trouble.text).") }
    case .told(let entry): say("\(job.name): \(entry.message)")
    case .aboutPrinter(let text): say("\(job.name): \(text)")
    case .contacting, .reached, .sending, .printing, .detail: break
    }
  }

  private func say(_ text: String) { progress.aside { output.message(text) } }

  private func show(_ result: PrintResult, _ job: QueuedJob, isWaiting: Bool) throws {
    if output.isJSON { output.tell(of: job.job, job.name) { try output.jsonLine(result) } }
    if result.exitCode == .success { return output.message(result.praise(as: job.name)) }
    let why = result.message ?? "failed"
    if isWaiting {
      if let known = left.firstIndex(where: { $0.why == why }) {
        left[known].count += 1
        return
      }
      left.append((why, 1))
      // cron mails what is written: with --quiet, a reason is written once, and not by each run.
      if output.isQuiet, job.message == why { return }
      output.complain("airprint: \(job.name) (job \(job.job)) is still waiting: \(why)")
    } else {
      let isStopped = [.interrupted, .terminated].contains(result.exitCode)
      let next = isStopped ? " Print it again with: airprint reprint \(job.job)" : ""
      output.complain("airprint: \(job.name) (job \(job.job)): \(why)\(next)")
    }
  }
}
