internal import AirprintContext
internal import Documents
internal import Layout
package import PrintModel
internal import Rendering
internal import System

/// A document as it is printed on a printer's paper: the ticket, and the facts for which it was negotiated.
package struct LaidOutDocument {
  /// The document, or its alternate on this paper.
  let file: InputFile
  package let info: DocumentInfo
  package var ticket: Ticket
  var jobName: String
  /// The renderer of its pages; exit 64 if it is printed raw, 65 if only a printer can read it.
  let renderer: Result<Renderer, Failure>

  /// Makes it of a document that has all the pages that it will have.
  init(_ document: OpenDocument, _ ticket: Ticket) {
    file = document.file
    info = document.info
    self.ticket = ticket
    jobName = document.jobName(info, setting: ticket.title)
    renderer =
      if let pages = document.pages {
        .success(pages.renderer)
      } else if document.handling.isRaw {
        .failure(
          Failure.usage("-o raw: the file is sent to the printer unchanged; nothing is drawn."))
      } else {
        .failure(
          Failure.document("\(document.whatItIs): nothing of it can be drawn here."))
      }
  }

  /// The number of sheets that all copies take; nil for a roll, and for a file that is not read here.
  var sheets: Int? {
    guard !info.isRaw, !ticket.paper.isRoll else { return nil }
    let sides = impose(info, by: ticket).count
    let sheets = ticket.sides.isDuplex ? (sides + 1) / 2 : sides
    return sheets * (ticket.copies / ticket.repeats)
  }

  /// The bytes to send, from the beginning.
  func stream() throws(Failure) -> any DocumentStream {
    info.isRaw ? FileStream(file.descriptor, of: file) : try drawn()
  }

  /// The same; exit 64 or 65 for a document of which nothing can be drawn here.
  package func drawn() throws(Failure) -> any DocumentStream {
    try renderer.get().stream(for: ticket, document: info)
  }

  /// Draws the first pages, as `print` does, but at a low resolution: only then it is known what is missing from them,
  /// and if they can be drawn at all.
  ///
  /// Nothing is missing from what is sent unchanged. Exit 65 if no page can be drawn.
  func drawFirst() throws(Failure) -> (losses: [Loss], reasons: [String]) {
    info.isRaw ? ([], []) : try renderer.get().drawFirst(for: ticket, document: info)
  }
}

/// A file of pages: a document, or what a program has made of it; and the files that are drawn with it.
struct PageFile {
  let descriptor: Int32
  var opening: OpeningOptions
  private(set) var attachments: [Int32] = []
  /// What is missing from these files since they were converted.
  var losses: [Loss] = []
  /// See `DocumentInfo.scale`.
  var scale = 1.0
  /// They close the descriptors.
  private(set) var owners: [AnyObject]

  init(_ descriptor: Int32, _ mediaType: String, of owner: AnyObject) {
    self.descriptor = descriptor
    opening = OpeningOptions(mediaType: mediaType)
    owners = [owner]
  }

  mutating func add(
    _ attachments: [OpeningOptions.Attachment], _ descriptors: [Int32], of owners: [AnyObject],
    _ losses: [Loss]
  ) {
    opening.attachments += attachments
    self.attachments += descriptors
    self.owners += owners
    self.losses += losses
  }
}

/// A document whose pages are known, and the workers that draw it.
struct PagedDocument {
  var info: DocumentInfo
  /// What was opened, but for the stamps.
  let file: PageFile
  let renderer: Renderer
  /// What is missing from the files that are drawn with it.
  private let losses: [Loss]

  init(
    _ file: PageFile, with stamps: StampFiles?, _ context: Context, _ cancellation: Cancellation
  ) throws(Failure) {
    self.file = file
    var all = file
    if let stamps {
      all.opening.stamps = stamps.stampings(after: file.attachments.count)
      all.add(stamps.attachments, stamps.descriptors, of: stamps.owners, stamps.losses)
    }
    renderer = try Renderer(
      document: all.descriptor, all.opening, attachments: all.attachments, of: all.owners,
      executable: context.executable, limits: WorkerLimits(try context.settings.configuration()),
      cancellation: cancellation)
    losses = all.losses
    info = try renderer.inspect()
    complete()
  }

  /// Makes the pages of a text for the ticket's paper.
  mutating func layOut(for ticket: Ticket) throws(Failure) {
    info = try renderer.layOut(for: ticket)
    complete()
  }

  /// Measures the height of the pages' content, by which a roll is cut.
  mutating func measure() throws(Failure) {
    let reflows = info.reflows
    info = try renderer.measure()
    info.reflows = reflows
    complete()
  }

  /// Adds what the worker does not know.
  private mutating func complete() {
    info.losses += losses
    info.scale = file.scale
  }

  /// Finds the marks of the pages to print if these reach into the printer's margins; returns false if nothing new is
  /// known.
  mutating func measureMarks(for ticket: Ticket, isWhole: Bool) -> Bool {
    guard info.image == nil, info.raster == nil,
      SheetLayout(ticket).reachesMargins(ticket.pages, of: info)
    else { return false }
    guard let found = renderer.measure(ticket.pages, isWhole: isWhole) else { return false }
    let known = info
    info.losses = found.losses + losses
    for (index, page) in zip(info.pages.indices, found.pages) {
      info.pages[index].marks = page.marks
    }
    return info != known
  }
}

extension DocumentInfo {
  /// Returns true if the pages have the requested size, within a point.
  func isMade(for box: PageBox) -> Bool {
    pages.allSatisfy { page in
      abs(page.size.width - box.size.width) < 1
        && (box.isRoll || abs(page.size.height - box.size.height) < 1)
    }
  }

  /// Takes the pages as the content by which a roll is cut: the height of one as wide as the roll includes the
  /// printer's margin below the content.
  mutating func cutAtPages(on roll: Paper) {
    for index in pages.indices {
      let size = pages[index].size
      let isMade = RollScale.isMade(size, for: roll)
      pages[index].contentHeight = size.height - (isMade ? roll.margins.bottom.points : 0)
    }
  }
}

extension WorkerLimits {
  /// Takes `page-time` and `page-memory` from a configuration, if set.
  init(_ configuration: Configuration) {
    self.init()
    if let seconds = configuration.pageTime { processorTime = .seconds(seconds) }
    if let megabytes = configuration.pageMemory { memory = megabytes << 20 }
  }
}
