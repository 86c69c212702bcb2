package import Documents
internal import FoundationEssentials
internal import Glibc
internal import Logging
package import PrintModel
internal import Raster
package import System
internal import Layout

/// Logs which worker and which renderer draw what, for `--verbose`.
let renderLog = Logger(label: "render")

/// An open document as seen by the rest of the program: its description, and its bytes for a ticket.
///
/// All drawing happens in worker processes.
package final class Renderer {
  private let document: Int32
  private let opening: OpeningOptions
  private let attachments: [Int32]
  private let executable: String
  private let limits: WorkerLimits
  private let cancellation: Cancellation
  /// What the descriptors belong to.
  private let owners: [AnyObject]
  private var first: WorkerProcess
  /// True if the first worker draws, perhaps not to the end, or has failed: another takes its place.
  private var isSpent = false
  /// What is missing, as far as the workers have told it: each tells it once.
  private var losses: [Loss] = []
  /// Page for which a reflowing document was last laid out.
  private var box: PageBox?

  /// Starts the first worker on the regular file behind `document` and those behind `attachments`, one for each
  /// attachment in `opening`.
  ///
  /// The descriptors must stay open: `owners` are kept for that. `executable` is this program. Throws exit 70 if no
  /// worker can be started.
  package init(
    document: Int32, _ opening: OpeningOptions, attachments: [Int32] = [],
    of owners: [AnyObject] = [], executable: String,
    limits: WorkerLimits = WorkerLimits(), cancellation: Cancellation
  ) throws(Failure) {
    self.document = document
    self.opening = opening
    self.attachments = attachments
    self.owners = owners
    self.executable = executable
    self.limits = limits
    self.cancellation = cancellation
    first = try WorkerProcess(
      document: document, attachments: attachments, executable: executable, limits: limits)
  }

  /// The description of the document.
  ///
  /// Throws exit 65 for a document that can't be printed.
  package func inspect() throws(Failure) -> DocumentInfo {
    try describe(.inspect(opening, memory: limits.memory))
  }

  /// The description after `inspect`, with the height of every page's content, by which a roll is cut.
  ///
  /// Throws exit 65 for pages that can't be drawn, 70 if the worker fails.
  package func measure() throws(Failure) -> DocumentInfo {
    try describe(.measure([], atLeast: .max))
  }

  /// The same with the marks of these pages: of all if `isWhole`, else of the first of them, which are drawn for at most
  /// a few seconds.
  ///
  /// nil if they can't be drawn: that is found again, and reported, when they are printed, by another worker.
  package func measure(_ pages: [Int], isWhole: Bool) -> DocumentInfo? {
    do {
      let least = isWhole ? Int.max : Renderer.leastMeasured
      return try describe(.measure(pages, atLeast: least))
    } catch {
      renderLog.debug("the pages' marks can't be measured: \(error.message)")
      isSpent = true
      return nil
    }
  }

  /// Enough to find the footer of a long document.
  private static let leastMeasured = 5

  /// The description after `inspect`, with the pages of a reflowing document on the ticket's paper.
  ///
  /// Throws exit 65 for pages that can't be drawn, 70 if the worker fails.
  package func layOut(for ticket: Ticket) throws(Failure) -> DocumentInfo {
    let box = PageBox(ticket)
    self.box = box
    return try describe(.layOut(box))
  }

  private func describe(_ command: WorkerCommand) throws(Failure) -> DocumentInfo {
    var info: DocumentInfo = try ask(command)
    losses += info.losses.filter { !losses.contains($0) }
    info.losses = losses
    return info
  }

  private func ask<Answer: WorkerValue>(_ command: WorkerCommand) throws(Failure) -> Answer {
    let first = try idle()
    first.tell(command)
    while true {
      let frame = try first.awaitFrame(cancellation)
      guard frame.kind == .info else { throw WorkerMessage.unexpected }
      // One that was started later describes the document first.
      if first.owedInfos > 0 { continue }
      guard let answer = try? Answer(workerBytes: frame.payload) else {
        throw WorkerMessage.unexpected
      }
      return answer
    }
  }

  /// The bytes that go to the printer: the file itself, or its pages drawn; each stream from the beginning.
  ///
  /// Throws exit 64 for a sheet with more pixels than can be drawn; the stream throws the failures of its pages.
  package func stream(
    for ticket: Ticket, document info: DocumentInfo
  ) throws(Failure) -> any DocumentStream {
    if ticket.isPassedThrough { return FileStream(document, of: self) }
    let sides = try sides(of: info, by: ticket)
    let output: SheetSetup.Output =
      switch ticket.format {
      case DocumentFormat.urf: .urf
      case DocumentFormat.pwg: .pwg
      case DocumentFormat.jpeg: .jpeg
      case DocumentFormat.postscript: .postScript
      default: .pdf
      }
    let setup = SheetSetup(ticket, output: output, allSides: sides.count)
    if !output.isOneFile { try checkPixels(setup, sides) }
    let workers = try workers(for: output.isOneFile ? 1 : sides.count)
    renderLog.debug(
      "\(sides.count.counted("side")) as \(ticket.format), \(workers.count.counted("worker"))"
    )
    let isRaster = output == .urf || output == .pwg
    return try RenderStream(
      setup, sides, workers: workers, cancellation, startWorker: isRaster ? another : nil)
  }

  /// The sides to draw; exit 65 if the document no longer has the pages for which the ticket was made: another worker
  /// has counted them.
  private func sides(
    of info: DocumentInfo, by ticket: Ticket
  ) throws(Failure) -> [SheetSide] {
    guard ticket.pages.allSatisfy(info.pages.indices.contains) else {
      throw .document("The document has fewer pages than before.")
    }
    return impose(info, by: ticket)
  }

  /// Checks that no sheet exceeds the maximum number of pixels.
  ///
  /// This happens before a job is created.
  private func checkPixels(_ setup: SheetSetup, _ sides: [SheetSide]) throws(Failure) {
    for side in sides {
      do {
        try setup.page(side).check()
      } catch {
        throw .usage(
          "A sheet of \(setup.widthInPixels) × \(setup.lengthInPixels(side)) pixels is more than can be "
            + "drawn: take a smaller --paper or a lower --resolution.")
      }
    }
  }

  /// Draws the first sides coarsely, and discards them: for up to five seconds.
  ///
  /// Returns what is missing from them, and lines about those that Splash draws. Throws exit 65 if none can be drawn, 70
  /// if a worker fails.
  package func drawFirst(
    for ticket: Ticket, document info: DocumentInfo
  ) throws(Failure) -> (losses: [Loss], reasons: [String]) {
    if ticket.isPassedThrough { return ([], []) }
    var coarse = ticket
    coarse.resolution = Resolution(72)
    let sides = try sides(of: info, by: coarse)
    let setup = SheetSetup(coarse, output: .pwg, allSides: sides.count)
    // The first worker may have to draw the job.
    let stream = try RenderStream(
      setup, sides, workers: [try another()], cancellation, startWorker: another)
    let end = ContinuousClock.now + .seconds(5)
    while try stream.nextSide() != nil, ContinuousClock.now < end {}
    // Vectors are always Poppler's with cairo.
    let isRaster = DocumentFormat.isRaster(ticket.format) || ticket.format == DocumentFormat.jpeg
    return (stream.takeLosses(), isRaster ? SplashReason.lines(stream.splashed) : [])
  }

  /// Picture formats for previews.
  package enum PreviewFormat: Sendable {
    case png, jpeg, sixel
  }

  /// Passes each side as a picture of the sheet with its unprintable margin tinted, in order, up to `limit` of them.
  ///
  /// Returns what is missing from them. Throws exit 65 for pages that can't be drawn, 70 if a worker fails.
  package func previews(
    for ticket: Ticket, document info: DocumentInfo, as format: PreviewFormat = .png,
    upTo limit: Int = .max, _ each: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> [Loss] {
    let sides = Array(try sides(of: info, by: ticket).prefix(limit))
    let output: SheetSetup.Output =
      switch format {
      case .png: .preview
      case .jpeg: .previewJPEG
      case .sixel: .previewSixel
      }
    let setup = SheetSetup(ticket, output: output, allSides: sides.count)
    let stream = try RenderStream(
      setup, sides, workers: try workers(for: sides.count), cancellation)
    while let picture = try stream.nextSide() { try each(picture) }
    return stream.takeLosses()
  }

  /// All sides as a PDF file, each with its unprintable margin tinted.
  ///
  /// Throws exit 70 if the worker fails; the stream throws the failures of its pages.
  package func previewPDF(
    for ticket: Ticket, document info: DocumentInfo
  ) throws(Failure) -> any DocumentStream {
    let sides = try sides(of: info, by: ticket)
    let setup = SheetSetup(ticket, output: .previewPDF, allSides: sides.count)
    return try RenderStream(setup, sides, workers: workers(for: 1), cancellation)
  }

  /// The first worker and, for several sides, one more for each additional core.
  private func workers(for sides: Int) throws(Failure) -> [WorkerProcess] {
    var workers = [try idle()]
    isSpent = true
    guard sides > 1 else { return workers }
    for _ in 1..<max(1, min(Renderer.cores, sides)) { workers.append(try another()) }
    return workers
  }

  /// The first worker, or the one that takes its place.
  private func idle() throws(Failure) -> WorkerProcess {
    if isSpent { first = try another() }
    isSpent = false
    return first
  }

  /// Starts another worker with the same document, laid out for the same paper.
  private func another() throws(Failure) -> WorkerProcess {
    let worker = try WorkerProcess(
      document: document, attachments: attachments, executable: executable, limits: limits)
    worker.tell(.inspect(opening, memory: limits.memory))
    if let box { worker.tell(.layOut(box)) }
    return worker
  }

  /// Number of cores that this process may use, which in a container or under taskset are not all (proc(5):
  /// `Cpus_allowed`, a hexadecimal mask).
  ///
  /// Foundation also counts cores that it may not use.
  private static var cores: Int {
    let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("Cpus_allowed:") }
    let digits = line?.dropFirst("Cpus_allowed:".count) ?? ""
    return max(1, digits.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount })
  }
}
