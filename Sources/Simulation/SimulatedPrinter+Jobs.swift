internal import Dispatch
internal import FoundationEssentials
internal import IPP
internal import PrintModel
internal import System

// Jobs, as clients see them.

extension SimulatedPrinter {
  /// Print-Job and Create-Job.
  func create(_ call: Call) -> Response? {
    if isBusy {
      return Response(.tooManyJobs, "The printer is busy: try again later.")
    }
    let isPrintJob = call.request.operation == Capabilities.Operation.printJob.rawValue
    let verdict = validate(call.request)
    guard verdict.response.status.isSuccess else { return verdict.response }
    if isPrintJob, !call.connection.hasDocument {
      return Response(.badRequest, "There is no document in the request.")
    }
    let name =
      call.attributes.string("job-name") ?? call.attributes.string("document-name") ?? "Untitled"
    let uptime = self.uptime
    let answer = verdict.response
    let id = state.withLock { state -> Int? in
      abandonOrphans(&state)
      guard state.jobs.filter({ !$0.state.isOver }).count < Self.mostJobs else { return nil }
      var job = SimulatedJob(
        id: state.nextJob, name: name,
        user: call.user, template: verdict.accepted, createdUptime: uptime)
      job.pin = call.attributes.jobPassword
      state.jobs.append(job)
      state.nextJob += 1
      return job.id
    }
    guard let id else {
      return Response(.busy, "\(Self.mostJobs) jobs are waiting.")
    }
    if isPrintJob { return receive(id, call, answer) }
    return answer.with(jobs: [brief(id, call)])
  }

  /// Maximum number of waiting jobs.
  private static let mostJobs = 200

  func sendDocument(_ job: SimulatedJob, _ call: Call) -> Response? {
    guard let isLast = call.attributes.boolean("last-document") else {
      return Response(.badRequest, "last-document is missing.")
    }
    guard call.connection.hasDocument else {
      if !isLast { return Response(.badRequest, "There is no document.") }
      // Closes a job, as older clients do. A job without a document is aborted.
      return closeJob(job, call)
    }
    guard !job.hasDocument else {
      return Response(.multipleDocumentJobsNotSupported, "A job can have only one document.")
    }
    guard job.awaitsDocument else { return notPossible(job) }
    let verdict = validate(call.request)
    guard verdict.response.status.isSuccess else {
      if verdict.response.status == .documentFormatNotSupported {
        end(job.id, .aborted, ["unsupported-document-format"], verdict.response.words + ".")
      }
      return verdict.response
    }
    return receive(job.id, call, verdict.response)
  }

  func closeJob(_ job: SimulatedJob, _ call: Call) -> Response {
    if job.awaitsDocument { abort(job.id, "No document was received.") }
    return Response(status: .ok, jobs: [brief(job.id, call)])
  }

  func cancelJob(_ job: SimulatedJob, _ call: Call) -> Response {
    guard !job.state.isOver else {
      return Response(.notPossible, "Job \(job.id) is already \(job.state.keyword).")
    }
    // User names are not authenticated without a password, but this catches mistakes of clients.
    guard job.user == call.user else { return notTheirs(job) }
    cancel(job.id, .canceledByUser)
    return Response(status: .ok)
  }

  /// Hold-Job: holds a pending job until it is released (RFC 8011 §4.3.5).
  func holdJob(_ call: Call) -> Response {
    let hold = call.attributes.string("job-hold-until") ?? SimulatedJob.indefinite
    guard hold == SimulatedJob.indefinite else {
      return Response(unsupported: "job-hold-until", .keyword(hold))
    }
    return change(call, when: { $0.state == .pending }) { $0.hold() }
  }

  /// Release-Job: makes a held job pending (RFC 8011 §4.3.6); a job with a PIN waits for the PIN.
  func releaseJob(_ call: Call) -> Response {
    change(call, when: { $0.state == .held && $0.hasDocument && $0.pin == nil }) {
      $0.release()
    }
  }

  /// Changes a job if it is the client's own and its state allows that.
  private func change(
    _ call: Call, when isFit: (SimulatedJob) -> Bool,
    _ change: (inout SimulatedJob) -> Void
  ) -> Response {
    let response = state.withLock { state in
      guard var job = job(of: call, state) else { return unknown("job") }
      guard job.user == call.user else { return notTheirs(job) }
      guard isFit(job) else { return notPossible(job) }
      change(&job)
      state[job: job.id] = job
      return Response(status: .ok)
    }
    if response.status.isSuccess { work.signal() }
    return response
  }

  func cancelMyJobs(_ call: Call) -> Response {
    let only = call.attributes.numbers("job-ids")
    let mine = state.withLock { state in
      state.jobs.filter { $0.user == call.user && (only.isEmpty || only.contains($0.id)) }
    }
    guard only.allSatisfy({ id in mine.contains { $0.id == id } }) else { return unknown("job") }
    for job in mine where !job.state.isOver { cancel(job.id, .canceledByUser) }
    return Response(status: .ok)
  }

  func getJobAttributes(_ job: SimulatedJob, _ call: Call) -> Response {
    let names = call.attributes.strings("requested-attributes")
    let wanted = RequestedAttributes(names.isEmpty ? ["all"] : names)
    return Response(status: .ok, jobs: [attributes(of: job, call, wanted)])
  }

  func getJobs(_ call: Call) -> Response {
    let attributes = call.attributes
    let which = attributes.string("which-jobs") ?? "not-completed"
    guard ["completed", "not-completed", "all"].contains(which) else {
      return Response(unsupported: "which-jobs", .keyword(which))
    }
    let user = attributes.boolean("my-jobs") == true ? call.user : nil
    let only = attributes.numbers("job-ids")
    let names = attributes.strings("requested-attributes")
    let wanted = RequestedAttributes(names.isEmpty ? ["job-id", "job-uri"] : names)
    let jobs = state.withLock { state in
      abandonOrphans(&state)
      return state.jobs.filter { job in
        (which == "all" || job.state.isOver == (which == "completed"))
          && (user == nil || job.user == user) && (only.isEmpty || only.contains(job.id))
      }
    }
    // Completed jobs: the last one first (RFC 8011 §4.2.6.2).
    let ordered = which == "completed" ? jobs.reversed() : jobs
    let limit = attributes.number("limit").map { max(0, $0) } ?? ordered.count
    return Response(
      status: .ok, jobs: ordered.prefix(limit).map { self.attributes(of: $0, call, wanted) })
  }
}

// MARK: - Helpers

extension SimulatedPrinter {
  /// The job that a request names; nil when it names none.
  private func job(of call: Call, _ state: State) -> SimulatedJob? {
    let uri = call.attributes.string("job-uri") ?? ""
    let id =
      call.attributes.number("job-id")
      ?? uri.split(separator: "/").last.flatMap { Int($0) }
    return id.flatMap { state[job: $0] }
  }

  /// The response to a request about the job that it names.
  func ofJob(_ call: Call, _ answer: (SimulatedJob) -> Response?) -> Response? {
    guard let job = state.withLock({ job(of: call, $0) }) else { return unknown("job") }
    return answer(job)
  }

  func unknown(_ what: String) -> Response {
    Response(.notFound, "There is no such \(what).")
  }

  func notPossible(_ job: SimulatedJob) -> Response {
    Response(.notPossible, "Job \(job.id) is \(job.state.keyword).")
  }

  private func notTheirs(_ job: SimulatedJob) -> Response {
    Response(.notAuthorized, "Job \(job.id) is \(job.user)'s.")
  }

  /// Attributes returned to a client that created or changed the job.
  func brief(_ id: Int, _ call: Call) -> AttributeSet {
    guard let job = state.withLock({ $0[job: id] }) else { return AttributeSet() }
    return attributes(
      of: job, call,
      RequestedAttributes([
        "job-id", "job-uri", "job-uuid", "job-state", "job-state-reasons", "job-state-message",
      ]))
  }

  private func attributes(
    of job: SimulatedJob, _ call: Call, _ wanted: RequestedAttributes
  ) -> AttributeSet {
    var job = job
    for case .miscount(let sides) in state.withLock({ $0.armed.map(\.kind) })
    where job.impressions > 0 {
      job.impressions = max(0, job.impressions + sides)
    }
    let all = job.attributes(printer: call.uri, uptime: uptime) + estimates(of: job)
    return AttributeSet(all.filter { wanted.includes(job: $0.name) })
  }

  /// The number of jobs before one that has not ended, and at the pace of a real printer, the time when it will end.
  private func estimates(of job: SimulatedJob) -> [Attribute] {
    let active: [JobState] = [.pending, .processing, .stopped]
    let ahead = state.withLock { state in
      state.jobs.filter { $0.id <= job.id && active.contains($0.state) }
    }
    guard ahead.last?.id == job.id else { return [] }
    let count = Attribute("number-of-intervening-jobs", .integer(ahead.count - 1))
    guard options.hasPrintTimes else { return [count] }
    let sides = ahead.reduce(0) { $0 + max(0, ($1.allImpressions ?? 1) - $1.impressions) }
    let end = Date.now + Double(sides * 60 / max(1, profile.pagesPerMinute))
    return [count, Attribute("date-time-at-completed-estimated", dateTime(end))]
  }

  /// Ends a job as soon as possible: at once unless it is being printed.
  func cancel(_ id: Int, _ how: SimulatedJob.EndState) {
    let isIdle = state.withLock { state in
      state[job: id]?.ending = how
      state[job: id]?.spool?.refuse()
      return state[job: id] != nil && state.current != id
    }
    if isIdle { end(id, .canceled, [how.reason], "Canceled.") }
  }

  /// Aborts jobs whose document has not arrived within multiple-operation-time-out; until then they don't block others.
  private func abandonOrphans(_ state: inout State) {
    for job in state.jobs where job.awaitsDocument && uptime - job.createdUptime > 120 {
      state[job: job.id]?.become(.aborted, ["aborted-by-system"], "No document was received.")
      state[job: job.id]?.completed = (.now, uptime)
    }
  }

  /// True while the fault `busy` is active; the first request starts its time.
  private var isBusy: Bool {
    state.withLock { state in
      let begun = state.begin { if case .busy(let length) = $0 { length } else { nil } }
      state.busyUntil = begun ?? state.busyUntil
      return state.busyUntil.map { $0 > .now } ?? false
    }
  }
}

extension SimulatedPrinter.State {
  /// Begins the first fault that takes a time, as `length` tells, and returns the end of that time.
  mutating func begin(_ length: (Fault.Kind) -> Duration?) -> ContinuousClock.Instant? {
    for (index, fault) in armed.enumerated() {
      guard let length = length(fault.kind) else { continue }
      armed.remove(at: index)
      return .now + length
    }
    return nil
  }
}

extension AttributeSet {
  fileprivate var jobPassword: SimulatedJob.PIN? {
    guard case .octets(let hash)? = values("job-password").first else { return nil }
    return SimulatedJob.PIN(hash: hash, method: string("job-password-encryption") ?? "none")
  }
}
