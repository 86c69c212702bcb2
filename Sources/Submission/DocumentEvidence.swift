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
  /// An HTTP status that does not tell whether anything was done with the document.
  var httpError: IPPError?
  /// Set if it came before the first byte of the document was sent.
  var nothingSent: NothingPrinted?

  /// True if the printer can't read any such document, and so no part of this one.
  var refusesFormat: Bool {
    status == .compressionNotSupported || status == .documentFormatNotSupported
  }
}
