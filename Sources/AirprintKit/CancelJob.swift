internal import IPP
package import PrintModel
internal import Settings
internal import Submission
internal import Threading

/// Cancels a job, named by the journal's ID or as PRINTER/NUMBER, and says what happened. It ends within
/// seconds, also when the printer is gone (pappl#163).
///
/// Exit 64 for a job that nobody knows, 69 when the printer does not answer, 76 when it refuses: a job
/// that is over can't be cancelled.
package func cancelJob(
  _ text: String, _ context: Context
) async throws(Failure) -> JobReport {
  if let record = try context.journal.record(text) {
    guard let job = record.jobId, record.phase != .ended else {
      throw Failure(.refused, "The job \(text) is over: \(record.state ?? "never sent").")
    }
    let target = Target(name: record.printer, uri: record.uri, addresses: record.addresses)
    return try await cancel(job, at: target, id: text, context)
  }
  guard let slash = text.lastIndex(of: "/"), let job = Int(text[text.index(after: slash)...]),
    let target = try await findPrinter(String(text[..<slash]), for: nil, context)
  else {
    throw Failure(.usage, "There is no job \(text); airprint jobs lists them.")
  }
  return try await cancel(job, at: target, id: nil, context)
}

private func cancel(
  _ job: Int, at target: Target, id: String?, _ context: Context
) async throws(Failure) -> JobReport {
  try await onThread { () throws(Failure) in
    let session = try Session.reach(
      target, context, patience: .seconds(10), interruption: Interruption())
    let request = Request(
      .cancelJob,
      operationAttributes: [
        Attribute("printer-uri", .uri(session.connection.uri.text)),
        Attribute("job-id", .integer(job)),
        Attribute("requesting-user-name", .name(context.user)),
      ])
    let response = try session.ask(request)
    guard response.status.isSuccess else {
      throw Failure(.refused, "\(session.name) did not cancel job \(job): \(response.words).")
    }
    var report = JobReport(JobStatus(id: job, state: .canceled), at: session)
    report.job = id
    if let id, let record = try context.journal.record(id) { report.name = record.name }
    // Who works on the job writes its end down; nobody does after --no-wait.
    if let id, let entry = try context.journal.claim(id) {
      try entry.update {
        $0.end(JobOutcome(exitCode: .canceled, jobId: job, state: .canceled), isOver: true)
      }
    }
    return report
  }
}
