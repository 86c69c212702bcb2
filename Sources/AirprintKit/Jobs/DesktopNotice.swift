internal import ForeignText
internal import Glibc
package import PrintModel
internal import Settings
internal import Submission

/// Calls on the person's desktop, by notify-send (libnotify), which speaks to org.freedesktop.Notifications.
enum DesktopNotice {
  /// The command that shows one; nil where there is no desktop. Title and text are cleaned and bounded: a
  /// printer and a job chose their names themselves. The text is read as markup by some desktops, the title
  /// by none (Desktop Notifications Specification).
  static func command(
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

  /// Shows one, without waiting for what becomes of it. Where there is no desktop or no notify-send,
  /// nothing is shown: the exit status says the same.
  static func show(_ title: String, _ text: String, icon: String, _ context: Context) {
    guard let command = command(title, text, icon: icon, context.environment) else { return }
    _ = try? ChildProgram(command, context.environment, isQuiet: true, ended: { _, _ in })
  }
}

/// Says on the desktop why nothing could be printed at all, for `print --notify`.
package func announce(_ failure: Failure, _ context: Context) {
  DesktopNotice.show("Nothing was printed", failure.message, icon: "printer-error", context)
}

/// Says on the desktop how a job ended, where that was asked for: `print --notify`, or `notify = true`
/// in the configuration.
func announce(
  _ result: PrintResult, as title: String?, isAskedFor: Bool, _ context: Context
) {
  guard ![.interrupted, .terminated].contains(result.exitCode),
    isAskedFor || (try? Configuration(context.places))?.announcesJobs == true
  else { return }
  let name = title ?? (result.file == "-" ? "Standard input" : Context.lastComponent(result.file))
  let place = result.printer.map { " at \($0)" } ?? ""
  if result.exitCode == .success {
    let pages = result.ticket.map { $0.pages.count }
    let text = pages.map { $0 == 1 ? "1 page" : "\($0) pages" } ?? ""
    let verb = result.state == "completed" ? "is printed" : "was sent"
    DesktopNotice.show("\(name) \(verb)\(place)", text, icon: "printer", context)
  } else {
    DesktopNotice.show(
      "\(name) was not printed\(place)", result.message ?? "", icon: "printer-error", context)
  }
}

/// The same for a job of the journal.
func announce(_ record: JobRecord, _ outcome: JobOutcome, _ context: Context) {
  var result = PrintResult(
    file: record.file, printer: record.printer, reasons: [], exitCode: outcome.exitCode)
  result.state = outcome.state?.keyword
  result.message = outcome.message
  announce(result, as: record.name, isAskedFor: record.request.notifies, context)
}
