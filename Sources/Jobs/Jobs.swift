package import AirprintContext
internal import ForeignText
internal import FoundationEssentials
internal import IPP
package import Printers
package import PrintModel
internal import Submission
internal import System

/// Returns this user's jobs in the journal, oldest first, after `settleJobs` has checked those without a process; the
/// printers of the others are asked.
///
/// `target` selects the jobs of one printer, and adds this user's other jobs waiting there; exit 69 if it does not answer
/// and none is known. `note` is called with messages for the user.
package func listJobs(
  at target: PrinterReference?, _ context: Context,
  note: @escaping @Sendable (String) -> Void = { _ in }
) async throws(Failure) -> [JobReport] {
  try await onThread { () throws(Failure) in
    try settleJobs(context, note: note) { note($0.message) }
    let own = try context.journal.records().filter { record in target.map(record.isAt) ?? true }
    var reports = own.map { JobReport($0) }
    for index in reports.indices where reports[index].isActive {
      reports[index] = refresh(reports[index], context)
    }
    nameJobsAhead(in: &reports)
    guard let target else { return reports }
    do throws(Failure) {
      let connection = try PrinterConnection.reach(target, context)
      // A number that a former job had may be another one's now.
      return reports
        + (try connection.openJobs(context.user)
          .filter { job in !own.contains { $0.identity?.isThis(job) == true } }
          .map { JobReport($0, at: connection) })
    } catch  where error.code == .unavailable && !own.isEmpty {
      note(error.message)
      return reports
    }
  }
}

/// Names, as the problem of a job that waits behind another one at a stopped printer, that one: the earliest there.
private func nameJobsAhead(in reports: inout [JobReport]) {
  let stopped = reports.filter {
    $0.isActive && !$0.isQueued && $0.trouble != nil
      && ![JobState.held, .pending].map(\.keyword).contains($0.state)
  }
  for index in reports.indices where reports[index].state == JobState.pending.keyword {
    let own = reports[index]
    guard let trouble = own.trouble,
      let first = stopped.filter({ $0.uri == own.uri }).min(by: {
        $0.created ?? 0 < $1.created ?? 0
      }),
      first.job != own.job, first.trouble == trouble
    else { continue }
    reports[index].trouble = "waiting for \"\(first.name)\" (\(trouble))"
  }
}

/// One job as `jobs` shows it.
package struct JobReport: Sendable, Encodable {
  /// The journal's ID; nil for a job that another program sent.
  @Null package var job: String? = nil
  package var name: String
  package var printer: String
  /// nil for a queued job whose printer has not been looked for.
  @Null package var uri: String? = nil
  @Null package var jobId: Int? = nil
  /// Path as given on the command line; nil for a job that another program sent.
  package var file: String?
  /// The job-state keyword; nil if the printer never received the job, or did not report how it ended.
  @Null package var state: String? = nil
  package var reasons: [String]
  @Null package var impressions: Int? = nil
  @Null package var exitCode: Int32? = nil
  /// Time in seconds since 1970.
  @Null package var created: Double? = nil
  @Null package var ended: Double? = nil
  /// The same times in the format of RFC 3339.
  @Null var createdAt: String? = nil
  @Null var endedAt: String? = nil
  /// `reason`, `message`, `printed` and `left` as in a line of `print --json`.
  @Null package var reason: FailureReason? = nil
  @Null package var message: String? = nil
  var printed = Printed.unknown
  var isLeft = true
  /// Number of sides sent, if they were counted.
  package var sides: Int?
  /// True if it waits in the queue here.
  package var isQueued = false
  /// True if it has not ended, at the printer or here.
  package var isActive: Bool
  /// True if it is printed, at least in part and as far as is known, and was not canceled.
  var isPrinted: Bool {
    printed != .no && ![JobState.held, .canceled].contains(state.flatMap(JobState.init(keyword:)))
  }
  /// The problem that stops the printer, as in `show`.
  @Null package var trouble: String? = nil

  private enum CodingKeys: String, CodingKey {
    case job, name, printer, uri, jobId, state, reasons, impressions, exitCode, reason, message
    case printed, isLeft = "left", created, createdAt, ended, endedAt, trouble
  }

  init(_ record: JobRecord) {
    job = record.id
    name = record.name
    printer = record.printer
    uri = record.uri.isEmpty ? nil : record.uri
    file = record.file
    isQueued = record.phase == .queued
    isActive = record.phase != .ended
    reasons = []
    take(record.standing)
    jobId = record.jobId
    state = JobReport.state(of: record)
    created = record.created
    ended = record.ended
    createdAt = rfc3339(record.created)
    endedAt = record.ended.map(rfc3339)
    sides = record.sides
    trouble = record.trouble
  }

  /// Makes the last report on a job at a printer that can't be asked about it.
  init(_ record: JobRecord, barredBy failure: Failure) {
    self.init(record)
    isActive = false
    take(record.standing(barredBy: failure))
  }

  init(_ status: JobStatus, at connection: PrinterConnection) {
    name = status.name ?? "untitled"
    printer = connection.name
    uri = connection.target.uri
    jobId = status.id
    reasons = []
    isActive = true
    take(status)
    let now = WallClock.seconds
    created = status.age.map { now - Double($0) }
    createdAt = created.map(rfc3339)
    if isActive {
      trouble = connection.trouble ?? status.outlook
      return
    }
    let outcome = JobOutcome(status, at: connection.name)
    take(outcome)
    ended = outcome.end(ofJobOf: created ?? 0, now: now)
    endedAt = ended.map(rfc3339)
  }

  /// Returns the state; the printer's last state for a job that has ended may be "processing", so its outcome takes
  /// precedence.
  private static func state(of record: JobRecord) -> String? {
    let said = record.state.flatMap(JobState.init(keyword:))
    guard let outcome = record.outcome, said?.isOver != true else { return record.state }
    switch outcome.exitCode {
    case .canceled, .interrupted, .terminated: return JobState.canceled.keyword
    case .aborted: return JobState.aborted.keyword
    default: return nil
    }
  }

  /// Takes over the end of a job, or what is known of one that has not ended.
  mutating func take(_ outcome: JobOutcome) {
    state = outcome.state?.keyword
    reasons = outcome.reasons
    impressions = outcome.impressions
    exitCode = isActive ? nil : outcome.exitCode.rawValue
    (reason, message) = (outcome.reason, outcome.message)
    (printed, isLeft) = (outcome.printed, isActive || outcome.mayStillPrint)
  }

  mutating func take(_ status: JobStatus) {
    state = status.state.keyword
    reasons = status.reasons
    impressions = status.impressions
    message = status.message
    isActive = !status.state.isOver
    if status.impressions ?? 0 > 0 { printed = .some }
  }

  /// The state in one or two words: the job-state keyword, or, if there is none, what happened to the job.
  package var stateInWords: String {
    switch exitCode.flatMap(ExitCode.init) {
    case .inDoubt: return "in doubt"
    case .forgotten: return "forgotten"
    case let code? where !isActive && state == nil: return code == .success ? "sent" : "not sent"
    default: break
    }
    if isQueued { return "queued" }
    if state == JobState.held.keyword { return "held" }
    return state ?? (isActive ? "starting" : "not sent")
  }
}

/// Formats a time as `2026-11-21T14:03:12Z`.
func rfc3339(_ seconds: Double) -> String {
  Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
}

extension JobRecord {
  /// Returns true if the job went to this printer, which may have moved since.
  func isAt(_ target: PrinterReference) -> Bool {
    uri == target.uri || target.saved.map(went(to:)) == true
  }
}

/// Updates the report of a job that has not ended from its printer.
///
/// If the printer does not answer, the report is unchanged.
private func refresh(_ report: JobReport, _ context: Context) -> JobReport {
  guard let id = report.job else { return report }
  var report = report
  let isHeld = context.journal.isHeld(id)
  // What a process told that has ended since.
  if !isHeld { report.trouble = nil }
  let waits = [JobState.pending, .stopped].map(\.keyword)
  guard var record = try? context.journal.record(id), let job = record.identity,
    // For jobs without a process, `settleJobs` has just requested the state.
    isHeld || record.state.map(waits.contains) == true,
    let connection = try? connect(toPrinterOf: record, context),
    case .status(let status)? = try? connection.answer(about: job, user: record.user)
  else { return report }
  if status.state.isOver {
    let end = record.weighed(status, of: job) {
      try? connection.status(user: context.user)
    }
    record.end(by: end)
    return JobReport(record)
  }
  report.take(status)
  if report.trouble == nil, waits.contains(status.state.keyword) {
    report.trouble = (try? connection.status(user: context.user))?.trouble(isLoaded: nil)
  }
  report.trouble = report.trouble ?? status.outlook
  return report
}

/// Returns all details of one job, named as for `NamedJob`; nil for a word that names none.
///
/// Exit 69 if the printer has no job of this number, 73 if the journal can't be read.
package func jobDetails(_ text: String, _ context: Context) async throws(Failure) -> JobDetails? {
  guard let job = try await NamedJob.find(text, orOver: true, context) else { return nil }
  return try await onThread { () throws(Failure) in
    switch job {
    case .own(let record):
      var report = JobReport(record)
      if report.isActive { report = refresh(report, context) }
      return JobDetails(report: report, record: record)
    case .atPrinter(let target, let number):
      let connection = try reach(target, context)
      let report = JobReport(try connection.job(numbered: number, context), at: connection)
      return JobDetails(report: report, record: nil)
    }
  }
}

/// Details that `jobs JOB` shows.
package struct JobDetails: Sendable, Encodable {
  package var report: JobReport
  package var type: String?
  /// The options as typed.
  package var options: [PrintRequest.JobOption]
  /// The plan by which it was printed, with its reasons.
  package var plan: [String]

  /// - `record`: nil for a job that another program sent.
  init(report: JobReport, record: JobRecord?) {
    self.report = report
    type = record?.request.type ?? record?.type
    options = record?.request.options ?? []
    plan = record?.plan ?? []
  }

  package func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    try encoder.encode([
      "file": report.file, "type": type, "sides": report.sides, "options": options, "plan": plan,
    ])
  }
}

extension PrinterConnection {
  /// Requests this user's jobs that have not ended, by Get-Jobs.
  fileprivate func openJobs(_ user: String) throws(Failure) -> [JobStatus] {
    let response = try ask(.getJobs(mine: true, at: ipp.uri, user: user))
    return response.jobs.compactMap(JobStatus.init(reading:))
  }
}

extension JobRecord {
  /// True if the printer held the job when it was last asked, or was requested to and has not been asked since.
  fileprivate var maybeHeld: Bool {
    if let state { return state == JobState.held.keyword }
    return jobId != nil && request.options.contains { $0.value.hasPrefix("job-hold-until=") }
  }
}

/// The jobs that completion with Tab offers.
package enum KnownJobs: Sendable { case all, queued, unfinished, held }

/// Returns the IDs of jobs with their titles, newest first, for completion.
///
/// Empty if the journal can't be read.
package func knownJobs(
  _ which: KnownJobs = .all, _ context: Context
) -> [(job: String, title: String)] {
  let records = (try? context.journal.records()) ?? []
  return records.reversed().filter { record in
    switch which {
    case .all: true
    case .queued: record.phase == .queued
    case .unfinished: record.phase != .ended
    case .held: record.phase != .ended && record.maybeHeld
    }
  }.map {
    ($0.id, $0.printer.isEmpty ? $0.name : "\($0.name) on \($0.printer)")
  }
}

/// A job that the user named: by the journal's ID, as PRINTER/NUMBER or as `print --lp` printed it.
enum NamedJob {
  /// The journal's job, the newest one of this number.
  case own(JobRecord)
  /// The job that has this number at a printer now, and that another program sent, as far as is known.
  case atPrinter(PrinterReference, Int)

  /// Finds the job; nil for a word that names none.
  ///
  /// A number means a job of the journal that has ended only if `orOver`, to show it or to print it again: the printer
  /// may have counted from 1 since, and what changes or waits for a job means the one that is there now.
  static func find(
    _ text: String, orOver: Bool = false, _ context: Context
  ) async throws(Failure) -> NamedJob? {
    if let record = try context.journal.job(named: text) { return .own(record) }
    guard let slash = text.lastIndex(of: "/"), let number = Int(text[text.index(after: slash)...]),
      try context.settings.printers().findWhole(text) == nil,
      let target = try await findPrinter(String(text[..<slash]), for: nil, context)
    else { return nil }
    let own = try context.journal.records().last {
      $0.jobId == number && $0.isAt(target) && (orOver || !$0.isOver)
    }
    return own.map { .own($0) } ?? .atPrinter(target, number)
  }

  /// Finds the job; exit 69 if there is none, 64 for a text that can't name one.
  init(_ text: String, orOver: Bool = false, _ context: Context) async throws(Failure) {
    if text.isEmpty { throw .usage("The job's ID is empty (see airprint jobs).") }
    if let job = try await NamedJob.find(text, orOver: orOver, context) {
      self = job
      return
    }
    // Like CUPS' `cancel PRINTER`.
    if let printer = try? context.settings.printers().findWhole(text) {
      throw .usage(
        "\(printer.name) is a printer. Name one of its jobs: airprint jobs \(ShellWord.quoted(printer.name))"
      )
    }
    throw .unknownJob(text)
  }
}

/// Returns the printer of the newest job on one of this name, which may be off and saved nowhere; nil if there is none.
///
/// Exit 73 and 78 if the journal or printers.toml can't be read.
package func printer(
  ofJobsOn name: String, _ context: Context
) throws(Failure) -> PrinterReference? {
  try context.journal.records().last { $0.printer.lowercased() == name.lowercased() }
    .map { (job) throws(Failure) in try PrinterReference(of: job, isNamed: true, context) }
}

extension Failure {
  /// The failure for a job that does not exist; `list` is the command that lists those that do.
  static func unknownJob(_ text: String, listedBy list: String = "jobs") -> Failure {
    Failure(.unknownJob, "There is no job \"\(text)\" (see airprint \(list)).", about: text)
  }
}

extension JobRecord {
  /// Returns a context with the user in whose name the job was sent (`print -U`), who alone may change it.
  func sender(in context: Context) -> Context {
    var context = context
    context.user = user
    return context
  }

  /// Throws exit 76 if the job has ended.
  func refuseOver() throws(Failure) {
    guard isOver else { return }
    throw .refused("Job \(id) has already ended: \(ending).")
  }

  /// How it ended, in words.
  var ending: String {
    state ?? (NothingPrinted(self) == nil ? "it may have printed" : "nothing was printed")
  }

  /// Throws exit 64 if the job waits in the queue: no printer has it.
  func refuseQueued() throws(Failure) {
    guard isInQueue else { return }
    throw .usage(
      "Job \(id) waits in the queue, and has not been sent. To print it, run: airprint queue run \(id)"
    )
  }
}

/// Connects to the printer of a job that a command changes: it is awake.
///
/// Exits like `PrinterConnection.reach`.
func reach(_ target: PrinterReference, _ context: Context) throws(Failure) -> PrinterConnection {
  try PrinterConnection.reach(target, context, timeout: PrinterConnection.awakeTimeout)
}

/// Connects to the printer of a job in the journal that a command is about.
func reach(_ record: JobRecord, _ context: Context) throws(Failure) -> PrinterConnection {
  try reach(try PrinterReference(of: record, isNamed: true, context), context)
}

extension PrinterConnection {
  /// Returns what the printer reports of the job that has this number now, which the user named.
  ///
  /// Exit 69 if there is none; a failed exchange exits like `reach`.
  func job(numbered number: Int, _ context: Context) throws(Failure) -> JobStatus {
    let answer = try ask { (line) throws(IPPError) in
      try line.answer(about: number, user: context.user)
    }
    if case .status(let status) = answer { return status }
    throw unknownJob(number)
  }

  /// The failure for a job that the printer does not have.
  func unknownJob(_ number: Int) -> Failure {
    Failure(.unknownJob, "\(name) has no job \(number).", about: "\(name)/\(number)")
  }
}

extension Journal {
  /// Returns the record of a job that was found before; exit 69 if it has been deleted since.
  func existing(_ id: String) throws(Failure) -> JobRecord {
    guard let record = try record(id) else {
      throw Failure(.unknownJob, "Job \(id) no longer exists.", about: id)
    }
    return record
  }
}

/// Returns a printer's name as `lp` would write it in `request id is NAME-7 (1 file(s))`.
///
/// Programs that parse this line expect the ID to be one word, and CUPS names its queues that way.
package func lpName(_ printer: String) -> String {
  let name = printer.unicodeScalars.reduce(into: "") { name, character in
    let isPlain = character.properties.isAlphabetic || character.properties.numericType != nil
    let isFree = isPlain || ".@+".unicodeScalars.contains(character)
    if isFree || !name.hasSuffix("_") { name += isFree ? String(character) : "_" }
  }
  return name.isEmpty ? "printer" : name
}

extension Journal {
  /// Returns the journal's job with this ID, or with this name from `print --lp` (`Office_Laser-12`).
  ///
  /// Printers count from 1 again when they are reset: a job that has ended is not meant if its printer's URI has a later one
  /// of that number. nil if there is none, exit 64 if there is more than one.
  func job(named text: String) throws(Failure) -> JobRecord? {
    if let record = try record(text) { return record }
    guard let dash = text.lastIndex(of: "-"), let number = Int(text[text.index(after: dash)...])
    else { return nil }
    let all = try records().filter { $0.jobId == number && lpName($0.printer) == text[..<dash] }
    let jobs = all.filter { job in !job.isOver || job.id == all.last { $0.uri == job.uri }?.id }
    guard jobs.count < 2 else {
      let ids = jobs.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
      throw .usage("\"\(text)\" is more than one job. Name one by its ID: \(ids).")
    }
    return jobs.first
  }
}
