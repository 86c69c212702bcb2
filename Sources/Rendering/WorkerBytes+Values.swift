internal import PrintModel

// Sheets and their pages, member by member: a member added to a type must be added here, too (WorkerBytesTests counts
// them).

extension Sides: WorkerValue {}
extension SheetBack: WorkerValue {}
extension PageBorder: WorkerValue {}
extension TextStyle.Alignment: WorkerValue {}
extension PageBox.Arrangement: WorkerValue {}

extension Hundredths: WorkerValue {
  func write(to bytes: inout [UInt8]) { count.write(to: &bytes) }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(try Int(from: &reader))
  }
}

extension Resolution: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    x.write(to: &bytes)
    y.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(x: try Int(from: &reader), y: try Int(from: &reader))
  }
}

extension PageSize: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    width.write(to: &bytes)
    height.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(width: try Double(from: &reader), height: try Double(from: &reader))
  }
}

extension Rectangle: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    for number in [x, y, width, height] { number.write(to: &bytes) }
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      x: try Double(from: &reader), y: try Double(from: &reader), width: try Double(from: &reader),
      height: try Double(from: &reader))
  }
}

extension Transform: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    for number in [xx, yx, xy, yy, x0, y0] { number.write(to: &bytes) }
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      xx: try Double(from: &reader), yx: try Double(from: &reader), xy: try Double(from: &reader),
      yy: try Double(from: &reader), x0: try Double(from: &reader), y0: try Double(from: &reader))
  }
}

extension RunningLine: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    left.write(to: &bytes)
    centre.write(to: &bytes)
    right.write(to: &bytes)
    frame.write(to: &bytes)
    transform.write(to: &bytes)
    size.write(to: &bytes)
    isAtBottom.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      left: try String(from: &reader), centre: try String(from: &reader),
      right: try String(from: &reader), frame: try Rectangle(from: &reader),
      transform: try Transform(from: &reader), size: try Double(from: &reader),
      isAtBottom: try Bool(from: &reader))
  }
}

extension BorderedFrame: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    area.write(to: &bytes)
    style.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(area: try Rectangle(from: &reader), style: try PageBorder(from: &reader))
  }
}

extension PagePlacement: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    page.write(to: &bytes)
    transform.write(to: &bytes)
    clip.write(to: &bytes)
    lines.write(to: &bytes)
    border.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(page: try Int(from: &reader), transform: try Transform(from: &reader))
    clip = try Rectangle?(from: &reader)
    lines = try [RunningLine](from: &reader)
    border = try BorderedFrame?(from: &reader)
  }
}

extension SheetSide: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    placements.write(to: &bytes)
    isBack.write(to: &bytes)
    length.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      placements: try [PagePlacement](from: &reader), isBack: try Bool(from: &reader),
      length: try Hundredths?(from: &reader))
  }
}

extension TextStyle: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    family.write(to: &bytes)
    size.write(to: &bytes)
    alignment.write(to: &bytes)
    for part in [color.red, color.green, color.blue] { part.write(to: &bytes) }
    numbersLines.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init()
    family = try String?(from: &reader)
    size = try Double?(from: &reader)
    alignment = try Alignment(from: &reader)
    color = Ink(red: try reader.take(), green: try reader.take(), blue: try reader.take())
    numbersLines = try Bool(from: &reader)
  }
}

extension PageBox: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    size.write(to: &bytes)
    content.write(to: &bytes)
    isRoll.write(to: &bytes)
    hasAskedMargins.write(to: &bytes)
    resolution.write(to: &bytes)
    text.write(to: &bytes)
    arrangement.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(
      size: try PageSize(from: &reader), content: try Rectangle(from: &reader),
      isRoll: try Bool(from: &reader), hasAskedMargins: try Bool(from: &reader),
      resolution: try Resolution?(from: &reader),
      text: try TextStyle(from: &reader), arrangement: try Arrangement(from: &reader))
  }
}
