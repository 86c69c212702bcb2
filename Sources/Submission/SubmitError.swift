internal import IPP
internal import PrintModel
internal import System

/// The end of a job, thrown by any step, and what can be done about it.
struct SubmitError: Error, Equatable {
  var outcome: JobOutcome
  /// Set if nothing of the document can have been printed, and another attempt may succeed.
  var remedy: RetryStrategy?

  /// The change for another attempt.
  enum RetryStrategy: Equatable {
    /// Wait: the printer is busy.
    case later(why: String)
    /// Wait, and look for an empty job that may have been left behind: the answer was lost.
    case afterCleaning(why: String)
    /// Send the document uncompressed.
    case withoutCompression
    /// Send the job without these attributes.
    case without([String])
    /// Use IPP 1.1, and names in ASCII.
    case plain
    /// Send the same again: the printer gave up an empty job.
    case anew
  }

  init(_ outcome: JobOutcome, remedy: RetryStrategy? = nil) {
    self.outcome = outcome
    self.remedy = remedy
  }

  init(_ code: ExitCode, _ message: String, job: Int? = nil, remedy: RetryStrategy? = nil) {
    outcome = JobOutcome(exitCode: code, jobId: job, message: message)
    self.remedy = remedy
  }
}

extension JobSubmission {
  /// Makes the error for an IPP refusal of this job (RFC 8011 Appendix B).
  ///
  /// A printer that refuses prints nothing.
  func refusal(_ response: Response, job: Int? = nil) -> SubmitError {
    let words = response.words
    let names = response.unsupported.all.map(\.name)
    switch response.status {
    case let status where status.mayPass:
      // "The printer is busy: try again later" is the status's own message.
      let more = words.lowercased().contains("busy") ? "" : words
      return SubmitError(
        .notNow, "\(printer) is busy\(more.isEmpty ? "" : ": \(more)"). Nothing was printed.",
        job: job,
        remedy: .later(why: more.isEmpty ? "busy" : "busy (\(more))"))
    case .notAcceptingJobs, .deactivated:
      return SubmitError(
        .notNow, "\(printer) is not accepting jobs: \(words). Nothing was printed.", job: job)
    case .badRequest, .internalError, .versionNotSupported, .timeout:
      return SubmitError(
        .refused, "\(printer) refused the job: \(words).", job: job, remedy: .plain)
    case .notAuthenticated, .notAuthorized, .forbidden:
      return SubmitError(
        .notAllowed, "\(printer) does not allow \(user) to print: \(words).", job: job)
    case let status where JobSubmission.accountProblems.contains(status):
      return SubmitError(
        .notAllowed, "\(printer) does not print for this account: \(words).", job: job)
    case .jobCanceled:
      return SubmitError(.canceled, "The job was canceled on \(printer).", job: job)
    case .notFound where job == nil, .gone where job == nil:
      return SubmitError(
        .unavailable, "There is no printer at the address of \(printer): \(words).")
    case .notFound, .gone:
      return SubmitError(
        .refused, "\(printer) aborted the job before receiving the document: \(words).", job: job,
        remedy: .anew)
    case .attributesOrValues, .conflictingAttributes:
      let which = names.isEmpty ? "" : " (\(names.inWords()))"
      return SubmitError(
        .refused, "\(printer) refused the job's attributes\(which): \(words).", job: job,
        remedy: handling.strict || names.isEmpty ? nil : .without(names))
    case .compressionNotSupported, .compressionError:
      return SubmitError(
        .refused, "\(printer) can't decompress the document: \(words).", job: job,
        remedy: .withoutCompression)
    case .requestEntityTooLarge:
      return SubmitError(
        .refused,
        "The document is too large for \(printer): \(words). A lower --resolution makes it "
          + "smaller.", job: job)
    case .documentFormatNotSupported, .documentFormatError, .documentUnprintable:
      var ending = SubmitError(
        .refused, "\(printer) can't print \(ticket.format) like this: \(words).", job: job)
      ending.outcome.mayTryOtherFormat = true
      return ending
    default:
      return SubmitError(.refused, "\(printer) refused the job: \(words).", job: job)
    }
  }

  /// Statuses from client-error-account-info-needed to -account-authorization-failed.
  private static let accountProblems = Set(
    (Status.accountInfoNeeded.rawValue...Status.accountAuthorizationFailed.rawValue).map {
      Status(rawValue: $0)
    })

  /// Makes the error for a failed exchange before the first byte of the document: nothing can have been printed.
  func failure(_ error: IPPError, cancellation: Cancellation, job: Int? = nil) -> SubmitError {
    switch error.kind {
    case .interrupted: return interrupted(cancellation, job: job)
    case .unauthorized, .untrusted:
      return SubmitError(
        error.reason?.exitCode ?? .notAllowed, error.sentence(of: printer, at: uri), job: job)
    case .nonsense, .insecure, .outdated:
      return SubmitError(.refused, "\(error.message).", job: job)
    case .status(let status):
      return refusal(Response(status: status, message: error.message), job: job)
    case .unresolved, .refused, .silent, .broken:
      return SubmitError(
        .notNow, "\(printer) no longer answers: \(error.message). Nothing was printed.",
        job: job, remedy: .afterCleaning(why: "no answer (\(error.message))"))
    }
  }

  /// Makes the error for Ctrl-C or SIGTERM; `fate` is what happened to the job, nil if the printer had none.
  ///
  /// - `impressions`: counted by the printer before the job was canceled, if known.
  func interrupted(
    _ cancellation: Cancellation, job: Int? = nil, fate: CancelResult? = nil,
    impressions: Int? = nil
  ) -> SubmitError {
    let pages = impressions.map { $0 == 1 ? " after 1 page" : $0 > 1 ? " after \($0) pages" : "" }
    let message =
      switch fate {
      case nil: "Interrupted; nothing was sent."
      case .canceled?: "Interrupted; the job was canceled\(pages ?? "")."
      case .over(let status)? where status.isSuccess: "Interrupted; the job had been printed."
      case .over?: "Interrupted; the job had already ended."
      case .unknown?: "Interrupted; the job could not be canceled and may still print."
      }
    var ending = SubmitError(ExitCode(signal: cancellation.signal), message, job: job)
    switch fate {
    case .canceled?:
      ending.outcome.state = .canceled
      ending.outcome.impressions = impressions
    case .over(let status)?:
      ending.outcome.state = status.state
      ending.outcome.impressions = status.impressions
    default: break
    }
    return ending
  }
}

// MARK: - A document that ended early

extension JobSubmission {
  /// Makes the error for a connection that broke before the document's end: what has arrived may print as if it were
  /// complete.
  func broken(_ error: IPPError, job: Int?, fate: CancelResult) -> SubmitError {
    var ending = SubmitError(
      .inDoubt,
      "The connection to \(printer) broke while the document was being sent"
        + "\(error.kind == .broken ? "" : " (\(error.message))"). Part of it may have printed; it is not sent again.",
      job: job)
    if fate.isCanceled { ending.outcome.state = .canceled }
    if case .over(let status) = fate {
      ending.outcome.state = status.state
      ending.outcome.impressions = status.impressions
    }
    return ending
  }
}

extension SubmitError {
  /// Makes the error for a document that can't be drawn completely.
  ///
  /// If the job was canceled first, a printer without a whole page has nothing to print; a page that it has may be out,
  /// counted (`impressions`) or not.
  static func cutShort(
    _ failure: Failure, job: Int?, hasSentPages: Bool, _ fate: CancelResult, _ impressions: Int?
  ) -> SubmitError {
    guard hasSentPages || !fate.isCanceled || (impressions ?? 0) > 0 else {
      var ending = SubmitError(
        failure.code, "\(failure.message) None of it was printed.", job: job)
      ending.outcome.state = .canceled
      return ending
    }
    var ending = SubmitError(
      .inDoubt, "\(failure.message) Part of it may have printed.", job: job)
    if let impressions, impressions > 0 {
      ending.outcome.message =
        "\(failure.message) \(impressions == 1 ? "1 page" : "\(impressions) pages") of it came out before "
        + (fate.isCanceled ? "that; the rest is canceled." : "that.")
    }
    ending.outcome.impressions = impressions
    if fate.isCanceled { ending.outcome.state = .canceled }
    return ending
  }
}

/// Result of canceling a job.
enum CancelResult: Equatable {
  /// The printer canceled the job.
  case canceled
  /// The job had already ended.
  case over(JobStatus)
  /// The printer does not answer, or refused.
  case unknown

  var isCanceled: Bool { self == .canceled }
}
