import IPP
import PrintModel
import System

/// Connects on its own thread, as libcups requires, and calls a function there.
func connected<Value: Sendable>(
  to uri: String, at addresses: [String] = [], timeout: Duration = endlessly,
  cancellation: Cancellation = Cancellation(),
  _ body: @escaping @Sendable (Connection) throws(IPPError) -> Value
) async throws(IPPError) -> Value {
  try await onThread { () throws(IPPError) -> Value in
    guard let uri = PrinterURI(uri) else { throw IPPError(.unresolved, "\(uri) is no URI") }
    return try body(
      try Connection(to: uri, at: addresses, timeout: timeout, cancellation: cancellation))
  }
}

/// Connects and sends one request.
func ask(
  _ uri: String, timeout: Duration = endlessly, cancellation: Cancellation = Cancellation()
) async throws(IPPError) -> Response {
  try await connected(to: uri, timeout: timeout, cancellation: cancellation) {
    (connection) throws(IPPError) in try connection.exchange(question(connection.uri))
  }
}

/// Returns a Get-Printer-Attributes request, or one for another operation on the printer itself.
func question(
  _ uri: PrinterURI, _ operation: Capabilities.Operation = .getPrinterAttributes
) -> Request {
  Request(
    operation,
    operationAttributes: [
      Attribute("printer-uri", .uri(uri.text)), Attribute("requesting-user-name", .name("test")),
    ])
}

/// The default timeout for requests: longer than any machine is busy.
let endlessly = Duration.seconds(3600)

/// Far longer than anything takes on a busy machine, far shorter than the default timeout.
let soon = Duration.seconds(1200)

/// Returns the error, and the time that it took.
func failure(
  _ body: () async throws(IPPError) -> Void
) async -> (kind: IPPError.Kind?, message: String, time: Duration) {
  let begun = ContinuousClock.now
  do {
    try await body()
    return (nil, "", begun.duration(to: .now))
  } catch {
    return (error.kind, error.message, begun.duration(to: .now))
  }
}

/// Sends Print-Job, or Send-Document, with a document in pieces, again if it is wanted again.
func send(
  _ document: [UInt8], over connection: Connection, pieces: Int = 100_000,
  by operation: Capabilities.Operation = .printJob
) throws(IPPError) -> Response {
  var request = question(connection.uri, operation)
  request.operationAttributes += [
    Attribute("job-name", .name("test")),
    Attribute("document-format", .mediaType("application/pdf")),
  ]
  for _ in 0..<2 {
    try connection.beginDocument(request)
    for start in stride(from: 0, to: document.count, by: pieces) {
      let piece = document[start..<min(start + pieces, document.count)]
      guard try write(piece, to: connection) else { break }
    }
    if let response = try connection.finish() { return response }
  }
  throw IPPError(.nonsense, "the document is wanted more than twice")
}

func write(_ piece: ArraySlice<UInt8>, to connection: Connection) throws(IPPError) -> Bool {
  try piece.withUnsafeBytes { bytes in
    Result { () throws(IPPError) in try connection.write(bytes) }
  }.get()
}
