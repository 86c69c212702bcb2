internal import Documents
internal import ForeignText
internal import FoundationEssentials
internal import PrintModel

// Requests of the parent, and a worker's answers about its document (see WorkerBytes+Values.swift).

extension WorkerCommand: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .inspect(let opening, let memory):
      bytes.append(0)
      opening.write(to: &bytes)
      memory.write(to: &bytes)
    case .measure(let pages, let least):
      bytes.append(1)
      pages.write(to: &bytes)
      least.write(to: &bytes)
    case .layOut(let box):
      bytes.append(2)
      box.write(to: &bytes)
    case .draw(let job):
      bytes.append(3)
      job.setup.write(to: &bytes)
      job.sides.write(to: &bytes)
    case .decode(let memory):
      bytes.append(4)
      memory.write(to: &bytes)
    case .nextPage: bytes.append(5)
    case .lines: bytes.append(6)
    case .unpack(let memory):
      bytes.append(7)
      memory.write(to: &bytes)
    case .chooseRenderers(let pages):
      bytes.append(8)
      pages.write(to: &bytes)
    }
  }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    switch try reader.take() {
    case 0: self = .inspect(try OpeningOptions(from: &reader), memory: try Int(from: &reader))
    case 1: self = .measure(try [Int](from: &reader), atLeast: try Int(from: &reader))
    case 2: self = .layOut(try PageBox(from: &reader))
    case 3:
      let setup = try SheetSetup(from: &reader)
      self = .draw(DrawingJob(setup: setup, sides: try [SheetSide](from: &reader)))
    case 4: self = .decode(memory: try Int(from: &reader))
    case 5: self = .nextPage
    case 6: self = .lines
    case 7: self = .unpack(memory: try Int(from: &reader))
    case 8: self = .chooseRenderers(try [Int](from: &reader))
    default: throw MalformedBytes()
    }
  }
}

extension SplashReason: WorkerValue {}

extension SplashedPage: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm({ ($0.page, $0.reason) }, SplashedPage.init)
  }
}

extension OpeningOptions: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm({
      // Stamps are rare, and have many members.
      let json = $0.stamps.isEmpty ? nil : try? JSONEncoder().encode($0.stamps)
      return (
        $0.mediaType, $0.attachments, $0.pageResolution, $0.password, $0.folder, $0.refusesFiles,
        json.map { [UInt8]($0) }
      )
    }) {
      (mediaType, attachments, resolution, password, folder, refusesFiles, stamps)
        throws(MalformedBytes)
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
}

extension OpeningOptions.Attachment: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm({ ($0.name, $0.mediaType) }, OpeningOptions.Attachment.init)
  }
}

extension SheetSetup.Output: WorkerValue {}
extension SheetSetup.Economy: WorkerValue {}

extension SheetSetup: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm(
      {
        (
          $0.output, $0.width, $0.length, $0.name, $0.printable, $0.resolution, $0.isGray,
          $0.isRasterGray, $0.isBitonal, $0.isCMYK, $0.sides, $0.sheetBack, $0.quality,
          $0.mediaType, $0.contentOptimize, $0.cutsEachPage, $0.allSides, $0.economy
        )
      }, SheetSetup.init)
  }
}

extension DocumentInfo: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm({
      (
        $0.mediaType, $0.title, $0.pages, $0.image, $0.reflows, $0.raster, $0.isLocked,
        $0.keepsScale, $0.canBeDrawn, $0.warnings
      )
    }) {
      (type, title, pages, image, reflows, raster, isLocked, keepsScale, canBeDrawn, warnings)
        throws(MalformedBytes)
      in
      guard !pages.isEmpty else { throw MalformedBytes() }
      var info = DocumentInfo(
        mediaType: type, title: title, pages: pages, image: image, reflows: reflows)
      (info.raster, info.isLocked, info.canBeDrawn) = (raster, isLocked, canBeDrawn)
      info.keepsScale = keepsScale
      info.warnings = warnings.map(\.onOneLine)
      return info
    }
  }
}

extension DocumentInfo.Page: WorkerRecord {
  /// They are kept in memory while the document is printed.
  static let most = 200_000

  static var form: some WorkerFormed<Self> {
    WorkerForm({ ($0.size, $0.contentHeight, $0.marks, $0.label, $0.problem) }) {
      (size, contentHeight, marks, label, problem) throws(MalformedBytes) in
      // A page that can't be drawn may have no size.
      guard size.width >= 0, size.height >= 0 else { throw MalformedBytes() }
      var page = DocumentInfo.Page(size: size, contentHeight: contentHeight, label: label)
      page.marks = marks
      page.problem = problem?.onOneLine
      return page
    }
  }
}

extension DocumentInfo.Image: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm({ ($0.width, $0.height, $0.jpeg, $0.isFlat) }) {
      (width, height, jpeg, isFlat) throws(MalformedBytes) in
      // Their product must not overflow, either.
      let sides = 0...(1 << 30)
      guard sides.contains(width), sides.contains(height) else { throw MalformedBytes() }
      return DocumentInfo.Image(width: width, height: height, jpeg: jpeg, isFlat: isFlat)
    }
  }
}

extension DocumentInfo.Raster: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm({ ($0.resolution, $0.isGray, $0.sides, $0.turnsBacks) }, DocumentInfo.Raster.init)
  }
}

extension DocumentInfo.JPEG: WorkerRecord {
  static var form: some WorkerFormed<Self> {
    WorkerForm(
      { ($0.isBaseline, $0.components, $0.hasProfile, $0.orientation, $0.octets) },
      DocumentInfo.JPEG.init)
  }
}
