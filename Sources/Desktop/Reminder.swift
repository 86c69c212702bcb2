internal import System

/// A notification on the desktop that a printer is available: by notify-send (libnotify), which speaks to
/// org.freedesktop.Notifications and waits for what the user clicks.
package final class Reminder {
  private let program: ChildProgram

  /// nil where there is no desktop, or no notify-send.
  ///
  /// `print` is called, on another thread, when the user chooses Print.
  package init?(
    _ title: String, _ text: String, _ environment: [String: String],
    print: @escaping @Sendable () -> Void
  ) {
    let actions = ["--action=print=Print", "--action=later=Later"]
    guard let call = DesktopNotice.command(title, text, options: actions, environment) else {
      return nil
    }
    guard
      let program = try? ChildProgram(
        call, environment, isQuiet: true,
        ended: { output, _ in if output.split(separator: "\n").last == "print" { print() } })
    else { return nil }
    self.program = program
  }

  /// Takes it away.
  deinit { program.interrupt() }
}
