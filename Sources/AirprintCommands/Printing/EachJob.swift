internal import PrintModel
internal import System

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
      output.complain("airprint: \(failure.message)")
    }
    if let signal = cancellation?.signal { Cancellation.takeItsCourse(signal: signal) }
  }
  try SilentExit.end(withWorstOf: codes)
}
