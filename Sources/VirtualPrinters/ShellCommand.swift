internal import Glibc
internal import PrintModel
internal import System

/// Runs a command line in a shell with this program's terminal and these variables, and returns its exit code, or 128
/// plus the signal's number.
///
/// An interruption is passed on to it.
func runShell(
  _ command: String, _ variables: [String: String], _ cancellation: Cancellation
) throws(Failure) -> Int32 {
  var start = ProgramStart(["/bin/sh", "-c", command], environment: variables)
  start.isInterruptible = true
  let process: pid_t
  do throws(SystemError) {
    process = try start.start()
  } catch {
    throw Failure(.fault, "A shell can't be started: \(error).")
  }
  var isTold = false
  while true {
    if let status = ExitStatus.poll(process) { return status.code }
    if cancellation.isRaised, !isTold {
      isTold = true
      kill(process, cancellation.signal ?? SIGTERM)
    }
    usleep(10_000)
  }
}
