package import AirprintContext
internal import IPP
internal import Negotiation
internal import Printers
package import PrintModel
internal import Submission
internal import System

/// Cancels a job, named as for `NamedJob`, and reports what happened.
///
/// It ends within seconds, even if the printer is gone (pappl#163); the process that works on the job then cancels it
/// as soon as the printer answers.
///
/// Exit 69 for an unknown job, or if the printer does not answer, 74 if the job ended meanwhile and may have printed, 75
/// if the printer accepts the cancellation and does not report that the job has ended, 76 if the job has ended already, or
/// ends otherwise, or the printer refuses.
package func cancelJob(
  _ text: String, _ context: Context
) async throws(Failure) -> JobReport {
  let job = try await NamedJob(text, context)
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record): return try cancel(record, context)
    case .atPrinter(let target, let number):
      let connection = try reach(target, context)
      let job = JobIdentity(try connection.job(numbered: number, context))
      let end = try cancel(job, at: connection, context)
      try end.refuseOtherThanCanceled("\(number)", on: connection.name)
      return JobReport(end, at: connection)
    }
  }
}

/// Returns the jobs for a command: those that are named; with `all`, every job that has not ended and has left the queue;
/// else the only such job.
///
/// Exit 64 for both, and if there is none or more than one; the message names them.
///
/// - `verb`: the command's verb: `cancel`.
/// - `isHeld`: only held jobs count.
package func meantJobs(
  _ named: [String], all: Bool = false, to verb: String, isHeld: Bool = false, _ context: Context
) async throws(Failure) -> [String] {
  guard named.isEmpty else {
    guard !all else { throw .usage("Name jobs or give --all, not both.") }
    return named
  }
  let jobs = try await listJobs(at: nil, context)
  guard all else { return [try onlyJob(of: jobs, to: verb, isHeld: isHeld)] }
  return jobs.filter { $0.isAtPrinter(isHeld: isHeld) }.compactMap(\.job)
}

extension JobReport {
  /// True if it has not ended, and does not wait in the queue; with `isHeld`, if it is held, too.
  fileprivate func isAtPrinter(isHeld: Bool) -> Bool {
    isActive && !isQueued && (!isHeld || state == JobState.held.keyword)
  }
}

/// Returns the only job among those that are listed, as `meantJobs` does.
package func onlyJob(
  of jobs: [JobReport], to verb: String, isHeld: Bool = false
) throws(Failure) -> String {
  let state = isHeld ? "held" : "active"
  let active = jobs.filter { $0.isAtPrinter(isHeld: isHeld) }
  guard let job = active.first?.job else {
    let queued = jobs.count { $0.isActive && $0.isQueued }
    let waiting = queued == 1 ? "1 job is" : "\(queued) jobs are"
    throw .usage(
      "No job is \(state): nothing to \(verb) "
        + (queued == 0 || isHeld
          ? "(see airprint jobs)." : "(\(waiting) queued; see airprint queue)."))
  }
  guard active.count == 1 else {
    let names = active.prefix(5).compactMap { report in report.job.map { "\($0) (\(report.name))" }
    }
    let more = active.count > 5 ? " and \(active.count - 5) more" : ""
    throw .usage(
      "\(active.count) jobs are \(state): \(names.joined(separator: ", "))\(more). Name those to \(verb)."
    )
  }
  return job
}

private func cancel(_ record: JobRecord, _ context: Context) throws(Failure) -> JobReport {
  let context = record.sender(in: context)
  let journal = context.journal
  let id = record.id
  try record.refuseOver()
  try journal.requestCancel(id)
  guard let job = record.identity else { return try cancelUnsent(record, context) }
  let connection = try reach(record, context)
  let end: JobStatus
  do throws(Failure) { end = try cancel(job, at: connection, context) } catch {
    // What the printer refuses is not tried again.
    if error.reason == .refused { journal.withdrawCancel(id) }
    throw error
  }
  // The process that works on the job records its end; after --no-wait there is none.
  let entry = try journal.claim(id)
  var over = entry?.record ?? record
  if entry == nil { over = try journal.existing(id) }
  // It was moved meanwhile: this was its end at the printer where it was.
  guard (over.uri, over.jobId) == (record.uri, record.jobId) else {
    entry?.release()
    return try cancelUnsent(over, context)
  }
  if let entry, !over.isOver {
    try entry.end(end, over: connection.ipp)
    over = entry.record
  }
  if !over.isOver { over.end(by: end) }
  try end.refuseOtherThanCanceled(id, on: connection.name)
  return JobReport(over)
}

/// Cancels a job without a number, or one that was moved: the process that works on it gives it up; without such a
/// process, it is given up here.
private func cancelUnsent(_ record: JobRecord, _ context: Context) throws(Failure) -> JobReport {
  let journal = context.journal
  let end = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < end {
    if let entry = try journal.claim(record.id) {
      // `settle` handles an empty job, and the request.
      if entry.record.phase == .queued { try entry.update { $0.phase = .accepted } }
      _ = try entry.settle(in: context)
    }
    let now = try journal.existing(record.id)
    if now.isOver { return try now.canceled() }
    // It has received its number in the meantime.
    if now.identity != nil { return try cancel(now, context) }
    _ = Cancellation().sleep(.milliseconds(100))
  }
  throw .unavailable("Job \(record.id) has not ended yet; it will be canceled as soon as possible.")
}

/// Cancels a job at its printer, and returns how it ended there.
private func cancel(
  _ job: JobIdentity, at connection: PrinterConnection, _ context: Context
) throws(Failure) -> JobStatus {
  let result = try connection.ask { (line) throws(IPPError) in
    try line.cancel(job, user: context.user, Cancellation())
  }
  let number = job.number
  switch result {
  case .over(let end): return end
  case .gone: throw .refused("\(connection.name) no longer lists job \(number).")
  case .accepted:
    throw .notNow(
      "\(connection.name) cancels job \(number), but has not reported that it stopped; see airprint jobs."
    )
  case .refused(let words), .silence(let words):
    throw .refused("\(connection.name) did not cancel job \(number): \(words).")
  }
}

extension JobRecord {
  /// Returns the report on a job that has ended by a cancellation.
  ///
  /// Exit 74 for one that may have printed, 76 for one that has ended otherwise.
  func canceled() throws(Failure) -> JobReport {
    let isCanceled =
      state == JobState.canceled.keyword || exitCode == ExitCode.canceled.rawValue
    guard !isCanceled else { return JobReport(self) }
    throw Failure(
      state == nil && NothingPrinted(self) == nil ? .inDoubt : .refused,
      "Job \(id) ended on \(printer) before it was canceled: \(ending).")
  }
}

extension JobStatus {
  /// Throws exit 76 for a job that has ended otherwise.
  fileprivate func refuseOtherThanCanceled(_ job: String, on printer: String) throws(Failure) {
    guard state != .canceled else { return }
    throw .refused("Job \(job) ended on \(printer) before it was canceled: \(state.keyword).")
  }
}

/// Releases a held job (`print --hold`), named as for `NamedJob`, and returns its new state; or changes one that has not
/// begun.
///
/// Exit 64 for what the printer does not support, or if the job waits in the queue, 69 for an unknown job, or if the
/// printer does not answer, 75 if the job is still being sent, 76 if the printer refuses, or if the job has ended.
///
/// - `request`: its job attributes replace the job's; nil to release it.
package func changeJob(
  _ text: String, to request: PrintRequest? = nil, _ context: Context
) async throws(Failure) -> JobReport {
  let job = try await NamedJob(text, context)
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record): return try change(record, to: request, context)
    case .atPrinter(let target, let number):
      let connection = try reach(target, context)
      let job = JobIdentity(try connection.job(numbered: number, context))
      return try change(job, to: request, at: connection, context)
    }
  }
}

private func change(
  _ record: JobRecord, to request: PrintRequest?, _ context: Context
) throws(Failure) -> JobReport {
  let record = try waitUntilSent(record, context)
  guard let job = record.identity else {
    try record.refuseQueued()
    throw .refused("Job \(record.id) is not held at \(record.printer): it has not been sent yet.")
  }
  let context = record.sender(in: context)
  var report = try change(job, to: request, at: try reach(record, context), context)
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
      throw .notNow("Job \(record.id) is still being sent to \(record.printer): try again later.")
    }
    record = try context.journal.record(record.id) ?? record
  }
  try record.refuseOver()
  return record
}

private func change(
  _ job: JobIdentity, to request: PrintRequest?, at connection: PrinterConnection,
  _ context: Context
) throws(Failure) -> JobReport {
  let number = job.number
  if request != nil, !connection.capabilities.does(.setJobAttributes) {
    throw Failure(
      .notSupported,
      "\(connection.name) can't change jobs: use airprint cancel and reprint.")
  }
  let attributes = try request.map { (request) throws(Failure) in
    try jobAttributes(request, with: connection.capabilities)
  }
  let result = try connection.ask { (line) throws(IPPError) in
    try line.change(job, to: attributes, user: context.user)
  }
  let (verb, lack) =
    request == nil ? ("release", "does not hold") : ("change", "no longer changes")
  switch result {
  case .done(let status):
    let outcome = status.state.isOver ? JobOutcome(status, at: connection.name) : nil
    if let reason = outcome?.reason {
      throw Failure(reason, outcome?.saidInFull.message ?? "")
    }
    guard request != nil || status.state != .held else {
      throw Failure.notNow(
        "\(connection.name) accepted the release of job \(number), and still holds it.")
    }
    return JobReport(status, at: connection)
  case .notNow(let state):
    throw .refused("\(connection.name) \(lack) job \(number): it is \(state.keyword).")
  case .gone: throw .refused("\(connection.name) no longer lists job \(number).")
  case .refused(let words):
    throw .refused("\(connection.name) did not \(verb) job \(number): \(words).")
  }
}
