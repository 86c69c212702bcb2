internal import PrintModel

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
        $0.size, $0.content, $0.isRoll, $0.hasAskedMargins, $0.resolution, $0.text,
        $0.arrangement
      )
    }, PageBox.init)
}
