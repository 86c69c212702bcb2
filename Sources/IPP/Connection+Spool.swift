internal import CCups
internal import Glibc
internal import Logging
internal import PrintModel
internal import System

/// A document whose request follows its last byte, with its length: for servers that do not read chunks.
final class DocumentSpool {
  fileprivate let request: Request
  /// A file without a name.
  fileprivate let file: UnsafeMutablePointer<FILE>

  /// The request leaves out compression, which libcups does only in chunks.
  init(_ request: Request) throws(IPPError) {
    var request = request
    request.operationAttributes.removeAll { $0.name == "compression" }
    self.request = request
    guard let file = tmpfile() else { throw DocumentSpool.full }
    self.file = file
  }

  deinit { fclose(file) }

  private static var full: IPPError {
    IPPError(.broken, "the document can't be stored in /tmp: \(SystemError())")
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(IPPError) {
    guard fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else {
      throw DocumentSpool.full
    }
  }

  /// Ends the document, for reading; returns its length in bytes.
  fileprivate func end() throws(IPPError) -> Int {
    guard fflush(file) == 0 else { throw DocumentSpool.full }
    defer { rewind(file) }
    return ftell(file)
  }
}

extension Connection {
  /// Sends the request and its document with a Content-Length; false if the printer answered before the last byte.
  func sendSpool() throws(IPPError) -> Bool {
    guard let spool else { return false }
    self.spool = nil
    var left = try spool.end()
    log.debug("\(spool.request.name): the document follows, \(left) bytes")
    let message = spool.request.encode()
    defer { ippDelete(message) }
    setDeadline()
    try begin(message, length: ippLength(message) + left, &attempts)
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Connection.pieceLength, alignment: 1)
    defer { piece.deallocate() }
    while earlyStatus == nil, left > 0 {
      let count = fread(piece.baseAddress, 1, piece.count, spool.file)
      guard count > 0 else { throw IPPError(.broken, "the stored document can't be read") }
      guard try send(UnsafeRawBufferPointer(rebasing: piece[..<count])) else { return false }
      left -= count
    }
    setDeadline()
    return earlyStatus == nil
  }
}
