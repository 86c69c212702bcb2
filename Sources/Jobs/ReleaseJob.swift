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
    let (target, number) = try await jobAtPrinter(text, context)
    return try await onThread { () throws(Failure) in
      let session = try reach(target, context)
      let job = JobIdentity(try session.job(numbered: number, context))
      return try release(job, at: session, context)
    }
  }
  try record.refuseOver()
  guard let job = record.identity else {
    throw Failure(
      .refused,
      "Job \(record.id) is not held at \(record.printer): it has not been sent yet.")
  }
  let target = try PrinterReference(of: record, context)
  var report = try await onThread { () throws(Failure) in
    try release(job, at: try reach(target, context), context)
  }
  report.job = record.id
  report.name = record.name
  report.created = record.created
  return report
}

private func release(
  _ job: JobIdentity, at session: PrinterConnection, _ context: Context
) throws(Failure) -> JobReport {
  let result = try session.ask { (line) throws(IPPError) in
    try line.release(job, user: context.user)
  }
  let number = job.number
  switch result {
  case .released(let status): return JobReport(status, at: session)
  case .notHeld(let state):
    throw Failure(
      .refused, "\(session.name) does not hold job \(number): it is \(state.keyword).")
  case .gone: throw Failure(.refused, "\(session.name) no longer lists job \(number).")
  case .refused(let words):
    throw Failure(.refused, "\(session.name) did not release job \(number): \(words).")
  }
}
