internal import Confinement
internal import Documents
internal import ForeignText
internal import FoundationEssentials
internal import PrintModel

// Requests of the parent, a worker's answers about its document, and what both consist of.

extension [UInt8] {
  /// Adds a command's number and its values.
  fileprivate mutating func put<each Part: WorkerValue>(_ number: UInt8, _ parts: repeat each Part)
  {
    append(number)
    repeat (each parts).write(to: &self)
  }
}

extension WorkerCommand: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .inspect(let opening, let memory): bytes.put(0, opening, memory)
    case .measure(let pages, let least): bytes.put(1, pages, least)
    case .layOut(let box): bytes.put(2, box)
    case .draw(let setup, let sides): bytes.put(3, setup, sides)
    case .decode(let memory): bytes.put(4, memory)
    case .nextPage: bytes.put(5)
    case .lines: bytes.put(6)
    case .unpack(let memory): bytes.put(7, memory)
    }
  }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    switch try reader.take() {
    case 0: self = .inspect(try OpeningOptions(from: &reader), memory: try Int(from: &reader))
    case 1: self = .measure(try [Int](from: &reader), atLeast: try Int(from: &reader))
    case 2: self = .layOut(try PageBox(from: &reader))
    case 3: self = .draw(try SheetSetup(from: &reader), try [SheetSide](from: &reader))
    case 4: self = .decode(memory: try Int(from: &reader))
    case 5: self = .nextPage
    case 6: self = .lines
    case 7: self = .unpack(memory: try Int(from: &reader))
    default: throw MalformedBytes()
    }
  }
}

extension FailureReason: WorkerValue {}
extension WorkerSandbox.Gap: WorkerValue {}
extension SplashReason: WorkerValue {}

extension SplashedPage: WorkerRecord {
  static let form = WorkerForm({ ($0.page, $0.reason) }, SplashedPage.init)
}

extension OpeningOptions: WorkerRecord {
  static let form = WorkerForm({ (opening: OpeningOptions) in
    // Stamps are rare, and have many members.
    let json = opening.stamps.isEmpty ? nil : try? JSONEncoder().encode(opening.stamps)
    return (
      opening.mediaType, opening.attachments, opening.pageResolution, opening.password,
      opening.folder, opening.refusesFiles, json.map { [UInt8]($0) }
    )
  }) {
    (mediaType, attachments, resolution, password, folder, refusesFiles, stamps)
      throws(MalformedBytes) -> OpeningOptions
    in
    var opening = OpeningOptions(mediaType: mediaType)
    (opening.attachments, opening.pageResolution) = (attachments, resolution)
    (opening.password, opening.folder, opening.refusesFiles) = (password, folder, refusesFiles)
    if let stamps {
      guard let read = try? JSONDecoder().decode([Stamping].self, from: Data(stamps)) else {
        throw MalformedBytes()
      }
      opening.stamps = read
    }
    return opening
  }
}

extension OpeningOptions.Attachment: WorkerRecord {
  static let form = WorkerForm(
    { ($0.name, $0.mediaType, $0.isMade) }, OpeningOptions.Attachment.init)
}

extension SheetSetup.Output: WorkerValue {}
extension SheetSetup.MemorySaving: WorkerValue {}

extension SheetSetup: WorkerRecord {
  static let form = WorkerForm(
    {
      (
        $0.output, $0.width, $0.length, $0.name, $0.printable, $0.resolution, $0.isGray,
        $0.isRasterGray, $0.isBitonal, $0.isCMYK, $0.rotation, $0.sides, $0.sheetBack,
        $0.quality, $0.mediaType, $0.firstMediaType, $0.firstTray, $0.contentOptimize,
        $0.cutsEachPage, $0.allSides, $0.memorySaving
      )
    }, SheetSetup.init)
}

extension DocumentInfo: WorkerRecord {
  static let form = WorkerForm({ (info: DocumentInfo) in
    (
      info.mediaType, info.title, info.pages, info.image, info.reflows, info.raster, info.isLocked,
      info.keepsScale, info.sides, info.copies, info.canBeDrawn, info.losses
    )
  }) {
    (
      type, title, pages, image, reflows, raster, isLocked, keepsScale, sides, copies, canBeDrawn,
      losses
    ) throws(MalformedBytes) -> DocumentInfo
    in
    guard !pages.isEmpty else { throw MalformedBytes() }
    var info = DocumentInfo(
      mediaType: type, title: title, pages: pages, image: image, reflows: reflows)
    (info.raster, info.isLocked, info.canBeDrawn) = (raster, isLocked, canBeDrawn)
    (info.keepsScale, info.sides, info.copies) = (keepsScale, sides, max(1, min(5, copies)))
    info.losses = losses
    return info
  }
}

extension Loss.Reason: WorkerValue {}

extension Loss: WorkerRecord {
  /// They are kept in memory, and shown.
  static let most = 100

  // Where the marks are is known to the parent only.
  static let form = WorkerForm({ (loss: Loss) in (loss.reason, loss.page, loss.message) }) {
    Loss($0, page: $1, String($2.prefix(300)).onOneLine)
  }
}

extension DocumentInfo.Page: WorkerRecord {
  /// They are kept in memory while the document is printed.
  static let most = 200_000

  static let form = WorkerForm({ (page: DocumentInfo.Page) in
    (page.size, page.contentHeight, page.marks, page.label, page.problem)
  }) { (size, contentHeight, marks, label, problem) throws(MalformedBytes) -> DocumentInfo.Page in
    // A page that can't be drawn may have no size.
    guard size.width >= 0, size.height >= 0 else { throw MalformedBytes() }
    var page = DocumentInfo.Page(size: size, contentHeight: contentHeight, label: label)
    page.marks = marks
    page.problem = problem?.onOneLine
    return page
  }
}

extension DocumentInfo.Image: WorkerRecord {
  static let form = WorkerForm({ (image: DocumentInfo.Image) in
    (image.width, image.height, image.jpeg, image.isFlat)
  }) { (width, height, jpeg, isFlat) throws(MalformedBytes) -> DocumentInfo.Image in
    // Their product must not overflow, either.
    let sides = 0...(1 << 30)
    guard sides.contains(width), sides.contains(height) else { throw MalformedBytes() }
    return DocumentInfo.Image(width: width, height: height, jpeg: jpeg, isFlat: isFlat)
  }
}

extension DocumentInfo.Raster: WorkerRecord {
  static let form = WorkerForm(
    { ($0.resolution, $0.isGray, $0.sides, $0.turnsBacks) }, DocumentInfo.Raster.init)
}

extension DocumentInfo.JPEG: WorkerRecord {
  static let form = WorkerForm(
    { ($0.isBaseline, $0.components, $0.hasProfile, $0.orientation, $0.octets) },
    DocumentInfo.JPEG.init)
}

// Sheets and their pages: a member added to a type must be added here, too (WorkerBytesTests counts them).

extension Sides: WorkerValue {}
extension SheetBack: WorkerValue {}
extension Rotation: WorkerValue {}
extension PageBorder: WorkerValue {}
extension TextStyle.Alignment: WorkerValue {}
extension PageBox.Arrangement: WorkerValue {}

extension Hundredths: WorkerRecord {
  static let form = WorkerForm({ $0.count }, { Hundredths($0) })
}

extension Resolution: WorkerRecord {
  static let form = WorkerForm({ ($0.x, $0.y) }, Resolution.init)
}

extension PageSize: WorkerRecord {
  static let form = WorkerForm({ ($0.width, $0.height) }, PageSize.init)
}

extension Rectangle: WorkerRecord {
  static let form = WorkerForm({ ($0.x, $0.y, $0.width, $0.height) }, Rectangle.init)
}

extension Transform: WorkerRecord {
  static let form = WorkerForm({ ($0.xx, $0.yx, $0.xy, $0.yy, $0.x0, $0.y0) }, Transform.init)
}

extension RunningLine: WorkerRecord {
  static let form = WorkerForm(
    { ($0.left, $0.center, $0.right, $0.frame, $0.transform, $0.size, $0.isAtBottom) },
    RunningLine.init)
}

extension BorderedFrame: WorkerRecord {
  static let form = WorkerForm({ ($0.area, $0.style) }, BorderedFrame.init)
}

extension PagePlacement: WorkerRecord {
  static let form = WorkerForm({ ($0.page, $0.transform, $0.clip, $0.lines, $0.border, $0.marks) })
  {
    var placement = PagePlacement(page: $0, transform: $1)
    (placement.clip, placement.lines, placement.border, placement.marks) = ($2, $3, $4, $5)
    return placement
  }
}

extension SheetSide: WorkerRecord {
  static let form = WorkerForm(
    { ($0.placements, $0.isBack, $0.length, $0.isFirst) }, SheetSide.init)
}

extension TextStyle.Ink: WorkerRecord {
  static let form = WorkerForm({ ($0.red, $0.green, $0.blue) }, TextStyle.Ink.init)
}

extension TextStyle: WorkerRecord {
  static let form = WorkerForm({ ($0.family, $0.size, $0.alignment, $0.color, $0.numbersLines) }) {
    var style = TextStyle()
    (style.family, style.size, style.alignment) = ($0, $1, $2)
    (style.color, style.numbersLines) = ($3, $4)
    return style
  }
}

extension PageBox: WorkerRecord {
  static let form = WorkerForm(
    {
      (
        $0.size, $0.content, $0.isRoll, $0.isOnePiece, $0.hasAskedMargins, $0.resolution, $0.text,
        $0.arrangement
      )
    }, PageBox.init)
}
