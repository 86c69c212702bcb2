package import IPP
package import PrintModel
package import System

// Requests about jobs. A number alone selects none for a change: it may belong to another job since.

extension JobConnection {
  /// Asks about one job.
  ///
  /// Throws as `exchange` does.
  ///
  /// - `maker`: this connection's number, of `connections`, when the job was made over it.
  package func answer(
    about job: JobIdentity, user: String, maker: Int? = nil
  ) throws(IPPError) -> JobAnswer {
    let answer = try answer(about: job.number, user: user)
    guard case .status(var status) = answer else { return answer }
    guard job.isThis(status, isByMaker: connections == maker) else { return .unknown(nil) }
    guard status.state.isOver else { return .status(status) }
    // The end of a job that may be another one is none of this.
    guard job.isFound || connections == maker || job.isProven(by: status) else {
      return .unknown(nil)
    }
    status.isUnprinted = !job.hasBegun && status.isWaiting
    return .status(status)
  }

  /// Asks about the job that has this number now, which a user named.
  ///
  /// Throws as `exchange` does.
  package func answer(about number: Int, user: String) throws(IPPError) -> JobAnswer {
    var pauses: [Duration] = [.milliseconds(400), .milliseconds(100)]
    while true {
      // A refusal by HTTP alone is thrown: it is the server's, and says nothing about the job.
      let response = try exchange(.about(number, .getJobAttributes, at: uri, user, [.wanted]))
      let status = response.status
      let jobs = response.jobs.lazy.compactMap(JobStatus.init(reading:))
      if status.isSuccess, let job = jobs.first(where: { $0.id == number }) { return .status(job) }
      if status.mayPass { return .silence(status.description) }
      // Some printers answer bad-request once the page is out (ipp-client-kotlin#19): they have forgotten the job. Any
      // other refusal, and an answer that does not mention the job, says nothing about it, unless it is repeated; a
      // fault of the printer's own never does.
      guard ![.notFound, .gone, .badRequest].contains(status), let pause = pauses.popLast(),
        WaitingClock.machine.sleep(pause, Cancellation())
      else { return status.isFault ? .silence(status.description) : .unknown(status) }
    }
  }

  /// Cancels a job that has not ended, and waits until the printer reports how it ended: it may finish the sheet that
  /// it has begun, or print the whole job all the same.
  ///
  /// It asks several times a second, for `timeout` at most. Throws as `exchange` does.
  ///
  /// - `whenAccepted`: called before the wait, with the job's status before it was canceled.
  package func cancel(
    _ job: JobIdentity, user: String, timeout: Duration = .seconds(5),
    clock: WaitingClock = .machine, _ cancellation: Cancellation,
    whenAccepted: (JobStatus) -> Void = { _ in }
  ) throws(IPPError) -> CancelResult {
    var answer: JobAnswer? = try answer(about: job, user: user)
    var refusal: Response?
    var isAccepted = false
    var hasBegun = job.hasBegun
    var pause = Duration.milliseconds(20)
    let end = ContinuousClock.now + timeout
    // A test's clock may wait without time passing.
    for _ in 0...Int(timeout / .milliseconds(200)) {
      switch answer {
      case .status(var end) where end.state.isOver:
        if hasBegun { end.isUnprinted = false }
        return .over(end)
      // Printers rename jobs.
      case .unknown(nil) where !isAccepted && !job.isKnown:
        return .silence("it reports no job of this name")
      case .unknown: return isAccepted ? .accepted : .gone
      // Someone else has canceled it.
      case .status(let status):
        isAccepted = isAccepted || status.reasons.contains("processing-to-stop-point")
        hasBegun = hasBegun || status.hasBegun
      default: break
      }
      // A number whose job is not known now may be another one's.
      if !isAccepted, case .status(let status) = answer {
        // Usually, a job that can't be canceled has ended since it was requested.
        if let refusal, !refusal.status.mayPass { return .refused(refusal.words) }
        guard job.isProven(by: status) else { return .refused(JobIdentity.unproven) }
        let response = try reply(to: .about(job.number, .cancelJob, at: uri, user))
        isAccepted = response.status.isSuccess
        refusal = response
        if isAccepted { whenAccepted(status) }
      }
      guard ContinuousClock.now < end, clock.sleep(pause, cancellation) else { break }
      pause = min(pause * 2, .milliseconds(250))
      answer = try? self.answer(about: job, user: user)
    }
    if isAccepted { return .accepted }
    return refusal.map { .refused($0.words) } ?? .silence("no answer")
  }

  /// Lets a held job print (Release-Job, RFC 8011 §4.3.6), or changes attributes of one that has not begun
  /// (Set-Job-Attributes, RFC 3380 §4.2).
  ///
  /// Throws as `exchange` does.
  ///
  /// - `attributes`: nil to release it.
  package func change(
    _ job: JobIdentity, to attributes: [Attribute]? = nil, user: String
  ) throws(IPPError) -> JobChangeResult {
    let states: [JobState] = attributes == nil ? [.held] : [.held, .pending]
    switch try answer(about: job, user: user) {
    case .unknown: return .gone
    case .silence(let words): return .refused(words)
    case .status(let status) where !states.contains(status.state): return .notNow(status.state)
    case .status(let status) where !job.isProven(by: status): return .refused(JobIdentity.unproven)
    case .status(var status):
      var request = Request.about(
        job.number, attributes == nil ? .releaseJob : .setJobAttributes, at: uri, user)
      request.jobAttributes = attributes ?? []
      let response = try reply(to: request)
      guard response.status.isSuccess else { return .refused(response.words) }
      if attributes == nil { status.state = .pending }
      // It is done, whether that can be asked or not; some report it a moment later.
      for _ in 0..<10 {
        if case .status(let now)? = try? answer(about: job, user: user) { status = now }
        guard attributes == nil, status.state == .held,
          WaitingClock.machine.sleep(.milliseconds(250), Cancellation())
        else { break }
      }
      return .done(status)
    }
  }

  /// Requests all jobs that the printer lists, of all users; nil if it does not list them, or not in a readable form.
  func listedJobs(user: String) throws(IPPError) -> [JobStatus]? {
    var all: [JobStatus] = []
    // A job that ends between the two requests is in the second list.
    for which in ["not-completed", "completed"] {
      let response = try reply(to: .getJobs(which, at: uri, user: user))
      guard !response.status.mayPass else {
        throw IPPError(.status(response.status), response.words)
      }
      let jobs = response.jobs.compactMap(JobStatus.init(reading:))
      guard response.status.isSuccess, jobs.count == response.jobs.count else { return nil }
      all += jobs
    }
    return all
  }

  /// Requests the printer's state; nil if the printer refuses.
  ///
  /// Throws as `exchange` does.
  package func status(user: String) throws(IPPError) -> PrinterStatus? {
    let response = try exchange(
      .getPrinterAttributes(PrinterStatus.attributes, of: uri, user: user))
    return response.status.isSuccess ? PrinterStatus(reading: response.printer) : nil
  }

  /// Sends a request as `exchange` does; a refusal by HTTP alone is an answer, too.
  private func reply(to request: Request) throws(IPPError) -> Response {
    do {
      return try exchange(request)
    } catch {
      guard let status = error.status else { throw error }
      return Response(status: status, message: error.message)
    }
  }
}

/// Result of canceling a job.
package enum CancelResult: Sendable, Equatable {
  /// The printer reports how the job ended, which may have been before the cancellation.
  case over(JobStatus)
  /// The printer had no such job any more.
  case gone
  /// The printer accepted the cancellation, but does not report how the job ended: sheets may follow.
  case accepted
  /// The printer does not cancel the job, for this reason.
  case refused(String)
  case silence(String)

  /// True if the job has ended, is gone, or will end.
  var isSure: Bool {
    switch self {
    case .over, .gone, .accepted: true
    case .refused, .silence: false
    }
  }
}

/// Result of releasing or changing a job.
package enum JobChangeResult: Sendable, Equatable {
  case done(JobStatus)
  /// It is not held, or has begun.
  case notNow(JobState)
  /// The printer had no such job any more.
  case gone
  /// The printer does not do it, for this reason.
  case refused(String)
}

extension Request {
  /// Requests jobs, `not-completed` or `completed` (RFC 8011 §4.2.6.1): all of this user's (`mine`), or at most 100 of
  /// all users.
  package static func getJobs(
    _ which: String = "not-completed", mine: Bool = false, at uri: PrinterURI, user: String
  ) -> Request {
    let filter = mine ? Attribute("my-jobs", .boolean(true)) : Attribute("limit", .integer(100))
    return Request(
      .getJobs,
      operationAttributes: target(uri, user: user) + [
        Attribute("which-jobs", .keyword(which)), filter, .wanted,
      ])
  }

  /// Requests something about one job.
  fileprivate static func about(
    _ job: Int, _ operation: Capabilities.Operation, at uri: PrinterURI, _ user: String,
    _ more: [Attribute] = []
  ) -> Request {
    Request(operation, operationAttributes: target(uri, job: job, user: user) + more)
  }

  /// CUPS-Move-Job: moves a job, as just reported, to another queue of the same server.
  package static func cupsMoveJob(
    _ job: JobStatus, at uri: PrinterURI, to other: PrinterURI, user: String
  ) -> Request {
    Request(
      .cupsMoveJob, operationAttributes: target(uri, job: job.id, user: user),
      jobAttributes: [Attribute("job-printer-uri", .uri(other.text))])
  }
}

extension Attribute {
  /// The attributes of a job that are read.
  fileprivate static var wanted: Attribute {
    Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) })
  }
}
