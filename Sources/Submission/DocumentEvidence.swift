internal import IPP
internal import PrintModel

/// A printer's answer about one job.
enum JobAnswer: Equatable {
  case status(JobStatus)
  /// The printer answers, but does not have the job: with this status, or, nil, about another job.
  case unknown(Status?)
  /// The printer does not answer, or is too busy to.
  case silence(String)
}

/// The refusal of a document that was sent, at least in part.
struct DocumentRefusal: Equatable {
  /// The error if the printer has nothing of the document.
  var ending: SubmitError
  /// The printer's status; nil for a refusal by HTTP alone.
  var status: Status?

  /// Returns true if the printer's answer about the job shows that it has nothing of the document.
  ///
  /// Printers refuse documents and still print them, so only these count: the job waits for its document, or the
  /// printer aborted it without printing a sheet, or it has no such job, as the refusal reported as well.
  func isBorneOut(by answer: JobAnswer) -> Bool {
    switch answer {
    case .status(let job): (job.isEmpty || job.state == .aborted) && (job.impressions ?? 0) == 0
    case .unknown(let answer): [status, answer].allSatisfy { $0 == .notFound || $0 == .gone }
    case .silence: false
    }
  }

  /// Returns true if a job that waited for its document was canceled without printing anything.
  func isBorneOut(by fate: CancelResult) -> Bool {
    guard case .over(let job) = fate else { return true }
    return job.state != .completed && (job.impressions ?? 0) == 0
  }
}

/// The job that a printer made of a Print-Job whose answer was lost, found in its lists of jobs (Get-Jobs).
enum UnnumberedJob: Equatable {
  case number(Int)
  /// The printer remembers jobs, and none of them is this one.
  case none
  case unknown

  /// Finds the job among the printer's `open` jobs, and its `over` jobs, which are requested in this order.
  ///
  /// `age` is the number of seconds since the document was started, `user` the name that was sent with it.
  init(named name: String, of user: String, age: Double, open: [JobStatus], over: [JobStatus]) {
    let all = open + over
    func isYoung(_ job: JobStatus) -> Bool? { job.age.map { Double($0) <= age + 5 } }
    let candidates = all.filter { job in
      // Printers truncate names, or hide them from users who did not log in.
      let isNamed = job.name.map { $0.isEmpty || name.hasPrefix($0) } ?? true
      return isNamed && isYoung(job) ?? true
    }
    switch Set(candidates.map(\.id)).count {
    case 1: self = .number(candidates[0].id)
    case 0:
      // Printers also change names, such as the letters that they don't have.
      let isRenamed = all.contains { isYoung($0) == true && $0.user ?? user == user }
      // A printer that lists no completed jobs may have printed this one and forgotten it.
      self = over.isEmpty || isRenamed ? .unknown : .none
    default: self = .unknown
    }
  }
}
