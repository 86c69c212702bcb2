internal import IPP
package import PrintModel
package import System

extension JobSubmission {
  /// Asks the printer if it would accept the job, as it would be sent (`print --dry-run --ask`), and returns what it
  /// would ignore, in sentences.
  ///
  /// Where a job would be sent again, without attributes or compression, the printer is asked again. The failure is that
  /// of the job; exit 64 with `--strict` for a printer that can't be asked.
  package func ask(
    over connection: any JobConnection, cancellation: Cancellation
  ) throws(Failure) -> [String] {
    var submission = self
    var notes: [String] = []
    while true {
      do throws(SubmitError) {
        if let lack = submission.lack { throw lack }
        guard let response = try submission.validate(over: connection, cancellation) else { break }
        // Validate-Document (PWG 5100.13-2023 §4.2.2).
        let document = try submission.verdict(
          on: submission.document(.validateDocument, over: connection), over: connection,
          cancellation)
        guard
          let (words, failure) = submission.ignored(by: response)
            ?? document.flatMap(submission.ignored)
        else { return notes }
        if let failure { throw SubmitError(JobOutcome(failure)) }
        return notes + [words]
      } catch {
        guard let change = submission.change(by: error.retryStrategy) else {
          throw Failure(
            error.outcome.reason ?? .refused, error.outcome.message ?? "\(printer) refuses the job."
          )
        }
        notes.append(change.words)
      }
    }
    let words = "\(printer) can't be asked if it would accept the job: it has no Validate-Job."
    guard submission.handling.strict else { return notes + [words] }
    throw Failure(.notSupported, words)
  }

  /// Asks if the printer would accept Print-Job with this job (Validate-Job, RFC 8011 §4.2.3); nil if it can't be asked.
  func validate(
    over connection: any JobConnection, _ cancellation: Cancellation
  ) throws(SubmitError) -> Response? {
    try verdict(on: wholeJob(.validateJob, over: connection), over: connection, cancellation)
  }

  private func verdict(
    on request: Request, over connection: any JobConnection, _ cancellation: Cancellation
  ) throws(SubmitError) -> Response? {
    guard capabilities.operations.contains(request.operation) else { return nil }
    let response: Response
    do {
      response = try connection.exchange(request)
    } catch {
      throw failure(error, cancellation: cancellation)
    }
    switch response.status {
    case let status where status.isSuccess: return response
    // Some printers list the operation and fail on it.
    case .operationNotSupported: return nil
    case .badRequest, .internalError: if usesIPP11 { return nil }
    default: break
    }
    throw refusal(response)
  }
}
