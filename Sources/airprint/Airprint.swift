import AirprintCommands
internal import CStart
import Glibc

/// The program: everything is elsewhere.
@main
struct Main {
  static func main() {
    guard start_argument_count() > 0 else {
      let words = "airprint: It was started without arguments, not even its own name.\n"
      _ = write(2, words, words.utf8.count)
      exit(70)
    }
    let arguments = decoded(
      (1..<max(1, start_argument_count())).compactMap {
        start_argument($0).map { UnsafePointer($0) }
      })
    if let code = runAtOnce(arguments) { end(code) }
    let worker = start_forked_worker()
    let forked = worker > 0 ? (process: worker, socket: start_forked_worker_socket()) : nil
    // Not on the main actor, whose thread goes to sleep.
    Task.detached { end(await run(arguments, worker: forked)) }
    while true { pause() }
  }

  /// Ends the process, its output written, without what libraries do at the end.
  ///
  /// A thread may still be closing a connection: Kerberos without its locks aborts, and a job that is printed would be
  /// exit 134.
  private static func end(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }
}
