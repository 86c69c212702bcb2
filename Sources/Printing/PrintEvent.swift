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

  package func encode(to encoder: any Encoder) throws {
    let isOver = !isQueued && (exitCode != .success || printed == .all)
    try encoder.encode([
      "job": job, "file": file.isEmpty ? nil : file, "printer": printer, "uri": uri,
      "jobId": jobId, "state": state, "reasons": reasons, "impressions": impressions,
      "exitCode": isOver ? exitCode : nil, "reason": failure, "message": message,
      "printed": printed, "left": isLeft,
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
