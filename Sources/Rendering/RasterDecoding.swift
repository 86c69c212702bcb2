internal import Glibc
package import PrintModel
package import Raster
internal import Synchronization
package import System

/// Decodes untrusted raster in a worker, page by page as it arrives.
///
/// Whatever the bytes are, the decoder reads them in a worker's sandbox. It belongs to one thread.
package final class RasterDecoder {
  /// Reads the raster's next bytes, waiting for them; 0 at the end.
  package typealias Pull = @Sendable (UnsafeMutableRawBufferPointer) -> Int

  private let worker: WorkerProcess
  private let supply: RasterSupply
  private let cancellation: Cancellation
  private var page: RasterPage?
  private var rowsLeft = 0
  /// The number of pages announced at the start of the raster.
  package private(set) var announcedPages: Int?

  /// Starts a worker; `executable` is this program, and `pull` is called on its own thread until it returns 0 or the
  /// worker has ended.
  ///
  /// A worker that has the data it needs but sends nothing is stopped at its limits, and at once when it is canceled.
  /// Throws exit 70 if no worker can be started.
  package init(
    executable: String, limits: WorkerLimits = WorkerLimits(),
    cancellation: Cancellation = Cancellation(), pulling pull: @escaping Pull
  ) throws(Failure) {
    self.cancellation = cancellation
    supply = RasterSupply(pull)
    let ends: SocketPair
    do throws(SystemError) { ends = try SocketPair() } catch {
      throw Failure.fault("A render worker can't be started: \(error).")
    }
    defer { close(ends.other) }
    do throws(Failure) {
      worker = try WorkerProcess(
        document: ends.other, attachments: [], executable: executable, limits: limits)
    } catch {
      close(ends.own)
      throw error
    }
    detachThread { [supply] in supply.feed(ends.own) }
    worker.tell(.decode(memory: limits.memory))
  }

  /// The header of the next page; nil after the last.
  ///
  /// Unread lines of the current page are skipped. Throws exit 65 for invalid raster.
  package func nextPage() throws(Failure) -> RasterPage? {
    while rowsLeft > 0 { _ = try nextLine() }
    page = nil
    worker.tell(.nextPage)
    let frame = try nextFrame()
    guard frame.kind == .info else { throw WorkerMessage.invalid }
    if frame.payload.isEmpty { return nil }
    guard let next = try? DecodedPage(workerBytes: frame.payload),
      (try? next.page.check()) != nil
    else { throw WorkerMessage.invalid }
    page = next.page
    announcedPages = next.announcedPages
    rowsLeft = next.page.height
    worker.timeout.allow(for: next.page.width * next.page.height)
    worker.tell(.lines)
    return page
  }

  /// The next line, 1 or 3 bytes for each pixel, and the number of rows that are equal to it; nil when the page is
  /// complete.
  ///
  /// Throws exit 65 for damaged raster, 70 if the worker fails.
  package func nextLine() throws(Failure) -> (pixels: [UInt8], rows: Int)? {
    guard let page, rowsLeft > 0 else { return nil }
    var frame = try nextFrame()
    guard frame.kind == .data, frame.payload.count == page.width * page.pixels.colors + 1 else {
      throw WorkerMessage.invalid
    }
    let rows = Int(frame.payload.removeLast()) + 1
    rowsLeft -= rows
    if rowsLeft <= 0 {
      guard rowsLeft == 0, try nextFrame().kind == .endOfSide else { throw WorkerMessage.invalid }
    }
    return (frame.payload, rows)
  }

  private func nextFrame() throws(Failure) -> WorkerMessage {
    try worker.awaitFrame(cancellation) { supply.isWaiting }
  }
}

/// Feeds raster to a worker as the worker needs it.
private final class RasterSupply: Sendable {
  private let pull: RasterDecoder.Pull
  private let waits = Atomic(true)

  init(_ pull: @escaping RasterDecoder.Pull) { self.pull = pull }

  /// True while waiting for the sender of the raster.
  var isWaiting: Bool { waits.load(ordering: .relaxed) }

  /// Passes everything to the worker, and closes the socket.
  func feed(_ socket: Int32) {
    defer { close(socket) }
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        waits.store(true, ordering: .relaxed)
        let count = pull(buffer)
        waits.store(false, ordering: .relaxed)
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
        guard count > 0, writeAll(piece, to: socket, isSocket: true) else { return }
      }
    }
  }
}

/// A page as the worker describes it: its header, after its pixels were converted to gray or to red, green and blue.
struct DecodedPage: WorkerRecord {
  var page: RasterPage
  var announcedPages: Int?

  init(_ page: RasterPage, channels: Int, announcedPages: Int?) {
    self.page = page
    self.page.pixels = channels == 1 ? .gray8 : .srgb24
    self.announcedPages = announcedPages
  }

  static let form = WorkerForm({ (decoded: DecodedPage) in
    let page = decoded.page
    return (
      page.width, page.height, page.pixels.colors, page.resolution, page.sides, page.sizeName,
      page.mediaPosition, page.pageWidth, page.pageLength, page.totalPages, decoded.announcedPages
    )
  }) {
    (
      width, height, channels, resolution, sides, sizeName, position, pageWidth, pageLength,
      totalPages, announced
    ) throws(MalformedBytes) -> DecodedPage in
    guard channels == 1 || channels == 3 else { throw MalformedBytes() }
    var page = RasterPage(width: width, height: height, resolution: resolution, pixels: .gray8)
    (page.sides, page.sizeName, page.mediaPosition) = (sides, sizeName, position)
    (page.pageWidth, page.pageLength, page.totalPages) = (pageWidth, pageLength, totalPages)
    return DecodedPage(page, channels: channels, announcedPages: announced)
  }
}

/// Decodes in the worker: the raster behind a descriptor.
///
/// - Throws: exit 65, with the page and the line where it is damaged.
final class RasterDecoding {
  private var reader: RasterReader

  init(_ descriptor: Int32) throws(Failure) {
    reader = try RasterReader { (target) throws(Failure) in
      while true {
        let count = read(descriptor, target.baseAddress, target.count)
        if count >= 0 { return count }
        if errno != EINTR { throw .document("The document can't be read.") }
      }
    }
  }

  /// The next header, as `DecodedPage`; nil after the last page.
  func nextPage() throws(Failure) -> [UInt8]? {
    guard let page = try reader.nextPage() else { return nil }
    // An unsupported pixel format is reported with the page's first line.
    let channels = reader.channels == 0 ? 1 : reader.channels
    return DecodedPage(page, channels: channels, announcedPages: reader.announcedPages).workerBytes
  }

  /// The next line, followed by the number of rows after the first that are equal to it.
  func nextLine() throws(Failure) -> [UInt8]? {
    guard let rows = try reader.nextLine() else { return nil }
    return reader.line + [UInt8(rows - 1)]
  }
}

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
        throw .document(
          "The file unpacks to more than \(most >> 20) MB: unpack it with gunzip, and print it in "
            + "parts.")
      }
      try each(frame.payload)
    }
  }
}
