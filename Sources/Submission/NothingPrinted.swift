internal import IPP
package import PrintModel

/// Proof that nothing of a document was printed, and that nothing of it will be.
///
/// Another attempt, the return to the queue, and every sentence that says so require one, and only the facts below make
/// one. They are about this very job: what the printer counts of others, a count of 0 or none of this one, a job that is
/// gone, an accepted cancellation and silence prove nothing.
package struct NothingPrinted: Codable, Sendable, Equatable {
  /// True if the printer has no byte of the document, and no job that could print it: another printer may get it.
  package let isUnsent: Bool

  private init(isUnsent: Bool) { self.isUnsent = isUnsent }

  /// A failure before anything was sent.
  package static let ofNothingSent = NothingPrinted(isUnsent: true)

  /// The record's phase, which is written before each step, shows that no byte of the document has left.
  ///
  /// Of a job that has ended, the record states what its end proved.
  package init?(_ record: JobRecord) {
    switch record.phase {
    case .queued, .accepted, .creating, .created: self.init(isUnsent: true)
    case .sending, .delivered, .sent: return nil
    case .ended:
      guard let proof = record.nothingPrinted else { return nil }
      self = proof
    }
  }

  /// The connection was passed no byte of the document; or its server refused it before it had all of it, and the
  /// printer confirms that by the job's `cancelResult`: it ended without a sheet, or was canceled while it waited.
  ///
  /// - `job`: the job's status before it was canceled.
  init?(
    _ connection: any JobConnection, waiting job: JobStatus? = nil,
    _ cancelResult: CancelResult? = nil
  ) {
    guard !connection.hasSentDocument else { return nil }
    if connection.isRefused {
      guard let cancelResult, case .over(let end) = cancelResult else { return nil }
      let proof = NothingPrinted(end) ?? job.flatMap { NothingPrinted(waiting: $0, cancelResult) }
      guard proof != nil else { return nil }
    }
    self.init(isUnsent: !connection.isRefused)
  }

  /// The printer reports that the job has ended, and that it had not begun with it, or could not print.
  package init?(_ job: JobStatus) {
    guard job.state.isOver, job.state != .completed, job.impressions ?? 0 == 0, job.isUnprinted
    else { return nil }
    self.init(isUnsent: false)
  }

  /// The printer refused the document, and its answer about the job agrees.
  ///
  /// It aborted it without a sheet, or, if no byte of the document was sent, has no such job. After that, a job that is
  /// printed or was canceled may be gone, too.
  init?(_ refusal: DocumentRefusal, _ answer: JobAnswer) {
    switch answer {
    case .status(let job):
      guard job.state == .aborted, NothingPrinted(job) != nil else { return nil }
    case .unknown:
      guard let proof = refusal.nothingSent else { return nil }
      self = proof
      return
    case .silence: return nil
    }
    self.init(isUnsent: true)
  }

  /// The document was refused, its job still waited for one after that, and was then canceled.
  ///
  /// The printer states that it has none (job-data-insufficient), or that it never began with it. One that is arriving
  /// (job-incoming) may be printed meanwhile; and data that were cut off are insufficient, too: that counts only if the
  /// printer has read the document to its end, got none of it, or can't read any such document.
  init?(waiting job: JobStatus, _ refusal: DocumentRefusal, _ cancelResult: CancelResult) {
    guard job.isUnprinted || refusal.nothingSent != nil || refusal.refusesFormat else { return nil }
    self.init(waiting: job, cancelResult)
  }

  private init?(waiting job: JobStatus, _ cancelResult: CancelResult) {
    let lacksDocument = job.isEmpty && job.reasons.contains("job-data-insufficient")
    switch cancelResult {
    case .over(let end):
      guard end.state != .completed, end.impressions ?? 0 == 0, lacksDocument || end.isUnprinted
      else { return nil }
    case .gone: guard lacksDocument else { return nil }
    case .accepted, .refused, .silence: return nil
    }
    self.init(isUnsent: true)
  }

  /// The only words for it.
  package var sentence: String { "Nothing was printed." }
}
