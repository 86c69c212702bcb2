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
    case .measure: bytes.append(1)
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

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    switch try reader.take() {
    case 0: self = .inspect(try OpeningOptions(from: &reader), memory: try Int(from: &reader))
    case 1: self = .measure
    case 2: self = .layOut(try PageBox(from: &reader))
    case 3:
      let setup = try SheetSetup(from: &reader)
      self = .draw(DrawingJob(setup: setup, sides: try [SheetSide](from: &reader)))
    case 4: self = .decode(memory: try Int(from: &reader))
    case 5: self = .nextPage
    case 6: self = .lines
    case 7: self = .unpack(memory: try Int(from: &reader))
    case 8: self = .chooseRenderers(try [Int](from: &reader))
    default: throw WorkerBytesReader.Malformed()
    }
  }
}

extension SplashReason: WorkerValue {}

extension SplashedPage: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    page.write(to: &bytes)
    reason.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(page: try Int(from: &reader), reason: try SplashReason(from: &reader))
  }
}

extension OpeningOptions: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    mediaType.write(to: &bytes)
    attachments.write(to: &bytes)
    pageResolution.write(to: &bytes)
    password.write(to: &bytes)
    folder.write(to: &bytes)
    refusesFiles.write(to: &bytes)
    // Stamps are rare, and have many members.
    let json = stamps.isEmpty ? nil : try? JSONEncoder().encode(stamps)
    [UInt8](json ?? Data()).write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(mediaType: try String(from: &reader))
    attachments = try [Attachment](from: &reader)
    pageResolution = try Resolution?(from: &reader)
    password = try String?(from: &reader)
    folder = try String?(from: &reader)
    refusesFiles = try Bool(from: &reader)
    let count = try reader.takeCount()
    guard count > 0 else { return }
    let json = Data(try reader.take(count))
    guard let stamps = try? JSONDecoder().decode([Stamping].self, from: json) else {
      throw WorkerBytesReader.Malformed()
    }
    self.stamps = stamps
  }
}

extension OpeningOptions.Attachment: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    name.write(to: &bytes)
    mediaType.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(name: try String(from: &reader), mediaType: try String(from: &reader))
  }
}

extension SheetSetup.Output: WorkerValue {}
extension SheetSetup.Economy: WorkerValue {}

extension SheetSetup: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    output.write(to: &bytes)
    width.write(to: &bytes)
    length.write(to: &bytes)
    name.write(to: &bytes)
    printable.write(to: &bytes)
    resolution.write(to: &bytes)
    for flag in [isGray, isRasterGray, isBitonal, isCMYK] { flag.write(to: &bytes) }
    sides.write(to: &bytes)
    sheetBack.write(to: &bytes)
    quality.write(to: &bytes)
    mediaType.write(to: &bytes)
    contentOptimize.write(to: &bytes)
    cutsEachPage.write(to: &bytes)
    allSides.write(to: &bytes)
    economy.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    output = try Output(from: &reader)
    width = try Hundredths(from: &reader)
    length = try Hundredths(from: &reader)
    name = try String(from: &reader)
    printable = try Rectangle(from: &reader)
    resolution = try Resolution(from: &reader)
    isGray = try Bool(from: &reader)
    isRasterGray = try Bool(from: &reader)
    isBitonal = try Bool(from: &reader)
    isCMYK = try Bool(from: &reader)
    sides = try Sides(from: &reader)
    sheetBack = try SheetBack(from: &reader)
    quality = try Int(from: &reader)
    mediaType = try String(from: &reader)
    contentOptimize = try String(from: &reader)
    cutsEachPage = try Bool(from: &reader)
    allSides = try Int(from: &reader)
    economy = try Economy(from: &reader)
  }
}

extension DocumentInfo: WorkerValue {
  /// Pages and warnings are kept in memory while the document is printed.
  static let mostPages = 200_000
  fileprivate static let mostWarnings = 10_000

  func write(to bytes: inout [UInt8]) {
    mediaType.write(to: &bytes)
    title.write(to: &bytes)
    pages.write(to: &bytes)
    image.write(to: &bytes)
    reflows.write(to: &bytes)
    raster.write(to: &bytes)
    isLocked.write(to: &bytes)
    canBeDrawn.write(to: &bytes)
    warnings.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      mediaType: try String(from: &reader), title: try String?(from: &reader),
      pages: try reader.takeArray(upTo: DocumentInfo.mostPages), image: try Image?(from: &reader),
      reflows: try Bool(from: &reader))
    raster = try Raster?(from: &reader)
    isLocked = try Bool(from: &reader)
    canBeDrawn = try Bool(from: &reader)
    let said: [String] = try reader.takeArray(upTo: DocumentInfo.mostWarnings)
    warnings = said.map(\.onOneLine)
    guard !pages.isEmpty else { throw WorkerBytesReader.Malformed() }
  }
}

extension DocumentInfo.Page: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    size.write(to: &bytes)
    contentHeight.write(to: &bytes)
    label.write(to: &bytes)
    problem.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      size: try PageSize(from: &reader), contentHeight: try Double?(from: &reader),
      label: try String?(from: &reader))
    // A page that can't be drawn may have no size.
    guard size.width >= 0, size.height >= 0 else { throw WorkerBytesReader.Malformed() }
    problem = try String?(from: &reader)?.onOneLine
  }
}

extension DocumentInfo.Image: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    width.write(to: &bytes)
    height.write(to: &bytes)
    jpeg.write(to: &bytes)
    isFlat.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      width: try Int(from: &reader), height: try Int(from: &reader),
      jpeg: try DocumentInfo.JPEG?(from: &reader), isFlat: try Bool?(from: &reader))
    // Their product must not overflow, either.
    let sides = 0...(1 << 30)
    guard sides.contains(width), sides.contains(height) else { throw WorkerBytesReader.Malformed() }
  }
}

extension DocumentInfo.Raster: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    resolution.write(to: &bytes)
    isGray.write(to: &bytes)
    sides.write(to: &bytes)
    turnsBacks.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      resolution: try Resolution(from: &reader), isGray: try Bool(from: &reader),
      sides: try Sides(from: &reader), turnsBacks: try Bool(from: &reader))
  }
}

extension DocumentInfo.JPEG: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    isBaseline.write(to: &bytes)
    components.write(to: &bytes)
    hasProfile.write(to: &bytes)
    orientation.write(to: &bytes)
    octets.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      isBaseline: try Bool(from: &reader), components: try Int(from: &reader),
      hasProfile: try Bool(from: &reader), orientation: try Int(from: &reader),
      octets: try Int(from: &reader))
  }
}
