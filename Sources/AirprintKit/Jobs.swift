internal import IPP
package import PrintModel
internal import Settings
internal import Submission
internal import Threading

/// This user's jobs: the journal's, oldest first, each asked for at its printer when it is not over.
/// `target` leaves those of one printer, and adds what else of this user's waits there.
package func listJobs(
  at target: Target?, _ context: Context
) async throws(Failure) -> [JobReport] {
  try await onThread { () throws(Failure) in
    let journal = context.journal
    var reports = try journal.records()
      .filter { record in target.map { $0.uri == record.uri } ?? true }
      .map { JobReport($0) }
    for index in reports.indices where reports[index].isOpen {
      reports[index] = refreshed(reports[index], journal, context)
    }
    if let target {
      let session = try Session.reach(
        target, context, patience: .seconds(30), interruption: Interruption())
      let known = Set(reports.compactMap(\.jobId))
      reports += try session.openJobs(context.user).filter { !known.contains($0.id) }
        .map { JobReport($0, at: session) }
    }
    return reports
  }
}

/// One job as `jobs` shows it.
package struct JobReport: Sendable, Encodable {
  /// The journal's ID; nil for a job that another program sent.
  package var job: String?
  package var name: String
  package var printer: String
  package var uri: String
  package var jobId: Int?
  /// The job-state keyword; nil when the printer never got it.
  package var state: String?
  package var reasons: [String]
  package var impressions: Int?
  package var exitCode: Int32?
  /// Seconds since 1970.
  package var created: Double?
  package var message: String?
  package var isOpen: Bool

  private enum CodingKeys: String, CodingKey {
    case job, name, printer, uri, jobId, state, reasons, impressions, exitCode, created, message
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(job, forKey: .job)
    try object.encode(name, forKey: .name)
    try object.encode(printer, forKey: .printer)
    try object.encode(uri, forKey: .uri)
    try object.encode(jobId, forKey: .jobId)
    try object.encode(state, forKey: .state)
    try object.encode(reasons, forKey: .reasons)
    try object.encode(impressions, forKey: .impressions)
    try object.encode(exitCode, forKey: .exitCode)
    try object.encode(created, forKey: .created)
    try object.encode(message, forKey: .message)
  }

  init(_ record: JobRecord) {
    job = record.id
    name = record.name
    printer = record.printer
    uri = record.uri
    jobId = record.jobId
    state = record.state
    reasons = record.reasons
    impressions = record.impressions
    exitCode = record.exitCode
    created = record.created
    message = record.message
    isOpen = record.phase != .ended && record.jobId != nil
  }

  init(_ status: JobStatus, at session: Session) {
    name = status.name ?? "untitled"
    printer = session.name
    uri = session.target.uri
    jobId = status.id
    reasons = []
    isOpen = true
    take(status)
  }

  mutating func take(_ status: JobStatus) {
    state = status.state.keyword
    reasons = status.reasons
    impressions = status.impressions
    message = status.message
  }
}

/// Asks the printer about a job of the journal, and writes down what it says when the job is over. A
/// printer that does not answer changes nothing.
private func refreshed(
  _ report: JobReport, _ journal: Journal, _ context: Context
) -> JobReport {
  guard let id = report.job, let job = report.jobId, let record = try? journal.record(id),
    let uri = PrinterURI(report.uri),
    let connection = try? Connection(
      to: uri, at: record.addresses, patience: .seconds(3), interruption: Interruption()),
    let status = try? connection.job(job, user: context.user)
  else { return report }
  var report = report
  report.take(status)
  if status.state.isOver {
    let outcome = JobOutcome(status, at: report.printer)
    report.exitCode = outcome.exitCode.rawValue
    report.isOpen = false
    if let entry = try? journal.claim(id) { try? entry.update { $0.end(outcome, isOver: true) } }
  }
  return report
}

extension Connection {
  /// What the printer says of one job; nil when it says that there is none.
  fileprivate func job(_ job: Int, user: String) throws(IPPError) -> JobStatus? {
    let response = try exchange(
      Request(
        .getJobAttributes,
        operationAttributes: [
          Attribute("printer-uri", .uri(uri.text)), Attribute("job-id", .integer(job)),
          Attribute("requesting-user-name", .name(user)),
          Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) }),
        ]))
    return response.jobs.first.flatMap(JobStatus.init(reading:))
  }
}

extension Session {
  /// This user's jobs that are not over, by Get-Jobs.
  fileprivate func openJobs(_ user: String) throws(Failure) -> [JobStatus] {
    let response = try ask(
      Request(
        .getJobs,
        operationAttributes: [
          Attribute("printer-uri", .uri(connection.uri.text)),
          Attribute("requesting-user-name", .name(user)),
          Attribute("which-jobs", .keyword("not-completed")),
          Attribute("my-jobs", .boolean(true)),
          Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) }),
        ]))
    return response.jobs.compactMap(JobStatus.init(reading:))
  }
}
