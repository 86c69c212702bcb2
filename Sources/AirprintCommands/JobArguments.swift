internal import ArgumentParser
internal import PrintModel
internal import System

/// `[<job> ...]` of commands that treat all jobs equally: `release`, `wait`.
struct JobArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only one).",
      valueName: "job"),
    completion: .unfinishedJobs)
  var jobs: [String] = []

  /// Calls `act` for each job; see `forEach`.
  ///
  /// - `only`: the job to use if none is named.
  func each(
    _ output: CommandOutput, only: () async throws -> String, _ cancellation: Cancellation? = nil,
    _ act: (String) async throws -> PrintModel.ExitCode
  ) async throws {
    try await forEach(jobs.isEmpty ? [only()] : jobs, output, cancellation, act)
  }
}

/// Calls `act` for every job, even if some fail, and ends with the worst code.
///
/// - `cancellation`: ends the command by its signal after the current job.
/// - `act`: returns the result; errors that it throws are shown.
func forEach(
  _ jobs: [String], _ output: CommandOutput, _ cancellation: Cancellation? = nil,
  _ act: (String) async throws -> PrintModel.ExitCode
) async throws {
  var codes: [PrintModel.ExitCode] = []
  for job in jobs {
    do {
      codes.append(try await act(job))
    } catch let failure as Failure {
      codes.append(failure.code)
      output.complain("airprint: \(failure.message)")
    }
    if let signal = cancellation?.signal { Cancellation.takeItsCourse(signal: signal) }
  }
  let worst = PrintModel.ExitCode.worst(of: codes)
  if worst != .success { throw SilentExit(exitCode: worst) }
}
