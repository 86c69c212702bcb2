import PrintModel
import Testing

@testable import Layout

/// Margins, header and footer, and the area that they leave on a sheet.
@Suite struct FrameTests {
  private static let borderless = {
    var paper = sheet
    paper.margins = .zero
    return paper
  }()

  @Test func `a header and a footer take two lines of 9 points each`() {
    let layout = SheetLayout(
      ticket(.fit) {
        $0.header = text("above")
        $0.footer = text("below")
      })
    let placed = layout.place(0, of: document(720, 1080))
    #expect(placed.transform.isNear(Transform(xx: 0.9, yy: 0.9, x0: 36, y0: 54)))
    #expect(placed.lines.map(\.center) == ["above", "below"])
    #expect(placed.lines.map(\.isAtBottom) == [false, true])
    #expect(placed.lines[0].frame.isNear(Rectangle(x: 36, y: 36, width: 648, height: 18)))
    #expect(placed.lines[1].frame.isNear(Rectangle(x: 36, y: 1026, width: 648, height: 18)))
    #expect(placed.clip?.isNear(Rectangle(x: 36, y: 54, width: 648, height: 972)) == true)
  }

  @Test func `on a sheet without margins they keep a quarter of an inch away from its edge`() {
    let layout = SheetLayout(
      ticket(on: Self.borderless, .fit) {
        $0.header = text("above")
        $0.footer = text("below")
      })
    let placed = layout.place(0, of: document(720, 1080))
    #expect(placed.lines[0].frame.isNear(Rectangle(x: 18, y: 18, width: 684, height: 18)))
    #expect(placed.lines[1].frame.isNear(Rectangle(x: 18, y: 1044, width: 684, height: 18)))
    // 1008 of 1080 points are left between them, and the full width.
    let factor = 14.0 / 15
    #expect(
      placed.transform.isNear(Transform(xx: factor, yy: factor, x0: 24, y0: 36)),
      "\(placed.transform)")
  }

  @Test func `margins are counted from the paper's edge, and the printer's stay`() {
    let layout = SheetLayout(
      ticket(.fit) { $0.margins = Margins(top: 2_540, bottom: 2_540, left: 2_540, right: 0) })
    // 72 points on the left, the printer's 36 on the right.
    let placed = layout.place(0, of: document(612, 936))
    #expect(placed.transform.isNear(Transform(x0: 72, y0: 72)), "\(placed.transform)")
  }

  @Test(arguments: [(18_000, false), (18_700, true)])
  func `margins may leave no room`(_ each: Int, _ hasNoRoom: Bool) {
    // Of 1080 points 59.5 are left, or 19.8: less than 10 mm.
    let margins = Margins(top: Hundredths(each), bottom: Hundredths(each), left: 0, right: 0)
    let layout = SheetLayout(ticket(.fit) { $0.margins = margins })
    #expect(layout.hasNoRoom(for: PageSize(width: 720, height: 1080)) == hasNoRoom)
  }

  @Test func `none draws over what is around the page, and says so`() {
    let margins = Margins(top: 2_540, bottom: 2_540, left: 2_540, right: 2_540)
    let page = PageSize(width: 720, height: 1080)
    #expect(SheetLayout(ticket(.none) { $0.margins = margins }).isDrawnOver(page))
    #expect(!SheetLayout(ticket(.none)).isDrawnOver(page))
    #expect(!SheetLayout(ticket(.fit) { $0.margins = margins }).isDrawnOver(page))
    let several = ticket(.none) { ($0.margins, $0.numberUp) = (margins, 2) }
    #expect(!SheetLayout(several).isDrawnOver(page))
    let small = PageSize(width: 500, height: 900)
    #expect(!SheetLayout(ticket(.none) { $0.margins = margins }).isDrawnOver(small))
  }

  @Test func `text has three quarters of an inch, labels what the printer reaches`() {
    let page = PageBox(ticket { $0.reflows = true })
    #expect(page.size == PageSize(width: 720, height: 1080) && !page.isRoll)
    #expect(page.content.isNear(Rectangle(x: 54, y: 54, width: 612, height: 972)))
    let label = PageBox(ticket(type: .label) { $0.reflows = true })
    #expect(label.content.isNear(Rectangle(x: 36, y: 36, width: 648, height: 1008)))
    let headed = PageBox(
      ticket {
        $0.reflows = true
        $0.header = text("above")
      })
    #expect(headed.content.isNear(Rectangle(x: 54, y: 72, width: 612, height: 954)))
    let wide = PageBox(
      ticket {
        $0.reflows = true
        $0.orientation = .landscape
      })
    #expect(wide.content.isNear(Rectangle(x: 54, y: 54, width: 972, height: 612)))
  }

  @Test(arguments: [
    (PrintRequest.OrientationOption.portrait, true, true), (.landscape, true, false),
    (.auto, true, true), (.portrait, false, false), (.landscape, false, true),
    (.auto, false, false),
  ])
  func `text is upright on A4, however that is fed`(
    _ orientation: PrintRequest.OrientationOption, _ isFedWide: Bool, _ isTurned: Bool
  ) {
    var paper = sheet
    paper.size =
      isFedWide
      ? MediaSize(width: 29_700, length: 21_000) : MediaSize(width: 21_000, length: 29_700)
    #expect(
      SheetLayout(ticket(on: paper) { $0.orientation = orientation }).isTurnedToReflow == isTurned)
    // Other paper is meant as it lies, and an address is as wide as its envelope.
    paper.size.length += 5_000
    paper.size.width += 5_000
    guard orientation == .auto else { return }
    #expect(!SheetLayout(ticket(on: paper)).isTurnedToReflow)
    let envelope = SheetLayout(ticket(on: paper, type: .envelope) { $0.isAddress = true })
    #expect(envelope.isTurnedToReflow == !isFedWide)
  }

  @Test func `margins that were asked for are not those of a sheet of labels`() {
    let margins = Margins(top: 2_540, bottom: 2_540, left: 2_540, right: 2_540)
    #expect(!PageBox(ticket { $0.reflows = true }).hasAskedMargins)
    #expect(PageBox(ticket { ($0.reflows, $0.margins) = (true, margins) }).hasAskedMargins)
    let labels = ticket {
      ($0.reflows, $0.margins, $0.grid) = (true, margins, PageGrid(columns: 3, rows: 4))
    }
    #expect(!PageBox(labels).hasAskedMargins)
  }

  @Test func `the printer's margins turn with the text`() {
    var paper = sheet
    paper.margins.top = 2_540
    let turned = SheetLayout(ticket(on: paper) { ($0.reflows, $0.rotation) = (true, .half) })
    #expect(
      turned.readersPrintable.isNear(Rectangle(x: 36, y: 36, width: 648, height: 972)),
      "\(turned.readersPrintable)")
  }

  @Test func `lines on a plotter's roll are as long as on A3`() {
    var plotter = roll
    plotter.size.width = 91_440
    let box = PageBox(ticket(on: plotter, type: .largeFormat) { $0.reflows = true })
    let longest = Hundredths(40_000).points
    #expect(abs(box.content.width - longest) < 0.01, "\(box.content)")
    let asked = PageBox(
      ticket(on: plotter, type: .largeFormat) {
        $0.reflows = true
        $0.margins = Margins(top: 1_270, bottom: 1_270, left: 1_270, right: 1_270)
      })
    let width = Hundredths(91_440 - 2_540).points
    #expect(abs(asked.content.width - width) < 0.01, "\(asked.content)")
    // A receipt fills its roll.
    let narrow = PageBox(ticket(on: roll, type: .roll) { $0.reflows = true })
    #expect(narrow.content.width > 100 && narrow.content.width <= 180)
  }

  @Test(arguments: [
    (JobType.label, "custom", true, PageBox.Arrangement.label),
    (.envelope, "iso_dl", true, .envelope),
    (.envelope, "na_number-10", true, .envelopeOfNorthAmerica),
    (.envelope, "iso_dl", false, .lines),
  ])
  func `an address lies where its post wants it`(
    _ type: JobType, _ name: String, _ isAddress: Bool, _ arrangement: PageBox.Arrangement
  ) {
    var paper = sheet
    paper.name = name
    let box = PageBox(
      ticket(on: paper, type: type) {
        $0.reflows = true
        $0.isAddress = isAddress
      })
    #expect(box.arrangement == arrangement)
  }
}
