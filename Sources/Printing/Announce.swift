package import AirprintContext
internal import Desktop
internal import FoundationEssentials
package import PrintModel
package import Submission
internal import System

/// Shows a desktop notification with the reason why nothing was printed, for `print --notify`.
package func announce(_ failure: Failure, _ context: Context) {
  DesktopNotice.show(
    "Nothing was printed", failure.message, icon: "printer-error", context.environment)
}

/// Shows a desktop notification with what someone has to do at the printer, if notifications were requested.
func announce(
  _ troubles: [Trouble], of job: JobSubmission, isAskedFor: Bool, _ context: Context
) {
  guard isRequested(isAskedFor, context) else { return }
  DesktopNotice.show(
    "\(job.name) is waiting on \(job.printer)",
    troubles.map { "\($0.text)." }.joined(separator: " "),
    icon: "printer-error", context.environment)
}

/// What a job waits for, as far as it was announced.
struct Troubles {
  private var announced: [Trouble] = []

  /// Returns false if all of it was in the call before, and for none at all.
  ///
  /// The printer may report the same of itself and, a moment later, of the job.
  mutating func areNew(_ troubles: [Trouble]) -> Bool {
    defer { announced = troubles }
    return !troubles.allSatisfy { trouble in
      announced.contains { $0.text.hasSuffix(trouble.text) || trouble.text.hasSuffix($0.text) }
    }
  }
}

/// Returns true if notifications were requested by `--notify` or `notify = true` in the configuration.
private func isRequested(_ isAskedFor: Bool, _ context: Context) -> Bool {
  isAskedFor || (try? context.settings.configuration())?.announcesJobs == true
}

/// Shows a desktop notification with the result of a job, if requested by `print --notify` or `notify = true` in the
/// configuration.
package func announce(
  _ result: PrintResult, as title: String?, isAskedFor: Bool, _ context: Context
) {
  guard ![.interrupted, .terminated].contains(result.exitCode),
    isRequested(isAskedFor, context)
  else { return }
  let name = title ?? (result.file == "-" ? "Standard input" : Context.lastComponent(result.file))
  let place = result.printer.map { " on \($0)" } ?? ""
  switch result.exitCode {
  case .success:
    let text = result.ticket?.pages.count.counted("page") ?? ""
    let words =
      result.state == .completed
      ? "Printed \(name)\(place)" : "Sent \(name)\(result.printer.map { " to \($0)" } ?? "")"
    DesktopNotice.show(words, text, icon: "printer", context.environment)
  default:
    let isInDoubt = [.inDoubt, .forgotten].contains(result.exitCode)
    DesktopNotice.show(
      "\(name) \(isInDoubt ? "may have been" : "was not") printed\(place)", result.message ?? "",
      icon: "printer-error", context.environment)
  }
}

/// Shows a desktop notification for a job of the journal.
package func announce(_ record: JobRecord, _ outcome: JobOutcome, _ context: Context) {
  var result = PrintResult(file: record.file, printer: record.printer)
  result.take(outcome)
  announce(result, as: record.name, isAskedFor: record.request.handling.notifies, context)
}

/// Returns true for a warning about a printer's supplies that was not shown in the last 24 hours, and records it as
/// shown.
///
/// If nothing can be stored, every sentence is new.
func isNews(_ sentence: String, of uri: String, _ context: Context) -> Bool {
  let cache = StatusCache(context.directories, key: uri, of: .warnings)
  let now = WallClock.seconds
  let day = 86_400.0
  var said =
    cache.read().flatMap { try? JSONDecoder().decode([String: Double].self, from: Data($0)) } ?? [:]
  said = said.filter { (0..<day).contains(now - $0.value) }
  guard said[sentence] == nil else { return false }
  said[sentence] = now
  if let bytes = try? JSONEncoder().encode(said) { cache.write(Array(bytes)) }
  return true
}
