import PrintModel
import Testing

@testable import Layout

/// Pages on a sheet: their scale and position.
@Suite struct SheetLayoutTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var scaling: Scaling
    var page: PageSize
    var scale: Double
    var x: Double
    var y: Double

    init(_ scaling: Scaling, _ page: (Double, Double), _ scale: Double, at x: Double, _ y: Double) {
      self.scaling = scaling
      self.page = PageSize(width: page.0, height: page.1)
      self.scale = scale
      self.x = x
      self.y = y
    }

    var testDescription: String { "\(scaling) \(page.width)x\(page.height)" }
  }

  @Test(arguments: [
    // Half the sheet's width and height: centered, or scaled to 648 of its 720 points.
    Case(.none, (360, 540), 1, at: 180, 270), Case(.auto, (360, 540), 1, at: 180, 270),
    Case(.autoFit, (360, 540), 1, at: 180, 270), Case(.fit, (360, 540), 1.8, at: 36, 54),
    Case(.fill, (360, 540), 2, at: 0, 0),
    // The size of the sheet.
    Case(.none, (720, 1080), 1, at: 0, 0), Case(.auto, (720, 1080), 1, at: 0, 0),
    Case(.autoFit, (720, 1080), 0.9, at: 36, 54), Case(.fit, (720, 1080), 0.9, at: 36, 54),
    Case(.fill, (720, 1080), 1, at: 0, 0),
    // Wider than the sheet.
    Case(.auto, (800, 1080), 0.81, at: 36, 102.6), Case(.none, (800, 1080), 1, at: -40, 0),
  ])
  func `a page is scaled and placed as print-scaling says`(_ expected: Case) {
    let layout = SheetLayout(ticket(expected.scaling))
    let placed = layout.place(
      0, of: document(expected.page.width, expected.page.height)
    ).transform
    #expect(
      placed.isNear(
        Transform(xx: expected.scale, yy: expected.scale, x0: expected.x, y0: expected.y)),
      "\(placed)")
    #expect(abs(layout.scale(of: expected.page) - expected.scale) < 0.000_1)
  }

  @Test(arguments: [
    (PrintRequest.OrientationOption.auto, 540.0, 360.0, true), (.auto, 360, 540, false),
    (.auto, 360, 360, false), (.portrait, 540, 360, false), (.landscape, 540, 360, true),
    (.landscape, 360, 540, true),
  ])
  func `a page is turned where it lies better`(
    _ orientation: PrintRequest.OrientationOption, _ width: Double, _ height: Double,
    _ isTurned: Bool
  ) {
    let layout = SheetLayout(ticket { $0.orientation = orientation })
    #expect(layout.isTurned(PageSize(width: width, height: height)) == isTurned)
  }

  @Test func `neither a square page nor a square sheet is turned`() {
    var (wide, square) = (sheet, sheet)
    wide.size = MediaSize(width: 38_100, length: 25_400)
    square.size = MediaSize(width: 25_400, length: 25_400)
    #expect(!SheetLayout(ticket(on: wide)).isTurned(PageSize(width: 360, height: 360)))
    #expect(!SheetLayout(ticket(on: square)).isTurned(PageSize(width: 540, height: 360)))
  }

  /// Margins of an inch on the left and at the top, and half an inch elsewhere.
  @Test func `a page keeps out of the wider margins, but for one at its exact size`() {
    var paper = sheet
    (paper.margins.top, paper.margins.left) = (2_540, 2_540)
    // Centered, it would begin at 55 and 60 points.
    let kept = SheetLayout(ticket(on: paper, .auto)).place(0, of: document(610, 960))
    #expect(kept.transform.isNear(Transform(x0: 72, y0: 72)), "\(kept)")
    let exact = SheetLayout(ticket(on: paper) { $0.exactScale = 1 }).place(
      0, of: document(100, 100))
    #expect(exact.transform.isNear(Transform(x0: 309.6, y0: 489.6)), "\(exact)")
  }

  @Test(arguments: [(false, 180.0, 810.0), (true, 540, 270)])
  func `the top of a turned page lies at the sheet's left, or clockwise at its right`(
    _ isClockwise: Bool, _ x: Double, _ y: Double
  ) {
    let placed = SheetLayout(ticket { $0.turnsClockwise = isClockwise }).place(
      0, of: document(540, 360)
    ).transform
    let corner = placed.apply(x: 0, y: 0)
    #expect(corner == (x, y))
    #expect(
      placed.apply(Rectangle(x: 0, y: 0, width: 540, height: 360))
        == Rectangle(x: 180, y: 270, width: 360, height: 540))
  }

  /// Margins of an inch on the left and half an inch at the top, and no others.
  @Test(arguments: [
    (Rotation.counterclockwise, Rectangle(x: 0, y: 72, width: 1044, height: 648)),
    (.clockwise, Rectangle(x: 36, y: 0, width: 1044, height: 648)),
    (.half, Rectangle(x: 0, y: 0, width: 648, height: 1044)),
  ])
  func `margins turn with the sheet`(_ rotation: Rotation, _ area: Rectangle) {
    var paper = sheet
    paper.margins = Margins(top: 1_270, bottom: 0, left: 2_540, right: 0)
    let turned = SheetLayout(ticket(on: paper)).frame(rotation)
    let (width, height) = rotation.isAcross ? (1080.0, 720.0) : (720, 1080)
    #expect(turned.sheet == Rectangle(x: 0, y: 0, width: width, height: height))
    #expect(turned.printable.isNear(area), "\(turned.printable)")
  }

  @Test func `on both sides of a sheet the larger of top and bottom margin counts twice`() {
    var paper = sheet
    paper.margins.bottom = 2_540
    let one = SheetLayout(ticket(on: paper)).upright.printable
    let both = SheetLayout(ticket(on: paper) { $0.sides = .longEdge }).upright.printable
    #expect(one.isNear(Rectangle(x: 36, y: 36, width: 648, height: 972)))
    #expect(both.isNear(Rectangle(x: 36, y: 72, width: 648, height: 936)))
  }

  @Test(arguments: [
    (Scaling.fill, 720.0, 720.0, 1.0 / 3), (.none, 1440, 1080, 0.5), (.none, 1440, 2160, 0.75),
    (.fit, 1440, 2160, 0), (.none, 720, 1080, 0),
  ])
  func `the share of a page that is cut off`(
    _ scaling: Scaling, _ width: Double, _ height: Double, _ lost: Double
  ) {
    let layout = SheetLayout(ticket(scaling) { $0.orientation = .portrait })
    #expect(abs(layout.lost(of: PageSize(width: width, height: height)) - lost) < 0.000_1)
  }

  @Test func `what is cut off within margins, and on a roll`() {
    // 504 by 864 points are left; the page is 864 wide.
    let filled = SheetLayout(
      ticket(.fill) { $0.margins = Margins(top: 3_810, bottom: 3_810, left: 3_810, right: 3_810) })
    #expect(abs(filled.lost(of: PageSize(width: 504, height: 504)) - 5.0 / 12) < 0.000_1)
    let rolled = SheetLayout(ticket(on: roll, type: .roll))
    #expect(rolled.lost(of: PageSize(width: 100, height: 100)) == 0)
    #expect(abs(rolled.lost(of: PageSize(width: 432, height: 720)) - 0.5) < 0.000_1)
  }

  @Test(arguments: [
    // Two per side: the sheet is turned, each page has 498 by 642 points.
    (2, 0, Rectangle(x: 39, y: 578, width: 642, height: 428)),
    (2, 1, Rectangle(x: 39, y: 74, width: 642, height: 428)),
    // Four: upright, each has 318 by 498.
    (4, 0, Rectangle(x: 39, y: 49.5, width: 318, height: 477)),
    (4, 3, Rectangle(x: 363, y: 553.5, width: 318, height: 477)),
  ])
  func `several pages on a side are as large as may be`(
    _ count: Int, _ cell: Int, _ place: Rectangle
  ) {
    let layout = SheetLayout(ticket { $0.numberUp = count })
    let placed = layout.place(0, of: document(720, 1080), cell: cell).transform.apply(
      Rectangle(x: 0, y: 0, width: 720, height: 1080))
    #expect(placed.isNear(place), "\(placed)")
  }

  @Test(arguments: [
    // The sheet is divided, not its printable area, which all cells keep to.
    (nil, 0, Rectangle(x: 36, y: 36, width: 168, height: 198)),
    (nil, 4, Rectangle(x: 276, y: 306, width: 168, height: 198)),
    (nil, 11, Rectangle(x: 516, y: 846, width: 168, height: 198)),
    // Within margins beyond the printer's own, cells touch where there is no space between them.
    (3_810, 0, Rectangle(x: 108, y: 108, width: 144, height: 216)),
    (3_810, 5, Rectangle(x: 468, y: 324, width: 144, height: 216)),
  ])
  func `labels are equal parts of their sheet`(
    _ margin: Hundredths?, _ cell: Int, _ place: Rectangle
  ) {
    let layout = SheetLayout(
      ticket {
        $0.grid = PageGrid(columns: 3, rows: 4, across: margin == nil ? 0 : 1_270)
        $0.numberUp = 12
        $0.margins = margin.map { Margins(top: $0, bottom: $0, left: $0, right: $0) }
      })
    let placed = layout.place(0, of: document(place.width, place.height), cell: cell)
    let area = placed.transform.apply(
      Rectangle(x: 0, y: 0, width: place.width, height: place.height))
    #expect(area.isNear(place), "\(area)")
  }

  @Test func `text is set for a label of a sheet`() {
    let box = PageBox(
      ticket {
        ($0.reflows, $0.isAddress, $0.numberUp) = (true, true, 12)
        $0.grid = PageGrid(columns: 3, rows: 4)
      })
    #expect(box.arrangement == .label && box.size == PageSize(width: 168, height: 198))
  }

  @Test(arguments: [(3, 4, false), (9, 20, false), (40, 4, true), (3, 51, true)])
  func `labels too small for their text are no room for it`(
    _ columns: Int, _ rows: Int, _ isTooSmall: Bool
  ) {
    let layout = SheetLayout(
      ticket {
        ($0.reflows, $0.isAddress, $0.numberUp) = (true, true, columns * rows)
        $0.grid = PageGrid(columns: columns, rows: rows, across: 100)
        $0.paper.margins = .zero
      })
    #expect(layout.hasNoRoom(for: PageSize(width: 720, height: 1080)) == isTooSmall)
  }

  @Test func `a page that goes out pixel for pixel begins at a whole one`() {
    // Centered, it would start at 310 and 490 points: 430.56 and 680.56 pixels at 100 dpi.
    let placed = SheetLayout(ticket { $0.exactScale = 1 }).place(0, of: document(100, 100))
    #expect(placed.transform.isNear(Transform(x0: 309.6, y0: 489.6)), "\(placed)")
  }

  @Test func `a border goes as far as the printer reaches`() {
    let plain = SheetLayout(ticket()).place(0, of: document(720, 1080))
    let bordered = SheetLayout(ticket { $0.pageBorder = .single }).place(0, of: document(720, 1080))
    #expect(plain.border == nil)
    #expect(
      bordered.border?.area.isNear(Rectangle(x: 36, y: 36, width: 648, height: 1008)) == true)
    let small = SheetLayout(ticket { $0.pageBorder = .single }).place(0, of: document(360, 540))
    #expect(small.border?.area == Rectangle(x: 180, y: 270, width: 360, height: 540))
  }
}
