import PrintModel
import Testing

@testable import Layout

/// Pages on a roll, and where it is cut.
@Suite struct RollTests {
  @Test(arguments: [
    // Wider than the roll: scaled to the 180 printable points.
    (Scaling.auto, 360.0, 720.0, 0.5), (.fit, 360, 720, 0.5), (.none, 360, 720, 1),
    // Narrower: enlarged only if requested.
    (.auto, 90, 100, 1), (.fit, 90, 100, 2), (.fill, 90, 100, 2), (.none, 90, 100, 1),
    // As wide as the roll itself: the page has its own margins.
    (.auto, 216, 300, 1), (.fit, 216, 300, 1), (.auto, 217, 300, 1),
  ])
  func `a page fits the roll's width`(
    _ scaling: Scaling, _ width: Double, _ height: Double, _ scale: Double
  ) {
    let layout = SheetLayout(ticket(on: roll, scaling, type: .roll))
    #expect(layout.scale(of: PageSize(width: width, height: height)) == scale)
  }

  @Test func `nobody gets a poster who did not ask for one`() {
    let layout = SheetLayout(ticket(on: roll, .fit, type: .roll) { $0.largestScale = 1.5 })
    #expect(layout.scale(of: PageSize(width: 90, height: 100)) == 1.5)
  }

  @Test(arguments: [
    // A quarter of an inch above and below an inch of content.
    (90.0, false, 3_810), (216, false, 3_175),
    // Made for the roll, so it includes its upper margin. A header takes 14 points.
    (90, true, 4_304), (216, true, 4_304),
  ])
  func `a roll is as long as the content with its margins`(
    _ width: Double, _ hasHeader: Bool, _ length: Int
  ) {
    let layout = SheetLayout(
      ticket(on: roll, .auto, type: .roll) { if hasHeader { $0.header = text("above") } })
    let page = document(width, 144, content: 72).pages[0]
    #expect(layout.contentLength(of: page) == Hundredths(length))
  }

  /// Else it would be cut behind a margin more.
  @Test func `a page made for the roll has the length that it is kept at`() {
    let layout = SheetLayout(ticket(on: roll, .auto, type: .roll) { $0.keepsPageLength = true })
    #expect(layout.contentLength(of: document(216, 300).pages[0]) == 10_600)
    #expect(layout.contentLength(of: document(90, 300).pages[0]) > 11_000)
  }

  @Test(arguments: [(3_801, 3_900), (3_900, 3_900), (1_000, 2_540), (60_000, 50_800)])
  func `it is cut at a whole millimeter that the cutter can`(_ length: Int, _ cut: Int) {
    #expect(RollScale.cut(Hundredths(length), on: roll) == Hundredths(cut))
  }

  @Test func `a page begins at the top, in the middle of the roll`() {
    let layout = SheetLayout(ticket(on: roll, .auto, type: .roll))
    let narrow = layout.place(0, of: document(90, 100), length: 5_080).transform
    #expect(narrow.isNear(Transform(x0: 63, y0: 18)), "\(narrow)")
    let made = layout.place(0, of: document(216, 100), length: 5_080).transform
    #expect(made.isNear(.identity), "\(made)")
  }

  @Test(arguments: [(true, 68.0), (false, 112)])
  func `a footer follows the content, or stands above the cut`(_ cutsAtContent: Bool, _ y: Double) {
    let layout = SheetLayout(
      ticket(on: roll, .auto, type: .roll) {
        $0.footer = text("below")
        $0.cutsAtContent = cutsAtContent
      })
    // Cut at 144 points: 18 of margin and 14 of the footer are above that; the content ends at 68.
    let placed = layout.place(0, of: document(90, 100, content: 50), length: 5_080)
    #expect(placed.lines.map(\.center) == ["below"])
    #expect(
      placed.lines.first?.frame.isNear(Rectangle(x: 18, y: y, width: 180, height: 14)) == true,
      "\(placed.lines)")
  }

  @Test(arguments: [
    (JobType.label, 432.0, 144.0, true), (.receipt, 432, 144, false), (.label, 144, 432, false),
    (.label, 180, 90, false),
  ])
  func `a page that is wider than the roll lies along it, but for a receipt`(
    _ type: JobType, _ width: Double, _ height: Double, _ isTurned: Bool
  ) {
    let layout = SheetLayout(ticket(on: roll, .auto, type: type))
    #expect(layout.isTurned(PageSize(width: width, height: height)) == isTurned)
  }
}
