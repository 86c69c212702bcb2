internal import Glibc
package import PrintModel
package import System

/// Runs a command line in a shell with this program's terminal, and returns how it ended.
///
/// Throws exit 70 if it can't be started.
///
/// - `arguments`: the shell's `$0`, `$1` and so on.
/// - `variables`: its environment; nil: that of this process.
/// - `cancellation`: an interruption that is passed on to it; nil for an editor, which has Ctrl-C from the terminal.
package func runShell(
  _ command: String, _ arguments: [String] = [], _ variables: [String: String]? = nil,
  _ cancellation: Cancellation? = nil
) throws(Failure) -> ExitStatus {
  var start = ProgramStart(["/bin/sh", "-c", command] + arguments, environment: variables)
  start.isInterruptible = true
  let process: pid_t
  do throws(SystemError) { process = try start.start() } catch {
    throw .fault("A shell can't be started: \(error).")
  }
  guard let cancellation else { return ExitStatus.wait(for: process) }
  var isTold = false
  while true {
    if let status = ExitStatus.poll(process) { return status }
    if cancellation.isRaised, !isTold {
      isTold = true
      kill(process, cancellation.signal ?? SIGTERM)
    }
    usleep(10_000)
  }
}
