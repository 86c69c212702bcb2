package import IPP
package import PrintModel
package import System

/// A connection to one printer, as used for submitting a job: libcups' `Connection`, or in tests a printer made of a
/// table of answers.
///
/// Confined to the thread that made it.
package protocol JobConnection: AnyObject {
  var uri: PrinterURI { get }
  /// The peer's numeric address.
  var address: String? { get }
  var security: Security { get }
  /// Time without a byte sent or received after which an exchange fails as silent.
  var patience: Duration { get set }
  /// Called four times a second while no byte is sent or received.
  var whenStalled: (() -> Void)? { get set }
  /// True if any part of the last request may have reached the printer.
  var mayHaveAsked: Bool { get }
  /// True if a byte of the current document may have left.
  var hasSentDocument: Bool { get }
  /// True if the last byte of the current document has been passed to the network.
  var hasEndedDocument: Bool { get }
  /// True if the other end has acknowledged every byte of the current document.
  var isDelivered: Bool { get }
  /// True if compression speeds up this link.
  var gainsByCompression: Bool { get }

  /// Sends a request without a document, and returns the answer; see `Connection.exchange`.
  func exchange(_ request: Request, grace: Duration) throws(IPPError) -> Response
  /// Starts a request that carries a document; see `Connection.beginDocument`.
  func beginDocument(_ request: Request) throws(IPPError)
  /// Sends a piece of the document; false if the printer has already answered.
  func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool
  /// Ends the document and reads the answer; see `Connection.finish`.
  func finish(grace: Duration, _ whenEnded: () -> Void) throws(IPPError) -> Response
  /// Cuts the connection in a way that the printer notices at once.
  func shutDown()
  /// Makes another connection to the same printer, at its current address, else at one of `addresses`.
  func another(
    at addresses: [String], patience: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection
}

extension JobConnection {
  func exchange(_ request: Request) throws(IPPError) -> Response {
    try exchange(request, grace: .zero)
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

  /// Asks about one job.
  ///
  /// Throws as `exchange` does.
  package func answer(about job: Int, user: String) throws(IPPError) -> JobAnswer {
    let response = try reply(to: .getJobAttributes(job, at: uri, user: user))
    // Some printers answer bad-request once the page is out (ipp-client-kotlin#19): they have forgotten the job.
    guard response.status.isSuccess else {
      return response.status.mayPass
        ? .silence(response.status.description) : .unknown(response.status)
    }
    return response.job(job).map { .status($0) } ?? .unknown(nil)
  }

  /// Cancels a job that has not ended, and waits until the printer reports how it ended: it may finish the sheet that
  /// it has begun, or print the whole job all the same.
  ///
  /// It asks several times a second, for `patience` at most. Throws as `exchange` does.
  ///
  /// - `whenAccepted`: called before the wait.
  package func cancel(
    _ job: Int, user: String, patience: Duration = .seconds(5), clock: WaitingClock = .machine,
    _ cancellation: Cancellation, whenAccepted: () -> Void = {}
  ) throws(IPPError) -> CancelResult {
    var answer: JobAnswer? = try answer(about: job, user: user)
    var refusal: Response?
    var isAccepted = false
    var pause = Duration.milliseconds(20)
    let end = ContinuousClock.now + patience
    // A test's clock may wait without time passing.
    for _ in 0...Int(patience / .milliseconds(200)) {
      switch answer {
      case .status(let status) where status.state.isOver: return .over(status)
      case .unknown: return isAccepted ? .accepted : .gone
      // Someone else has canceled it.
      case .status(let status) where status.reasons.contains("processing-to-stop-point"):
        isAccepted = true
      default: break
      }
      if !isAccepted {
        // Usually, a job that can't be canceled has ended since it was asked for.
        if let refusal, !refusal.status.mayPass { return .refused(refusal.words) }
        let response = try reply(to: .cancelJob(job, at: uri, user: user))
        isAccepted = response.status.isSuccess
        refusal = response
        if isAccepted { whenAccepted() }
      }
      guard ContinuousClock.now < end, clock.sleep(pause, cancellation) else { break }
      pause = min(pause * 2, .milliseconds(250))
      answer = try? self.answer(about: job, user: user)
    }
    return isAccepted ? .accepted : .refused(refusal?.words ?? "no answer")
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

extension Connection: JobConnection {
  package func another(
    at addresses: [String], patience: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection {
    try Connection(
      to: uri, at: address.map { [$0] } ?? addresses, security: security, patience: patience,
      cancellation: cancellation)
  }
}

/// The clock of a submission: the machine's monotonic one, or a test's, which does not wait.
package struct WaitingClock: Sendable {
  package var now: @Sendable () -> ContinuousClock.Instant
  /// Waits on this thread; false if it was interrupted.
  package var sleep: @Sendable (Duration, Cancellation) -> Bool

  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    sleep: @escaping @Sendable (Duration, Cancellation) -> Bool
  ) {
    self.now = now
    self.sleep = sleep
  }

  package static let machine = WaitingClock(now: { .now }, sleep: { $1.sleep($0) })

  /// Waits, at most until `deadline`; false if that cut it short, or if it was interrupted.
  func sleep(
    _ duration: Duration, until deadline: ContinuousClock.Instant?, _ cancellation: Cancellation
  ) -> Bool {
    guard let deadline else { return sleep(duration, cancellation) }
    let left = now().duration(to: deadline)
    guard left > .zero else { return false }
    return sleep(min(duration, left), cancellation) && left > duration
  }
}
