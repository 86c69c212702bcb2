internal import Glibc
internal import PrintModel
internal import Settings

/// A call on the desktop that a printer is there: by notify-send (libnotify), which speaks to
/// org.freedesktop.Notifications and waits for what the person clicks.
final class Reminder {
  private let program: ChildProgram

  /// nil where there is no desktop, or no notify-send. `print` is called, on another thread, when the
  /// person says Print.
  init?(
    _ title: String, _ text: String, _ environment: [String: String],
    print: @escaping @Sendable () -> Void
  ) {
    let bus = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    let runtime = environment["XDG_RUNTIME_DIR"].map { "\($0)/bus" } ?? ""
    guard !bus.isEmpty || !runtime.isEmpty && access(runtime, F_OK) == 0 else { return nil }
    let call = [
      "notify-send", "--app-name=airprint", "--icon=printer", "--action=print=Print",
      "--action=later=Later", "--", title, text.withoutMarkup,
    ]
    guard
      let program = try? ChildProgram(
        call, environment,
        ended: { output, _ in if output.split(separator: "\n").last == "print" { print() } })
    else { return nil }
    self.program = program
  }

  /// Takes it away.
  deinit { program.interrupt() }
}

extension String {
  /// For a notification's body and a bar's text, in which desktops read a kind of HTML; a job and a
  /// printer chose their names themselves.
  package var withoutMarkup: String {
    reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
  }
}
