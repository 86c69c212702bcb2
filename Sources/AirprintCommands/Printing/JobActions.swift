internal import AirprintContext
internal import ArgumentParser
internal import Jobs
internal import PrintModel
internal import System

/// `airprint cancel`.
struct Cancel: AirprintCommand {
  static let configuration = CommandConfiguration(
    "cancel", "Cancel print jobs.", usage: "[<job> ...]",
    examples: [
      "airprint cancel", "airprint cancel k7q2m", "airprint cancel Till/12",
      "airprint cancel --all",
    ])

  @Argument(
    help: .init(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one).",
      valueName: "job"), completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @Flag(help: "Cancel every active job.")
  var all = false

  @Option(
    name: [.customShort("U"), .long],
    help: .init("Cancel another program's job in this user's name.", valueName: "name"))
  var user: String?

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    var context = context
    if let user { context.user = user }
    if all, !jobs.isEmpty { throw Failure(.usage, "Name jobs or give --all, not both.") }
    var named = jobs
    if all {
      // The last first: a job that waits must not start because the one before it ends.
      named = try await activeJobs(context).compactMap(\.job).reversed()
      if named.isEmpty { return output.message("No job is active.") }
    } else if jobs.isEmpty {
      named = [try await onlyActiveJob(to: "cancel", context)]
    }
    try await forEach(named, output) { [context] job in
      let report = try await cancelJob(job, context)
      if output.isJSON { try output.jsonLine(report) }
      output.message("Canceled \(report.name) on \(report.printer).")
      return .success
    }
  }
}

/// `airprint release`.
struct Release: AirprintCommand {
  static let configuration = CommandConfiguration(
    "release", "Let held jobs print.", usage: "[<job> ...]",
    examples: ["airprint release k7q2m", "airprint release Till/12"])

  @Argument(
    help: .init(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only held one).",
      valueName: "job"), completion: .from(.heldJobs))
  var jobs: [String] = []

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let named =
      jobs.isEmpty ? [try await onlyActiveJob(to: "release", isHeld: true, context)] : jobs
    try await forEach(named, output) { job in
      let report = try await releaseJob(job, context)
      if output.isJSON { try output.jsonLine(report) }
      output.message("Released \(report.name) on \(report.printer).")
      return .success
    }
  }
}

/// `airprint move`.
struct MoveCommand: AirprintCommand {
  static let configuration = CommandConfiguration(
    "move", "Move a job that has not printed yet to another printer.", usage: "<job> <printer>",
    examples: ["airprint move k7q2m Back", "airprint move Till/12 Back"])

  @Argument(
    help: "The job, as listed by airprint jobs or print --lp, or PRINTER/NUMBER.",
    completion: .from(.unfinishedJobs))
  var job: String

  @Argument(
    help: "The printer to move it to, as for print -d; of several, the first that is ready.",
    completion: .from(.savedPrinters))
  var printer: String

  @OptionGroup var global: GlobalOptions

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let report = try await moveJob(job, to: printer, context)
    if output.isJSON { try output.jsonLine(report) }
    let next = report.isQueued ? "; airprint queue run prints it" : ""
    output.message("Moved \(report.name) to \(report.printer)\(next).")
  }
}

/// `airprint wait`.
struct Wait: AirprintCommand {
  static let configuration = CommandConfiguration(
    "wait", "Wait for jobs to finish and exit with the status print would have had.",
    usage: "[<job> ...]",
    examples: ["job=$(airprint print --detach receipt.pdf)", "airprint wait $job"])

  @Argument(
    help: .init(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only active one, else the last).",
      valueName: "job"), completion: .from(.unfinishedJobs))
  var jobs: [String] = []

  @Option(
    help: .init(
      "Wait at most this many seconds for each job (default: until it has ended).",
      valueName: "seconds"))
  var timeout: Int?

  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let timeout, timeout < 0 {
      throw ValidationError("--timeout \(timeout): takes a number of seconds.")
    }
  }

  func run(_ context: Context, _ output: CommandOutput) async throws {
    let cancellation = Cancellation.catchingSignals()
    var named = jobs
    if jobs.isEmpty {
      // The queue waits for a command.
      let listed = try await listJobs(at: nil, context).filter { !$0.isQueued }
      guard let last = listed.last else { return output.message("There is no job to wait for.") }
      // What a script waits for may have happened.
      let isOver = !listed.contains(where: \.isActive)
      named = [try isOver ? last.job ?? "" : onlyJob(of: listed, to: "wait for")]
    }
    try await forEach(named, output, cancellation) { job in
      let report = try await waitForJob(
        job, context, timeout: timeout.map { .seconds($0) }, cancellation: cancellation
      ) { output.message($0) }
      if output.isJSON {
        output.tell(of: report.job ?? job, report.name) { try output.jsonLine(report) }
      }
      let code = report.exitCode.flatMap(PrintModel.ExitCode.init) ?? .inDoubt
      if code == .success {
        output.message("Printed \(report.name) on \(report.printer).")
      } else {
        output.complain("airprint: \(report.name): \(report.message ?? "failed")")
      }
      return code
    }
  }
}

/// Calls `act` for every job, even if some fail, and ends with the worst code.
///
/// - `codes`: those of what went before.
/// - `cancellation`: ends the command by its signal after the current job.
/// - `act`: returns the result; errors that it throws are shown.
func forEach(
  _ jobs: [String], _ output: CommandOutput, after codes: [PrintModel.ExitCode] = [],
  _ cancellation: Cancellation? = nil, _ act: (String) async throws -> PrintModel.ExitCode
) async throws {
  var codes = codes
  for job in jobs {
    do {
      codes.append(try await act(job))
    } catch let failure as Failure {
      codes.append(failure.code)
      output.fail(failure, of: job)
    }
    if let signal = cancellation?.signal { Cancellation.takeItsCourse(signal: signal) }
  }
  try SilentExit.end(withWorstOf: codes)
}
