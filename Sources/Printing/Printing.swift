package import AirprintContext
internal import Glibc
package import Printers
package import PrintModel
package import Submission
package import System

/// Prints files, one job each, one after the other; the next one is sent while the printer prints the one before
/// (`PrintAhead`).
///
/// Events are reported as they happen; the last one of each file is `.finished`, in the order of the files. Every file is
/// tried, regardless of the results of the others, unless `stopsOnError`: then nothing is printed if one is missing.
///
/// `targets` are tried in order: the next one if a printer is unreachable, stopped or out of paper, as long as nothing
/// of the document has been sent.
package func startPrinting(
  _ arguments: PrintArguments, at targets: [PrinterReference], _ context: Context,
  cancellation: Cancellation
) -> AsyncStream<PrintEvent> {
  let (reports, continuation) = AsyncStream<PrintEvent>.makeStream()
  let missing = arguments.stopsOnError ? missingFiles(of: arguments, context) : []
  guard missing.isEmpty else {
    for result in missing {
      if !arguments.isDryRun {
        announce(result, as: nil, isAskedFor: arguments.handling.notifies, context)
      }
      continuation.yield(.finished(result))
    }
    continuation.finish()
    return reports
  }
  PrintAhead.start(
    arguments, at: targets, context, cancellation, report: { continuation.yield($0) },
    whenOver: { continuation.finish() })
  return reports
}

/// Returns the results of files that do not exist, unless there is a problem with the settings, which is reported first.
private func missingFiles(of arguments: PrintArguments, _ context: Context) -> [PrintResult] {
  guard (try? context.settings.configuration()) != nil else { return [] }
  return arguments.files.filter { !InputFile.exists($0) }.map { file in
    PrintResult(file: arguments.names[file] ?? file, InputFile.unreadable(ENOENT, file))
  }
}

extension PrintRun {
  /// Prints one file; a failure is in the result.
  ///
  /// `entry` is its job if the journal already has that.
  package func printFile(_ file: String, as entry: JournalEntry? = nil) -> PrintResult {
    ending(of: file, as: entry).result
  }

  /// Handles the end of a file: the queue if its printer is off, a notification, and a new connection for the next file
  /// after a failure.
  func finish(_ ending: Ending) -> PrintResult {
    let result = later(ending)
    if !arguments.isDryRun, !result.isQueued {
      announce(result, as: arguments.title, isAskedFor: arguments.handling.notifies, context)
    }
    if result.exitCode != .success { forgetConnections() }
    return result
  }

  /// Queues a file whose printer did not answer, if that is requested; other results are returned unchanged.
  private func later(_ ending: Ending) -> PrintResult {
    let result = ending.result
    guard isPrintedLater(after: result.exitCode, context), result.job == nil, !arguments.isDryRun,
      arguments.pin == nil, let document = ending.document
    else { return result }
    var queued = result
    queued.isQueued = true
    do throws(Failure) {
      queued.job = try queue(
        document, by: arguments, context,
        after: Failure(result.reason ?? .unavailable, result.message ?? "")
      ).id
      (queued.outcome.exitCode, queued.isLeft) = (.success, true)
    } catch {
      queued.fail(Failure(error.reason, "\(result.message ?? "") \(error.message)"))
    }
    return queued
  }
}

/// Returns true if a document that ended so, unsent, is to be queued: its printer did not answer, and the configuration
/// requests it (`later-when-offline`).
func isPrintedLater(after code: ExitCode, _ context: Context) -> Bool {
  code == .unavailable
    && (try? context.settings.configuration())?.printsLaterWhenOffline == true
}

/// Events reported by `print`.
package enum PrintEvent: Sendable {
  case event(file: String, JobEvent)
  /// `--dry-run`: the plan.
  case plan(PrintPlan)
  case finished(PrintResult)
}

/// Result of one file: a line of `print --json`.
package struct PrintResult: Sendable, Encodable {
  /// The journal's ID; nil if the file never became a job.
  package var job: String?
  /// Empty if none was tried.
  package var file: String
  package var printer: String?
  package var uri: String?
  /// How its job ended, or was left; nothing was sent before there is one.
  fileprivate(set) var outcome: JobOutcome
  /// True if the printer, the queue or another process may still print it.
  package var isLeft = false
  /// What differs from what was requested or is missing from the paper, as sentences; nil if nothing is.
  package var warnings: [String]?
  /// Those of `warnings` that are missing from the paper; nil if nothing is.
  package var losses: [Loss]?
  package var ticket: Ticket?
  /// True if it now waits in the queue.
  package var isQueued = false

  package init(file: String, printer: String? = nil, uri: String? = nil) {
    self.file = Context.named(file)
    self.printer = printer
    self.uri = uri
    outcome = JobOutcome(exitCode: .success)
    outcome.nothingPrinted = .ofNothingSent
  }

  /// Makes the result of a file that could not be sent; an empty name is that of no file.
  package init(file: String, _ failure: Failure) {
    self.init(file: file)
    fail(failure)
  }

  /// Takes over a failure before anything was sent.
  package mutating func fail(_ failure: Failure) {
    var failure = failure
    if failure.reason == .untrusted {
      // In one sentence: a program may show only the last line.
      failure.hints = [(["Nothing was sent."] + failure.hints).joined(separator: " ")]
    }
    var outcome = JobOutcome(failure)
    outcome.nothingPrinted = .ofNothingSent
    // The exit codes of the others say so (airprint(1), DID IT PRINT?).
    take([.interrupted, .terminated].contains(failure.code) ? outcome.saidInFull : outcome)
  }

  /// Takes over the end of a job, or the state in which it was left.
  mutating func take(_ outcome: JobOutcome) {
    self.outcome = outcome
    isLeft = outcome.mayStillPrint
  }

  package var exitCode: ExitCode { outcome.exitCode }
  /// Message for people.
  package var message: String? {
    get { outcome.message }
    set { outcome.message = newValue }
  }
  /// The reason if it failed, or if it waits for a printer that did.
  package var reason: FailureReason? { outcome.reason ?? (isQueued ? outcome.refusal : nil) }
  package var state: JobState? { outcome.state }

  package func encode(to encoder: any Encoder) throws {
    let isOver = !isQueued && (exitCode != .success || state == .completed)
    try encoder.encode([
      "job": job, "file": file.isEmpty ? nil : file, "printer": printer, "uri": uri,
      "jobId": outcome.jobId, "state": state?.keyword, "reasons": outcome.reasons,
      "impressions": outcome.impressions, "exitCode": isOver ? exitCode : nil, "reason": reason,
      "message": message, "printed": outcome.printed, "left": isLeft,
    ])
    if let warnings { try encoder.encode(["warnings": warnings]) }
    if let losses { try encoder.encode(["losses": losses]) }
  }
}

/// The plan that `print --dry-run` shows: the ticket, for people and as JSON.
package struct PrintPlan: Sendable, Encodable {
  package var printer: String
  package var uri: String
  package var file: String
  package var mediaType: String
  package var pages: Int
  /// Sheets of all copies; nil for a roll, and for a file that is not read here.
  package var sheets: Int?
  package var ticket: Ticket

  package func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "printer": printer, "uri": uri, "type": ticket.type,
      "documents": [JSONObject(["file": file, "mediaType": mediaType, "pages": pages])],
      "paper": ticket.paper, "format": ticket.format, "resolution": ticket.resolution,
      "colorMode": ticket.colorKeyword, "quality": ticket.quality.keyword, "sides": ticket.sides,
      "sheetBack": ticket.sheetBack, "scaling": ticket.scaling, "copies": ticket.copies,
      "sheets": sheets, "attributes": AttributeObject(ticket.attributes),
      "reasons": ticket.reasons, "warnings": ticket.warnings, "losses": ticket.ledger.losses,
    ])
  }
}
