internal import IPP
internal import PrintModel
internal import Threading

/// The end of a job, thrown from wherever it comes.
struct Ending: Error {
  var outcome: JobOutcome

  init(_ outcome: JobOutcome) { self.outcome = outcome }

  init(_ code: ExitCode, _ message: String, job: Int? = nil) {
    outcome = JobOutcome(exitCode: code, jobId: job, message: message)
  }
}

extension Order {
  /// What an IPP refusal of this job means (RFC 8011 Appendix B, protocol §4.5).
  func refusal(_ response: Response, job: Int? = nil) -> Ending {
    let words = response.words
    switch response.status {
    case .notAuthenticated, .notAuthorized, .forbidden:
      return Ending(.notAllowed, "\(printer) does not allow \(user) to print: \(words).", job: job)
    case .jobCanceled:
      return Ending(.canceled, "The job was cancelled at \(printer).", job: job)
    case .notFound where job == nil, .gone where job == nil:
      return Ending(.unavailable, "There is no printer at the address of \(printer): \(words).")
    case .attributesOrValues, .conflictingAttributes:
      let names = response.unsupported.all.map(\.name)
      let which = names.isEmpty ? "" : " (\(names.inWords()))"
      return Ending(
        .refused, "\(printer) refused the job's attributes\(which): \(words).", job: job)
    case .documentFormatNotSupported, .documentFormatError, .documentUnprintable:
      return Ending(
        .refused, "\(printer) can't print \(ticket.format) like this: \(words).", job: job)
    default:
      return Ending(.refused, "\(printer) refused the job: \(words).", job: job)
    }
  }

  /// A failed exchange before a byte of the document has left: nothing can have been printed.
  func failure(_ error: IPPError, interruption: Interruption, job: Int? = nil) -> Ending {
    switch error.kind {
    case .interrupted: return interrupted(interruption, job: job, isCanceled: nil)
    case .unauthorized:
      return Ending(
        .notAllowed, "\(printer) asks for a user name and a password.", job: job)
    case .nonsense, .insecure: return Ending(.refused, "\(error.message).", job: job)
    case .status(let status):
      return refusal(Response(status: status, message: error.message), job: job)
    case .unresolved, .refused, .silent, .broken:
      return Ending(
        .unavailable, "\(printer) does not answer: \(error.message). Nothing was printed.", job: job
      )
    }
  }

  /// Ctrl-C or SIGTERM, and what became of the job: nil when the printer had none.
  func interrupted(
    _ interruption: Interruption, job: Int? = nil, isCanceled: Bool? = nil
  ) -> Ending {
    let message =
      switch isCanceled {
      case nil: "Interrupted; nothing was sent."
      case true?: "Interrupted; the job was cancelled."
      case false?: "Interrupted; the job could not be cancelled and may still print."
      }
    var ending = Ending(
      interruption.signal == 15 ? .terminated : .interrupted, message, job: job)
    if isCanceled == true { ending.outcome.state = .canceled }
    return ending
  }
}
