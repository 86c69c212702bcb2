package import AirprintContext
internal import IPP
package import PrintModel
internal import Printers
internal import Submission
internal import System

/// Releases a held job (`print --hold`), named as for `NamedJob`, and returns its new state.
///
/// Exit 69 for an unknown job, or if the printer does not answer, 75 if the job is still being sent, 76 if the printer
/// refuses, or if the job has ended or waits here.
package func releaseJob(
  _ text: String, _ context: Context
) async throws(Failure) -> JobReport {
  let job = try await NamedJob(text, context)
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record): return try release(record, context)
    case .atPrinter(let target, let number):
      let session = try reach(target, context)
      let job = JobIdentity(try session.job(numbered: number, context))
      return try release(job, at: session, context)
    }
  }
}

private func release(_ record: JobRecord, _ context: Context) throws(Failure) -> JobReport {
  let record = try waitUntilSent(record, context)
  guard let job = record.identity else {
    throw Failure(
      .refused,
      "Job \(record.id) is not held at \(record.printer): it has not been sent yet.")
  }
  let context = record.sender(in: context)
  let target = try PrinterReference(of: record, context)
  var report = try release(job, at: try reach(target, context), context)
  report.job = record.id
  report.name = record.name
  report.created = record.created
  report.createdAt = rfc3339(record.created)
  return report
}

/// Waits until the process that works on a job has sent it: after `move` or `--detach`, that takes a moment.
///
/// Exit 75 if it takes long, 76 for a job that has ended.
private func waitUntilSent(_ record: JobRecord, _ context: Context) throws(Failure) -> JobRecord {
  var record = record
  let end = ContinuousClock.now + .seconds(30)
  while !record.isOver, record.phase != .sent, context.journal.isHeld(record.id) {
    guard ContinuousClock.now < end, Cancellation().sleep(.milliseconds(50)) else {
      throw Failure(
        .notNow, "Job \(record.id) is still being sent to \(record.printer): try again later.")
    }
    record = try context.journal.record(record.id) ?? record
  }
  try record.refuseOver()
  return record
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
