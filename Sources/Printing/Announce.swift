package import AirprintContext
internal import Desktop
package import PrintModel
internal import Settings
package import Submission

/// Shows a desktop notification with the reason why nothing was printed, for `print --notify`.
package func announce(_ failure: Failure, _ context: Context) {
  DesktopNotice.show(
    "Nothing was printed", failure.message, icon: "printer-error", context.environment)
}

/// Shows a desktop notification with the result of a job, if requested by `print --notify` or `notify = true` in the
/// configuration.
package func announce(
  _ result: PrintResult, as title: String?, isAskedFor: Bool, _ context: Context
) {
  guard ![.interrupted, .terminated].contains(result.exitCode),
    isAskedFor || (try? context.settings.configuration())?.announcesJobs == true
  else { return }
  let name = title ?? (result.file == "-" ? "Standard input" : Context.lastComponent(result.file))
  let place = result.printer.map { " at \($0)" } ?? ""
  if result.exitCode == .success {
    let pages = result.ticket.map { $0.pages.count }
    let text = pages.map { $0 == 1 ? "1 page" : "\($0) pages" } ?? ""
    let verb = result.state == "completed" ? "is printed" : "was sent"
    DesktopNotice.show("\(name) \(verb)\(place)", text, icon: "printer", context.environment)
  } else {
    DesktopNotice.show(
      "\(name) was not printed\(place)", result.message ?? "", icon: "printer-error",
      context.environment)
  }
}

/// Shows a desktop notification for a job of the journal.
package func announce(_ record: JobRecord, _ outcome: JobOutcome, _ context: Context) {
  var result = PrintResult(
    file: record.file, printer: record.printer, reasons: [], exitCode: outcome.exitCode)
  result.state = outcome.state?.keyword
  result.message = outcome.message
  announce(result, as: record.name, isAskedFor: record.request.handling.notifies, context)
}
