package import IPP
package import PrintModel

/// A printer's answer about one job.
package enum JobAnswer: Sendable, Equatable {
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
  /// Set if it came before the first byte of the document was sent.
  var nothingSent: NothingPrinted?
}

/// The job that a printer made of a Print-Job whose answer was lost or a refusal, found in its lists of jobs
/// (Get-Jobs).
enum UnnumberedJob: Equatable {
  case number(Int)
  /// That it is not listed proves nothing: lists lag, and printers rename and forget jobs.
  case unknown

  /// Finds the job: the only one among those `listed` that was not there `before`, is no older than `age`, and may have
  /// this name and user.
  ///
  /// Printers truncate names, and hide both from users who did not log in.
  ///
  /// - `age`: seconds since the document was started.
  /// - `before`: the numbers of the jobs that the printer listed before that; nil if it did not.
  init(
    named name: String, of user: String, age: Double, before: Set<Int>?, listed: [JobStatus]
  ) {
    let own = listed.filter { job in
      before?.contains(job.id) == false && job.age.map { Double($0) <= age + 5 } ?? true
        && job.user ?? user == user
        && job.name.map { $0.isEmpty || name.hasPrefix($0) } ?? true
    }
    let numbers = Set(own.map(\.id))
    self = numbers.count == 1 ? .number(own[0].id) : .unknown
  }
}
