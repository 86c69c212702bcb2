internal import System

/// A desktop notification that a printer is available: through notify-send (libnotify), which uses
/// org.freedesktop.Notifications and waits for the user's choice.
package final class Reminder {
  private let program: ChildProgram

  /// Shows the notification; nil if there is no desktop, or no notify-send.
  ///
  /// `print` is called on another thread if the user chooses Print.
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

  /// Removes the notification.
  deinit { program.interrupt() }
}
