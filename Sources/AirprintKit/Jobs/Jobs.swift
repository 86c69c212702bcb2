internal import IPP
package import PrintModel
internal import Settings
internal import Submission
internal import System

/// This user's jobs: the journal's, oldest first, after `settleJobs` has looked at those that nobody works
/// on; the others' printers are asked. `target` leaves those of one printer, and adds what else of this
/// user's waits there. `note` is told what a person should know.
package func listJobs(
  at target: PrinterReference?, _ context: Context,
  note: @escaping @Sendable (String) -> Void = { _ in }
) async throws(Failure) -> [JobReport] {
  try await onThread { () throws(Failure) in
    try settleJobs(context, note: note) { note($0.message) }
    var reports = try context.journal.records()
      .filter { record in target.map(record.isAt) ?? true }
      .map { JobReport($0) }
    for index in reports.indices where reports[index].isOpen {
      reports[index] = refreshed(reports[index], context)
    }
    if let target {
      let session = try PrinterConnection.reach(
        target, context, patience: .seconds(30), cancellation: Cancellation())
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
    exitCode = record.outcome?.exitCode.rawValue ?? record.exitCode
    created = record.created
    message = record.outcome?.message ?? record.message
    isOpen = record.phase != .ended && record.jobId != nil
  }

  init(_ status: JobStatus, at session: PrinterConnection) {
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

extension JobRecord {
  /// Whether the job went to this printer, by its URI, or by its UUID where it has moved since.
  fileprivate func isAt(_ target: PrinterReference) -> Bool {
    uri == target.uri
      || printerUUID != nil && printerUUID == target.saved?.uuid
        && certificate == target.saved?.certificate
  }
}

/// What the printer says now of a job that somebody works on. One that does not answer changes nothing.
private func refreshed(_ report: JobReport, _ context: Context) -> JobReport {
  guard let id = report.job, let job = report.jobId, let record = try? context.journal.record(id),
    context.journal.isHeld(id), let target = try? context.printer(of: record),
    let uri = PrinterURI(target.uri),
    let connection = try? Connection(
      to: uri, at: target.addresses,
      security: context.unmeant(record.certificate).security(of: target), patience: .seconds(3),
      cancellation: Cancellation()),
    let status = try? connection.exchange(
      .getJobAttributes(job, at: uri, user: context.user)
    ).job(job)
  else { return report }
  var report = report
  report.take(status)
  return report
}

extension PrinterConnection {
  /// This user's jobs that are not over, by Get-Jobs.
  fileprivate func openJobs(_ user: String) throws(Failure) -> [JobStatus] {
    let response = try ask(.getJobs(at: connection.uri, user: user))
    return response.jobs.compactMap(JobStatus.init(reading:))
  }
}

/// The IDs of all jobs with what they are, newest first, for somebody who types one: `inQueue` leaves those
/// that wait there. None when the journal can't be read.
package func knownJobs(
  inQueue: Bool = false, _ context: Context
) -> [(job: String, title: String)] {
  let records = (try? context.journal.records()) ?? []
  return records.reversed().filter { !inQueue || $0.phase == .queued }.map {
    ($0.id, $0.printer.isEmpty ? $0.name : "\($0.name) at \($0.printer)")
  }
}
