package import PrintModel

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
  @Null package var job: String? = nil
  package var file: String
  @Null package var printer: String? = nil
  @Null package var uri: String? = nil
  @Null package var jobId: Int? = nil
  @Null package var state: String? = nil
  package var reasons: [String]
  @Null package var impressions: Int? = nil
  package var exitCode: ExitCode
  /// The reason if it failed; nil if the printer reported how the job ended.
  package var failure: FailureReason?
  /// What differs from what was asked for or is missing from the paper, as sentences; nil if nothing is.
  package var warnings: [String]?
  /// Message for people.
  package var message: String?
  package var ticket: Ticket?
  package var sides: Int?
  /// True if it now waits in the queue.
  package var isQueued = false

  package init(
    file: String, printer: String? = nil, uri: String? = nil, reasons: [String],
    exitCode: ExitCode
  ) {
    self.file = file
    self.printer = printer
    self.uri = uri
    self.reasons = reasons
    self.exitCode = exitCode
  }

  private enum CodingKeys: String, CodingKey {
    case job, file, printer, uri, jobId, state, reasons, impressions, exitCode, warnings
  }
}

/// The plan that `print --dry-run` shows: the ticket, for people and as JSON.
package struct PrintPlan: Sendable, Encodable {
  package var printer: String
  package var uri: String
  package var file: String
  package var mediaType: String
  package var pages: Int
  package var ticket: Ticket

  private enum Key: String, CodingKey {
    case printer, uri, type, documents, paper, format, resolution, colorMode, quality, sides
    case sheetBack, scaling, copies, attributes, reasons
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
    try object.encode(AttributeObject(ticket.attributes), forKey: .attributes)
    try object.encode(ticket.reasons, forKey: .reasons)
  }
}
