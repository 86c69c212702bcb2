import FuzzTargets
import IPP
import PrintModel
import Submission
import System

/// A connection to a `ModelPrinter`.
final class ModelLine: JobConnection {
  private let printer: ModelPrinter
  /// The job that gets the document.
  private var number = 0
  let uri: PrinterURI
  let address: String? = nil
  let security = Security()
  var timeout = Duration.seconds(60)
  var whenStalled: (() -> Void)?
  var whenDocumentBegins: ((Int) throws(IPPError) -> Void)?
  private(set) var mayHaveAsked = false
  private(set) var hasSentDocument = false
  private(set) var hasEndedDocument = false
  var hasReadDocument: Bool { hasEndedDocument }
  /// True if the document was wanted again, which happens once.
  private var isRepeated = false
  private var isWantedAgain = false
  private(set) var isDelivered = false
  private(set) var isRefused = false
  let gainsByCompression = false
  var connections: Int { printer.restarts }

  init(to printer: ModelPrinter, uri: PrinterURI) {
    self.printer = printer
    self.uri = uri
  }

  func exchange(_ request: Request, grace: Duration) throws(IPPError) -> Response {
    mayHaveAsked = true
    return try printer.answer(request)
  }

  func beginDocument(_ request: Request) throws(IPPError) {
    (hasEndedDocument, isDelivered) = (false, false)
    if !isWantedAgain { (hasSentDocument, isRefused) = (false, false) }
    isRepeated = isWantedAgain
    isWantedAgain = false
    number = try printer.beginDocument(request)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(IPPError) -> Bool {
    (hasSentDocument, isRefused) = (true, false)
    try printer.takePiece(of: number)
    return true
  }

  func finish(grace: Duration, _ whenEnded: () -> Void) throws(IPPError) -> Response? {
    hasEndedDocument = true
    // The other end has acknowledged what its printer may never read.
    isDelivered = true
    guard let response = try printer.endDocument(of: number, isRepeated: isRepeated, whenEnded)
    else {
      isDelivered = false
      (isWantedAgain, isRefused) = (true, true)
      return nil
    }
    return response
  }

  func shutDown() {}

  func another(
    at addresses: [String], timeout: Duration, cancellation: Cancellation
  ) throws(IPPError) -> any JobConnection {
    ModelLine(to: printer, uri: uri)
  }
}

/// A document of two pieces.
final class ModelDocument: DocumentStream {
  private var left = 2

  func next() throws(Failure) -> [UInt8]? {
    guard left > 0 else { return nil }
    left -= 1
    return [37, 80, 68, 70]
  }

  var progress: StreamProgress { StreamProgress(sides: 0, allSides: ModelPrinter.sides) }
}
