// Desktop: the user's session: notifications, the keyring, and a viewer, each through its own program.

internal import ForeignText
internal import Glibc
internal import System

/// Notifications on the user's desktop, through notify-send (libnotify), which uses org.freedesktop.Notifications.
package enum DesktopNotice {
  /// Returns the command that shows a notification; nil if there is no desktop.
  ///
  /// Title and text are cleaned and bounded, because names of printers and jobs are untrusted. Some desktops parse the
  /// text as markup, none the title (Desktop Notifications Specification).
  package static func command(
    _ title: String, _ text: String, icon: String = "printer", options: [String] = [],
    _ environment: [String: String]
  ) -> [String]? {
    let bus = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    let runtime = environment["XDG_RUNTIME_DIR"].map { "\($0)/bus" } ?? ""
    guard !bus.isEmpty || !runtime.isEmpty && access(runtime, F_OK) == 0 else { return nil }
    return ["notify-send", "--app-name=airprint", "--icon=\(icon)"] + options
      + [
        "--", isolated(cleaned(title, upTo: 200)),
        markupEscaped(isolated(cleaned(text, upTo: 500))),
      ]
  }

  /// Shows a notification, without waiting for a reaction.
  ///
  /// Without a desktop or notify-send, nothing is shown: the exit status has the same information.
  package static func show(
    _ title: String, _ text: String, icon: String, _ environment: [String: String]
  ) {
    guard let command = command(title, text, icon: icon, environment) else { return }
    _ = try? ChildProgram(command, environment, isQuiet: true, ended: { _, _ in })
  }
}

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
