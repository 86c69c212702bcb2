import PrintModel
import Testing

@testable import Layout

/// `--rotate`: pages turned on the paper.
@Suite struct RotationTests {
  /// Margins of an inch at the bottom, and no others: upside down, the page's top is there.
  private var uneven: Paper {
    var paper = sheet
    paper.margins = Margins(top: 0, bottom: 2_540, left: 0, right: 0)
    return paper
  }

  @Test(arguments: [
    // Where the first corner lies of a page with half the printable area's size.
    (Rotation.none, 360.0, 504.0, 0.0, 0.0), (.half, 360, 504, 720, 1008),
    (.clockwise, 504, 360, 720, 0), (.counterclockwise, 504, 360, 0, 1008),
  ])
  func `a page is laid out in the margins of the sheet as its reader holds it`(
    _ rotation: Rotation, _ width: Double, _ height: Double, _ x: Double, _ y: Double
  ) {
    let layout = SheetLayout(
      ticket(on: uneven, .fit) {
        $0.rotation = rotation
        // A landscape page would be turned by itself.
        $0.orientation = .portrait
      })
    let placed = layout.place(0, of: document(width, height)).transform
    let area = placed.apply(Rectangle(x: 0, y: 0, width: width, height: height))
    let corner = placed.apply(x: 0, y: 0)
    #expect(abs(corner.x - x) < 0.01 && abs(corner.y - y) < 0.01, "\(corner)")
    #expect(area.isNear(Rectangle(x: 0, y: 0, width: 720, height: 1008)), "\(area)")
    #expect(Rotation(of: placed) == rotation)
  }

  @Test(arguments: [
    (Rotation.none, Rotation.counterclockwise), (.clockwise, .none), (.half, .clockwise),
    (.counterclockwise, .half),
  ])
  func `a landscape page is turned from where it would lie`(
    _ asked: Rotation, _ rotation: Rotation
  ) {
    let layout = SheetLayout(ticket(.fit) { $0.rotation = asked })
    #expect(layout.rotation(of: PageSize(width: 540, height: 360)) == rotation)
    let placed = layout.place(0, of: document(540, 360)).transform
    #expect(Rotation(of: placed) == rotation)
    let area = placed.apply(Rectangle(x: 0, y: 0, width: 540, height: 360))
    #expect(upright(layout, holds: area), "\(area)")
  }

  private func upright(_ layout: SheetLayout, holds area: Rectangle) -> Bool {
    let within = area.intersection(layout.upright.printable)
    return within.isNear(area)
  }

  @Test(arguments: [
    (2, Rotation.half, Rotation.clockwise), (4, .half, .half), (2, .clockwise, .none),
  ])
  func `several pages on a side are turned as one`(
    _ count: Int, _ asked: Rotation, _ rotation: Rotation
  ) {
    let usual = SheetLayout(ticket { $0.numberUp = count })
    let turned = SheetLayout(
      ticket {
        $0.numberUp = count
        $0.rotation = asked
      })
    let pages = document(720, 1080)
    let placed = turned.place(0, of: pages).transform
    #expect(Rotation(of: placed) == rotation)
    guard asked == .half else { return }
    let around = asked.onto(width: 720, height: 1080)
    #expect(placed.isNear(usual.place(0, of: pages).transform.then(around)), "\(placed)")
  }

  @Test func `header, clip and border turn with the page`() {
    let change = { (ticket: inout Ticket) in
      ticket.header = text("above")
      ticket.pageBorder = .single
    }
    let usual = SheetLayout(ticket(.fit, change)).place(0, of: document(720, 1080))
    let turned = SheetLayout(
      ticket(.fit) {
        change(&$0)
        $0.rotation = .half
      }
    ).place(0, of: document(720, 1080))
    let around = Rotation.half.onto(width: 720, height: 1080)
    #expect(turned.transform.isNear(usual.transform.then(around)))
    #expect(turned.lines.first?.transform.isNear(around) == true)
    #expect(turned.lines.first?.frame == usual.lines.first?.frame)
    for area in [\PagePlacement.clip, \.border?.area] {
      let (one, other) = (usual[keyPath: area], turned[keyPath: area])
      #expect(one.flatMap { one in other?.isNear(around.apply(one)) } == true, "\(turned)")
    }
  }

  @Test func `upside down on a roll, the page ends at the top, and the cut is where it begins`() {
    var uneven = roll
    uneven.margins.bottom = 1_270
    let layout = SheetLayout(
      ticket(on: uneven, .auto, type: .roll) {
        $0.rotation = .half
        $0.cutsAtContent = true
      })
    let pages = document(90, 144, content: 72)
    // A quarter of an inch, an inch of content, and half an inch: which margin is at which end does not matter.
    #expect(layout.contentLength(of: pages.pages[0]) == 4_445)
    let placed = layout.place(0, of: pages, length: 4_445).transform
    let corner = placed.apply(x: 0, y: 0)
    // 126 points long, of which the last 36 are the printer's.
    #expect(corner == (153, 90), "\(corner)")
    let end = placed.apply(x: 90, y: 72)
    #expect(end == (63, 18), "\(end)")
  }

  @Test(arguments: [
    (216.0, 100.0, Rotation.none, 216.0), (216, 100, .clockwise, 100),
    (100, 216, .counterclockwise, 216),
  ])
  func `a page turned on a roll lies across it`(
    _ width: Double, _ height: Double, _ rotation: Rotation, _ across: Double
  ) {
    let layout = SheetLayout(ticket(on: roll, .auto, type: .label) { $0.rotation = rotation })
    let size = PageSize(width: width, height: height)
    #expect(layout.lying(size).width == across)
    let area = layout.place(0, of: document(width, height)).transform.apply(
      Rectangle(x: 0, y: 0, width: width, height: height))
    #expect(
      area.isNear(Rectangle(x: (216 - across) / 2, y: area.y, width: across, height: area.height)))
    #expect(area.y == (across == 216 ? 0 : 18))
  }
}
