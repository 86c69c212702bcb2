internal import IPP
internal import PrintModel
internal import System

/// The end of a job, thrown by any step, and what can be done about it.
struct SubmitError: Error, Equatable {
  var outcome: JobOutcome
  /// Set if another attempt may succeed; it requires `NothingPrinted`.
  var retryStrategy: RetryStrategy?

  init(_ outcome: JobOutcome, retryStrategy: RetryStrategy? = nil) {
    self.outcome = outcome
    self.retryStrategy = retryStrategy
  }

  init(
    _ code: ExitCode, _ message: String, job: JobIdentity? = nil,
    retryStrategy: RetryStrategy? = nil
  ) {
    outcome = JobOutcome(exitCode: code, jobId: job?.number, message: message)
    self.retryStrategy = retryStrategy
  }
}

extension JobSubmission {
  /// Makes the error for an IPP refusal of this job (RFC 8011 Appendix B).
  func refusal(_ response: Response, job: JobIdentity? = nil) -> SubmitError {
    let words = response.words
    let names = response.unsupported.all.map(\.name)
    func refused(
      _ sentence: String, _ code: ExitCode = .refused, retryStrategy: RetryStrategy? = nil
    ) -> SubmitError {
      SubmitError(code, "\(printer) \(sentence): \(words).", job: job, retryStrategy: retryStrategy)
    }
    switch response.status {
    case let status where status.mayPass:
      // "The printer is busy: try again later" is the status's own message.
      let more = words.lowercased().contains("busy") ? "" : words
      return SubmitError(
        .notNow, "\(printer) is busy\(more.isEmpty ? "" : ": \(more)").", job: job,
        retryStrategy: .later(why: more.isEmpty ? "busy" : "busy (\(more))"))
    case .notAcceptingJobs, .deactivated: return refused("is not accepting jobs", .notNow)
    case .badRequest, .internalError, .versionNotSupported, .timeout:
      return refused("refused the job", retryStrategy: .plain)
    case .notAuthenticated, .notAuthorized, .forbidden:
      return refused("does not allow \(user) to print", .notAllowed)
    case let status where JobSubmission.accountProblems.contains(status):
      return refused("does not print for this account", .notAllowed)
    case .jobCanceled:
      return SubmitError(.canceled, "The job was canceled on \(printer).", job: job)
    case .notFound where job == nil, .gone where job == nil:
      return SubmitError(
        .unavailable, "There is no printer at the address of \(printer): \(words).")
    case .notFound, .gone:
      return refused("aborted the job before receiving the document", retryStrategy: .anew)
    case .attributesOrValues, .conflictingAttributes:
      let which = names.isEmpty ? "" : " (\(names.inWords()))"
      return refused(
        "refused the job's attributes\(which)",
        retryStrategy: handling.strict || names.isEmpty ? nil : .without(names))
    case .compressionNotSupported, .compressionError:
      return refused("can't decompress the document", retryStrategy: .withoutCompression)
    case .requestEntityTooLarge:
      return SubmitError(
        .refused,
        "The document is too large for \(printer): \(words). A lower --resolution makes it "
          + "smaller.", job: job)
    case .documentFormatNotSupported, .documentFormatError, .documentUnprintable:
      var ending = refused("can't print \(ticket.format) like this")
      ending.outcome.isFormatProblem = true
      return ending
    default: return refused("refused the job")
    }
  }

  /// Statuses from client-error-account-info-needed to -account-authorization-failed.
  private static let accountProblems = Set(
    (Status.accountInfoNeeded.rawValue...Status.accountAuthorizationFailed.rawValue).map {
      Status(rawValue: $0)
    })

  /// Makes the error for a failed exchange before the first byte of the document.
  func failure(_ error: IPPError, cancellation: Cancellation, job: JobIdentity? = nil)
    -> SubmitError
  {
    switch error.kind {
    case .interrupted: return interrupted(cancellation, job: job)
    case .unauthorized, .untrusted:
      var outcome = JobOutcome(error.failure(at: printer))
      outcome.jobId = job?.number
      return SubmitError(outcome)
    case .nonsense, .insecure, .outdated:
      return SubmitError(.refused, "\(error.sentence(of: printer)).", job: job)
    case .status(let status):
      return refusal(Response(status: status, message: error.message), job: job)
    case .unresolved, .refused, .silent, .broken:
      return SubmitError(
        .notNow, "\(printer) no longer answers: \(error.message).", job: job,
        retryStrategy: .later(why: "no answer (\(error.message))", isCleaned: true))
    }
  }

  /// Makes the error for Ctrl-C or SIGTERM; `cancelResult` is what happened to the job, nil if the printer had none.
  func interrupted(
    _ cancellation: Cancellation, job: JobIdentity? = nil, cancelResult: CancelResult? = nil
  ) -> SubmitError {
    let words =
      switch cancelResult {
      case nil: ""
      case .over(let status)? where status.isSuccess: "; the job had been printed"
      case .over(let status)? where status.state == .canceled:
        "; the job was canceled" + (status.pagesInWords.map { " after \($0)" } ?? "")
      case .over?: "; the job had already ended"
      case .gone?: "; \(printer) no longer lists the job"
      case .accepted?:
        "; the job was canceled, but \(printer) has not reported that it stopped: pages may still come out"
      case .refused?, .silence?: "; the job could not be canceled and may still print"
      }
    var ending = SubmitError(
      FailureReason(signal: cancellation.signal).exitCode, "Interrupted\(words).", job: job)
    switch cancelResult {
    case .over(let status)?: ending.outcome.take(status)
    case .accepted?, .refused?, .silence?: ending.outcome.isLeft = true
    case .gone?, nil: break
    }
    return ending
  }
}

extension JobOutcome {
  /// Takes over what the printer reports of a job that has ended.
  mutating func take(_ status: JobStatus) {
    state = status.state
    impressions = status.impressions
    nothingPrinted = NothingPrinted(status)
  }
}

extension JobStatus {
  /// `2 pages`, `2 sheets`; nil if the printer counts none, or does not count.
  var pagesInWords: String? {
    impressions.flatMap { $0 == 0 ? nil : $0.counted(countsSheets ? "sheet" : "page") }
  }
}

// MARK: - A document that ended early

extension JobSubmission {
  /// Makes the error for a connection that broke before the document's end: what has arrived may print as if it were
  /// complete.
  func broken(_ error: IPPError, job: JobIdentity?, cancelResult: CancelResult) -> SubmitError {
    var ending = SubmitError(
      .inDoubt,
      "The connection to \(printer) broke while the document was being sent"
        + "\(error.kind == .broken ? "" : " (\(error.message))"). Part of it may have printed; it is not sent again.",
      job: job)
    guard case .over(let status) = cancelResult else { return ending }
    ending.outcome.take(status)
    // Printers have printed what they had of a job that was cut off.
    ending.outcome.nothingPrinted = nil
    return ending
  }

  /// Makes the error for a printer that accepted the document before it had all of it.
  func early(job: JobIdentity?) -> SubmitError {
    SubmitError(
      .inDoubt,
      "\(printer) accepted the document before it had received all of it. Part of it may have printed; it is not "
        + "sent again.", job: job)
  }
}

extension SubmitError {
  /// Makes the error for a document that can't be drawn completely, or that was refused before its end, and whose job
  /// was canceled.
  ///
  /// A page of which the printer has a part may be out, counted or not.
  static func cutShort(_ failure: Failure, job: JobIdentity?, _ cancelResult: CancelResult)
    -> SubmitError
  {
    var ending = SubmitError(
      .inDoubt, failure.message.saying("Part of it may have printed."), job: job)
    guard case .over(let status) = cancelResult else { return ending }
    ending.outcome.take(status)
    if ending.outcome.nothingPrinted != nil {
      (ending.outcome.exitCode, ending.outcome.message) = (failure.code, failure.message)
    } else if let pages = status.pagesInWords {
      let rest = status.state == .canceled ? "; the rest is canceled" : ""
      ending.outcome.message = failure.message.saying(
        "\(pages) of it came out before that\(rest).")
    }
    return ending
  }
}
