internal import CCups
import PrintModel
import Raster
import Testing

@Suite struct TurnTests {
  /// PWG 5102.4 table 9, and the order of URF's DM tokens, which ipptool once had wrong (cups#1200).
  @Test(arguments: [
    (1, SheetBack.normal, BackSideTransform.none, BackSideTransform.none),
    (2, .flipped, .flipped, .mirrored),
    (3, .rotated, .rotated, .none),
    (4, .manualTumble, .none, .rotated),
  ])
  func `a back side is turned as the table says`(
    token: Int, sheet: SheetBack, longEdge: BackSideTransform, shortEdge: BackSideTransform
  ) {
    #expect(SheetBack(urf: token) == sheet)
    #expect(BackSideTransform.back(of: sheet, sides: .longEdge) == longEdge)
    #expect(BackSideTransform.back(of: sheet, sides: .shortEdge) == shortEdge)
    #expect(BackSideTransform.back(of: sheet, sides: .oneSided) == .none)
  }

  @Test(arguments: SheetBack.allCases, [Sides.longEdge, .shortEdge])
  func `libcups states the same transforms`(sheet: SheetBack, sides: Sides) throws {
    let header = try Libcups.header(
      media: "iso_a4_210x297mm", type: "sgray_8", resolution: Resolution(300), sides: sides,
      back: sheet)
    let turn = BackSideTransform.back(of: sheet, sides: sides)
    #expect(Int32(bitPattern: header.cupsInteger.1) == turn.crossFeed)
    #expect(Int32(bitPattern: header.cupsInteger.2) == turn.feed)
    #expect(header.Duplex == CUPS_TRUE)
    #expect((header.Tumble == CUPS_TRUE) == (sides == .shortEdge))
  }
}
