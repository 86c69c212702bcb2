package import PrintModel
package import System

/// Unpacks a compressed file in a worker: whatever its bytes are, zlib reads them in a worker's sandbox.
package enum Unpacking {
  /// Passes on the contents of `document`, piece by piece.
  ///
  /// `executable` is this program. Throws exit 65 for a file that is damaged, or contains more than `most` bytes; 70 if
  /// no worker can be started.
  package static func unpack(
    _ document: Int32, upTo most: Int, executable: String, limits: WorkerLimits,
    cancellation: Cancellation, _ each: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let worker = try WorkerProcess(
      document: document, attachments: [], executable: executable, limits: limits)
    worker.tell(.unpack(memory: limits.memory))
    var count = 0
    while true {
      let frame = try worker.awaitFrame(cancellation)
      switch frame.kind {
      case .data: count += frame.payload.count
      case .endOfSide: return
      case .info, .failure, .command, .gaps, .losses, .renderers: throw WorkerMessage.unexpected
      }
      guard count <= most else {
        throw Failure(
          .document,
          "The file unpacks to more than \(most >> 20) MB: unpack it with gunzip, and print it in "
            + "parts.")
      }
      try each(frame.payload)
    }
  }
}
