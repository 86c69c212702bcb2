internal import AirprintContext
package import PrintModel
package import Submission

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
  package var jobId: Int?
  package var state: String?
  package var reasons: [String] = []
  package var impressions: Int?
  package var exitCode = ExitCode.success
  /// The reason if it failed, or if it waits for a printer that did.
  package var failure: FailureReason?
  package var printed = Printed.no
  /// True if the printer, the queue or another process may still print it.
  package var isLeft = false
  /// What differs from what was requested or is missing from the paper, as sentences; nil if nothing is.
  package var warnings: [String]?
  /// Those of `warnings` that are missing from the paper; nil if nothing is.
  package var losses: [Loss]?
  /// Message for people.
  package var message: String?
  package var ticket: Ticket?
  /// True if it now waits in the queue.
  package var isQueued = false

  package init(file: String, printer: String? = nil, uri: String? = nil) {
    self.file = Context.named(file)
    self.printer = printer
    self.uri = uri
  }

  /// Makes the result of a file that could not be sent; an empty name is that of no file.
  package init(file: String, _ failure: Failure) {
    self.init(file: file)
    fail(failure)
  }

  /// Takes over a failure before anything was sent.
  package mutating func fail(_ failure: Failure) {
    take(JobOutcome(failure))
    (printed, isLeft) = (.no, false)
  }

  /// Takes over the end of a job, or the state in which it was left.
  mutating func take(_ outcome: JobOutcome) {
    jobId = outcome.jobId
    state = outcome.state?.keyword
    reasons = outcome.reasons
    impressions = outcome.impressions
    exitCode = outcome.exitCode
    failure = outcome.reason
    message = outcome.message
    printed = outcome.printed
    isLeft = outcome.mayStillPrint
  }

  private enum Key: String, CodingKey {
    case job, file, printer, uri, jobId, state, reasons, impressions, exitCode, reason, message
    case printed, left, warnings, losses
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(job, forKey: .job)
    try object.encode(file.isEmpty ? nil : file, forKey: .file)
    try object.encode(printer, forKey: .printer)
    try object.encode(uri, forKey: .uri)
    try object.encode(jobId, forKey: .jobId)
    try object.encode(state, forKey: .state)
    try object.encode(reasons, forKey: .reasons)
    try object.encode(impressions, forKey: .impressions)
    let isOver = exitCode != .success || printed == .all
    try object.encode(isOver ? exitCode : nil, forKey: .exitCode)
    try object.encode(failure, forKey: .reason)
    try object.encode(message, forKey: .message)
    try object.encode(printed, forKey: .printed)
    try object.encode(isLeft, forKey: .left)
    try object.encodeIfPresent(warnings, forKey: .warnings)
    try object.encodeIfPresent(losses, forKey: .losses)
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

  private enum Key: String, CodingKey {
    case printer, uri, type, documents, paper, format, resolution, colorMode, quality, sides
    case sheetBack, scaling, copies, sheets, attributes, reasons, warnings, losses
  }

  private struct PlannedDocument: Encodable {
    var file: String
    var mediaType: String
    var pages: Int
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(printer, forKey: .printer)
    try object.encode(uri, forKey: .uri)
    try object.encode(ticket.type, forKey: .type)
    try object.encode(
      [PlannedDocument(file: file, mediaType: mediaType, pages: pages)], forKey: .documents)
    try object.encode(ticket.paper, forKey: .paper)
    try object.encode(ticket.format, forKey: .format)
    try object.encode(ticket.resolution, forKey: .resolution)
    try object.encode(ticket.colorKeyword, forKey: .colorMode)
    try object.encode(ticket.quality.keyword, forKey: .quality)
    try object.encode(ticket.sides, forKey: .sides)
    try object.encode(ticket.sheetBack, forKey: .sheetBack)
    try object.encode(ticket.scaling, forKey: .scaling)
    try object.encode(ticket.copies, forKey: .copies)
    try object.encode(sheets, forKey: .sheets)
    try object.encode(AttributeObject(ticket.attributes), forKey: .attributes)
    try object.encode(ticket.reasons, forKey: .reasons)
    try object.encode(ticket.warnings, forKey: .warnings)
    try object.encode(ticket.ledger.losses, forKey: .losses)
  }
}
