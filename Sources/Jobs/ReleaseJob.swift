package import AirprintContext
internal import IPP
package import PrintModel
internal import Printers
internal import Settings
internal import Submission
internal import System

/// Releases a held job (`print --hold`), named as for `cancelJob`, and returns its new state.
///
/// Exit 64 for an unknown job, 69 if the printer does not answer, 76 if it refuses, or if the job has ended or was not
/// sent yet.
package func releaseJob(
  _ text: String, _ context: Context
) async throws(Failure) -> JobReport {
  guard let record = try context.journal.job(named: text) else {
    let (target, job) = try await jobAtPrinter(text, context)
    return try await onThread { () throws(Failure) in try release(job, at: target, context) }
  }
  try record.refuseOver()
  guard let job = record.jobId else {
    throw Failure(
      .refused,
      "Job \(record.id) is not held at \(record.printer): it has not been sent yet.")
  }
  let target = try PrinterReference(of: record, context)
  var report = try await onThread { () throws(Failure) in
    try release(job, at: target, context)
  }
  report.job = record.id
  report.name = record.name
  report.created = record.created
  return report
}

private func release(
  _ job: Int, at target: PrinterReference, _ context: Context
) throws(Failure) -> JobReport {
  let session = try PrinterConnection.reach(
    target, context, patience: PrinterConnection.awakePatience, cancellation: Cancellation())
  let response = try session.ask(.releaseJob(job, at: session.connection.uri, user: context.user))
  guard response.status.isSuccess else {
    let status = try session.status(ofJob: job, user: context.user)
    if let state = status?.state, state != .held {
      throw Failure(
        .refused, "\(session.name) does not hold job \(job): it is \(state.keyword).")
    }
    throw Failure(.refused, "\(session.name) did not release job \(job): \(response.words).")
  }
  let status = try session.status(ofJob: job, user: context.user)
  return JobReport(status ?? JobStatus(id: job, state: .pending), at: session)
}
