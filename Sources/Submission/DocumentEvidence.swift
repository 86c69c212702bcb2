internal import IPP
internal import PrintModel

/// A printer's knowledge of one job.
enum JobAnswer: Equatable {
  case status(JobStatus)
  /// The printer answers and does not know the job: with this status, or, nil, of another job.
  case unknown(Status?)
  /// It does not answer, or is too busy to.
  case silence(String)
}

/// A document that was sent, or of which something may have been, and that the printer refused.
struct DocumentRefusal: Equatable {
  /// Meaning of the refusal, where the printer has nothing of the document.
  var ending: SubmitError
  /// The printer's status; nil for a refusal by HTTP alone.
  var status: Status?

  /// True when the printer shows that it has nothing of the document, by what it reports of the job
  /// after the refusal.
  ///
  /// Printers refuse documents that they print all the same; so only these count: the job waits for
  /// its document, or the printer gave it up with no sheet out, or there is no such job, as the
  /// refusal reported, too.
  func isBorneOut(by answer: JobAnswer) -> Bool {
    switch answer {
    case .status(let job): (job.isEmpty || job.state == .aborted) && (job.impressions ?? 0) == 0
    case .unknown(let answer): [status, answer].allSatisfy { $0 == .notFound || $0 == .gone }
    case .silence: false
    }
  }

  /// The same after the job was to be canceled, because it waited for its document.
  func isBorneOut(by fate: CancelResult) -> Bool {
    guard case .over(let job) = fate else { return true }
    return job.state != .completed && (job.impressions ?? 0) == 0
  }
}

/// The job that a printer has made of a Print-Job, whose number came with no answer, by its lists of jobs
/// (Get-Jobs).
enum UnnumberedJob: Equatable {
  case number(Int)
  /// The printer remembers jobs, and none of them is this one.
  case none
  case unknown

  /// `open` and `over` are the printer's jobs that are not completed and that are, in this order of asking;
  /// `age` are the seconds since the document was begun.
  init(named name: String, age: Double, open: [JobStatus], over: [JobStatus]) {
    let candidates = (open + over).filter { job in
      // Printers cut names off, or keep them from who did not log in.
      let isNamed = job.name.map { $0.isEmpty || name.hasPrefix($0) } ?? true
      return isNamed && job.age.map { Double($0) <= age + 5 } ?? true
    }
    switch Set(candidates.map(\.id)).count {
    case 1: self = .number(candidates[0].id)
    // A printer that lists no job that is over may have printed this one and forgotten it.
    case 0: self = over.isEmpty ? .unknown : .none
    default: self = .unknown
    }
  }
}
