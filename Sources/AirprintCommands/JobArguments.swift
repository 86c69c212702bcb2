internal import ArgumentParser
internal import PrintModel
internal import System

/// `[<job> ...]` of commands that do the same with each: `release`, `wait`.
struct JobArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Jobs, as listed by airprint jobs or print --lp, or PRINTER/NUMBER (default: the only one).",
      valueName: "job"),
    completion: .unfinishedJobs)
  var jobs: [String] = []

  /// See `forEach`.
  ///
  /// - `only`: the job that is meant where none is named.
  func each(
    _ output: CommandOutput, only: () async throws -> String, _ cancellation: Cancellation? = nil,
    _ act: (String) async throws -> PrintModel.ExitCode
  ) async throws {
    try await forEach(jobs.isEmpty ? [only()] : jobs, output, cancellation, act)
  }
}

/// Does something with every job, even if others fail, and ends with the worst code.
///
/// - `cancellation`: ends the command by its signal after the job at hand.
/// - `act`: gives how it went; what it throws is shown.
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
