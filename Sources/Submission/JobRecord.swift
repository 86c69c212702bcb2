package import PrintModel

/// One job in the journal: what a person reads in `job.json`, and what `jobs`, `cancel` and `wait` know.
package struct JobRecord: Codable, Sendable, Equatable {
  /// How far the job is; written before the step that it names.
  package enum Phase: String, Codable, Sendable {
    /// Known here, nothing sent.
    case accepted
    /// The printer has an empty job with a number.
    case created
    /// Bytes of the document may have left.
    case sending
    /// The whole document is at the printer.
    case sent
    /// It is over, or nothing more will be asked.
    case ended
  }

  package var id: String
  package var name: String
  package var file: String
  package var printer: String
  package var uri: String
  package var addresses: [String]
  package var user: String
  /// Seconds since 1970.
  package var created: Double
  package var phase = Phase.accepted
  package var jobId: Int?
  /// The job-state keyword.
  package var state: String?
  package var reasons: [String] = []
  package var impressions: Int?
  package var exitCode: Int32?
  package var message: String?

  package init(
    id: String, name: String, file: String, printer: String, uri: String, addresses: [String],
    user: String, created: Double
  ) {
    self.id = id
    self.name = name
    self.file = file
    self.printer = printer
    self.uri = uri
    self.addresses = addresses
    self.user = user
    self.created = created
  }

  /// Writes an outcome down; `isOver` when nobody will ask the printer again.
  package mutating func end(_ outcome: JobOutcome, isOver: Bool) {
    phase = isOver ? .ended : .sent
    jobId = outcome.jobId ?? jobId
    state = outcome.state?.keyword
    reasons = outcome.reasons
    impressions = outcome.impressions
    exitCode = isOver ? outcome.exitCode.rawValue : nil
    message = outcome.message
  }
}
