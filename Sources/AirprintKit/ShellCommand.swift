internal import Glibc
internal import PrintModel
internal import System

/// Runs a command line in a shell, with this program's terminal and these variables, and gives its exit
/// code, 128 and its number for a signal. An interruption is handed on to it.
func runShell(
  _ command: String, _ variables: [String: String], _ cancellation: Cancellation
) throws(Failure) -> Int32 {
  let words = ["/bin/sh", "-c", command]
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) }
  let settings = variables.map { "\($0)=\($1)" }
  var environment: [UnsafeMutablePointer<CChar>?] = settings.map { (word: String) in strdup(word) }
  defer { for pointer in arguments + environment { free(pointer) } }
  arguments.append(nil)
  environment.append(nil)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // Signals are to mean there what they mean to any program: we ignore SIGPIPE, and catch others.
  var usual = sigset_t()
  sigemptyset(&usual)
  for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&usual, number) }
  posix_spawnattr_setsigdefault(&attributes, &usual)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
  var pid: pid_t = 0
  let problem = posix_spawn(&pid, "/bin/sh", nil, &attributes, arguments, environment)
  guard problem == 0 else {
    throw Failure(.fault, "A shell can't be started: \(String(cString: strerror(problem))).")
  }
  var status: Int32 = 0
  var isTold = false
  while waitpid(pid, &status, WNOHANG) == 0 {
    if cancellation.isRaised, !isTold {
      isTold = true
      kill(pid, cancellation.signal ?? SIGTERM)
    }
    usleep(10_000)
  }
  // The macros of wait(2) are not to be had in Swift.
  return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
}
