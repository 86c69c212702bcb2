package import IPP
package import PrintModel
package import System

/// A connection to one printer, as the submission of a job uses it: libcups' `Connection`, or in tests a printer
/// made of a table of answers.
///
/// It belongs to the thread that made it.
package protocol JobConnection: AnyObject {
  var uri: PrinterURI { get }
  /// The numeric address at the other end.
  var address: String? { get }
  var security: Security { get }
  /// Time the printer may neither take nor give a byte before an exchange fails as silent.
  var patience: Duration { get set }
  /// Called four times a second while the printer neither takes nor gives a byte.
  var whenStalled: (() -> Void)? { get set }
  /// Something of the request that was sent last may have got to the printer.
  var mayHaveAsked: Bool { get }
  /// The last byte of the document that was begun last has been handed to the network.
  var hasEndedDocument: Bool { get }
  /// Every byte of the document begun last has been acknowledged at the other end.
  var isDelivered: Bool { get }
  /// True when what goes over this link is better packed.
  var gainsByCompression: Bool { get }

  /// Sends a request without a document, and returns the answer; see `Connection.exchange`.
  func exchange(_ request: Request, grace: Duration) throws(IPPError) -> Response
  /// Starts a request that carries a document; see `Connection.beginDocument`.
  func beginDocument(_ request: Request) throws(IPPError)
  /// Sends a piece of the document; false when the printer has answered already.
  func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool
  /// Ends the document and reads the answer; see `Connection.finish`.
  func finish(grace: Duration, _ whenEnded: () -> Void) throws(IPPError) -> Response
  /// Cuts the connection, so that the printer sees it at once.
  func shutDown()
  /// Makes another connection to the same printer, at its address, else at one of `addresses`.
  func another(
    at addresses: [String], patience: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection
}

extension JobConnection {
  func exchange(_ request: Request) throws(IPPError) -> Response {
    try exchange(request, grace: .zero)
  }

  /// Asks about one job; nil when the printer's answer does not mention it.
  ///
  /// Throws what `exchange` throws.
  package func status(ofJob job: Int, user: String) throws(IPPError) -> JobStatus? {
    try exchange(.getJobAttributes(job, at: uri, user: user)).job(job)
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

/// The clock by which a submission waits: the machine's monotonic one, or one of a test that does
/// not wait.
package struct WaitingClock: Sendable {
  package var now: @Sendable () -> ContinuousClock.Instant
  /// Waits on this thread; false when an interruption cut it short.
  package var sleep: @Sendable (Duration, Cancellation) -> Bool

  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    sleep: @escaping @Sendable (Duration, Cancellation) -> Bool
  ) {
    self.now = now
    self.sleep = sleep
  }

  package static let machine = WaitingClock(now: { .now }, sleep: { $1.sleep($0) })

  /// Waits, at most until `deadline`; false when it was cut short.
  func sleep(
    _ duration: Duration, until deadline: ContinuousClock.Instant?, _ cancellation: Cancellation
  ) -> Bool {
    guard let deadline else { return sleep(duration, cancellation) }
    let left = now().duration(to: deadline)
    guard left > .zero else { return false }
    return sleep(min(duration, left), cancellation) && left > duration
  }
}
