internal import AirprintContext
internal import ArgumentParser
internal import Glibc
internal import Jobs
internal import PrintModel
internal import Printing
internal import System
internal import Terminal

/// `airprint queue watch`.
struct QueueWatchCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "queue watch", "Watch for the printers of queued jobs and notify you, or print.", usage: "",
    examples: ["airprint queue watch --print", "systemctl --user enable --now airprint-queue"])

  @Flag(help: "Print queued jobs as soon as their printer is available.")
  var print = false

  @OptionGroup var credentials: CredentialsOption
  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let context = try credentials.context(context, output)
    let cancellation = Cancellation.catchingSignals()
    if output.err.isTerminal {
      output.message("Watching for the printers of queued jobs. Ctrl-C ends this.")
    }
    let (reports, continuation) = AsyncStream<QueueWatchEvent>.makeStream()
    let work = Task { [prints = print] in
      defer { continuation.finish() }
      try await watchQueue(prints: prints, context, cancellation: cancellation) {
        continuation.yield($0)
      }
    }
    for await report in reports { try show(report, output) }
    try await work.value
    // A service that is stopped has succeeded.
    if cancellation.signal == SIGINT { Cancellation.takeItsCourse(signal: SIGINT) }
  }

  private func show(_ report: QueueWatchEvent, _ output: CommandOutput) throws {
    if output.isJSON, let line = report.line { try output.jsonLine(line) }
    switch report {
    case .available(let printer, _, let jobs):
      let count = jobs.count.counted("job")
      let hint = print ? "" : "; airprint queue run prints \(jobs.count == 1 ? "it" : "them")"
      output.message("\(printer) is available: \(count) waiting\(hint).")
    case .gone(let printer, _): output.message("\(printer) no longer answers.")
    case .note(let text): output.complain("airprint: \(text)")
    case .printing(.event(let job, let event)):
      if case .told(let entry) = event { output.message("\(job.name): \(entry.message)") }
      if case .waiting(let troubles) = event {
        for trouble in troubles { output.message("\(job.name): \(trouble.text).") }
      }
    case .printing(.problem(let failure)): output.fail(failure)
    case .printing(.finished(let job, let result, let isWaiting)):
      if output.isJSON { output.tell(of: job.job, job.name) { try output.jsonLine(result) } }
      if result.exitCode == .success { return output.message(result.praise(as: job.name)) }
      let verb = isWaiting ? " is still waiting" : ""
      output.complain(
        "airprint: \(job.name) (job \(job.job))\(verb): \(result.message ?? "failed")")
    }
  }
}

extension QueueWatchEvent {
  /// A line of `queue watch --json`: a printer that appeared or vanished, and the jobs that wait for it.
  ///
  /// Jobs that are printed have lines as in `print --json`.
  fileprivate var line: JSONObject? {
    func line(_ event: String, _ printer: String, _ uri: String, _ jobs: [String]) -> JSONObject {
      JSONObject(["event": event, "printer": printer, "uri": uri, "jobs": jobs])
    }
    return switch self {
    case .available(let printer, let uri, let jobs):
      line("available", printer, uri, jobs.map(\.job))
    case .gone(let printer, let uri): line("gone", printer, uri, [])
    case .printing, .note: nil
    }
  }
}
