internal import System

/// Another process of this program, in its own session and without a terminal: for work that continues after a command.
package enum DetachedProcess {
  /// The descriptor of the lock passed to it, which it holds until it ends.
  package static let lock: Int32 = 3

  /// Starts it with a copy of `lock`.
  ///
  /// Returns 0 if it runs, else errno.
  package static func start(_ arguments: [String], lock: Int32, _ context: Context) -> Int32 {
    var start = ProgramStart(
      ["airprint"] + arguments, program: context.executable, environment: environment(of: context))
    // A reader that waits for the end of our pipe must not wait for the job.
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

  /// Returns the environment, with the path of the password file.
  private static func environment(of context: Context) -> [String: String] {
    guard let passwordFile = context.passwordFile else { return context.environment }
    let whole = absolutePath(passwordFile) ?? passwordFile
    return context.environment.merging(["AIRPRINT_PASSWORD_FILE": whole]) { $1 }
  }
}
