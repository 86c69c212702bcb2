internal import Glibc
internal import System

/// This program once more, in a session of its own and without a terminal: what goes on when a command has ended.
package enum DetachedProcess {
  /// The descriptor of the lock that it is given, and holds until it ends.
  package static let lock: Int32 = 3

  /// Starts it with a copy of `lock`.
  ///
  /// Returns errno, or 0 when it runs.
  package static func start(_ arguments: [String], lock: Int32, _ context: Context) -> Int32 {
    var start = ProgramStart(
      ["airprint"] + arguments, program: context.executable, environment: environment(of: context))
    // A reader that waits for the end of our pipe does not wait for the job.
    start.descriptors = [0: .null, 1: .null, 2: .null, DetachedProcess.lock: .copy(of: lock)]
    start.group = .session
    start.isInterruptible = true
    do throws(SystemError) {
      _ = try start.start()
      return 0
    } catch {
      return error.number
    }
  }

  /// The password's file goes along by its name.
  private static func environment(of context: Context) -> [String: String] {
    guard let passwordFile = context.passwordFile else { return context.environment }
    let path = realpath(passwordFile, nil)
    defer { free(path) }
    let whole = path.map { String(cString: $0) } ?? passwordFile
    return context.environment.merging(["AIRPRINT_PASSWORD_FILE": whole]) { $1 }
  }
}
