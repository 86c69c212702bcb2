// Desktop: what belongs to the user's session: notifications, the keyring, a viewer, each by the program that
// speaks to it.

internal import ForeignText
internal import Glibc
internal import System

/// Notifications on the user's desktop, by notify-send (libnotify), which speaks to org.freedesktop.Notifications.
package enum DesktopNotice {
  /// The command that shows one; nil where there is no desktop.
  ///
  /// Title and text are cleaned and bounded: a printer and a job chose their names themselves. The text is read as
  /// markup by some desktops, the title by none (Desktop Notifications Specification).
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

  /// Shows one, without waiting for a reaction.
  ///
  /// Without a desktop or notify-send, nothing is shown: the exit status has the same information.
  package static func show(
    _ title: String, _ text: String, icon: String, _ environment: [String: String]
  ) {
    guard let command = command(title, text, icon: icon, environment) else { return }
    _ = try? ChildProgram(command, environment, isQuiet: true, ended: { _, _ in })
  }
}
