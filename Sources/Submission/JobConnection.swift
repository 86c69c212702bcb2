package import IPP
package import System

/// A connection to one printer, as used for submitting a job: libcups' `Connection`, or in tests a printer made of a
/// table of answers.
///
/// Confined to the thread that made it.
package protocol JobConnection: AnyObject {
  var uri: PrinterURI { get }
  var security: Security { get }
  /// Number of times that it began to connect: while that stays the same, the printer has not restarted.
  var connections: Int { get }
  /// Time without a byte sent or received after which an exchange fails as silent.
  var timeout: Duration { get set }
  /// Called four times a second while no byte is sent or received.
  var whenStalled: (() -> Void)? { get set }
  /// Called with the number, of `connections`, of a connection before a document's request is sent over it; what it
  /// throws is thrown instead.
  var whenDocumentBegins: ((Int) throws(IPPError) -> Void)? { get set }
  /// True if any part of the last request may have reached the printer.
  var mayHaveAsked: Bool { get }
  /// True if the printer may have a byte of the current document.
  var hasSentDocument: Bool { get }
  /// True if the server got a part of the document and refused it until it gets something else first, and has got no
  /// byte of it since.
  var isRefused: Bool { get }
  /// True if the last byte of the current document has been passed to the network.
  var hasEndedDocument: Bool { get }
  /// True if the server has read the current document to its end: it has answered another request behind it, over the
  /// same connection.
  var hasReadDocument: Bool { get }
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
  /// Ends the document and reads the answer; nil if it is wanted again; see `Connection.finish`.
  func finish(grace: Duration, _ whenEnded: () -> Void) throws(IPPError) -> Response?
  /// Cuts the connection in a way that the printer notices at once.
  func shutDown()
  /// Makes another connection to the same printer, at its current address, else at one of `addresses`.
  func another(
    at addresses: [String], timeout: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection
}

extension JobConnection {
  func exchange(_ request: Request) throws(IPPError) -> Response {
    try exchange(request, grace: .zero)
  }
}

extension Connection: JobConnection {
  package func another(
    at addresses: [String], timeout: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection {
    let other = try Connection(
      to: uri, at: address.map { [$0] } ?? addresses, security: security, timeout: timeout,
      cancellation: cancellation)
    other.target = target
    return other
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
}
