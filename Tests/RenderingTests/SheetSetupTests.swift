import FoundationEssentials
import Glibc
import PrintModel
import Raster
import TestSupport
import Testing

@testable import Rendering

/// Values common to all sides of a job, and the transform of a side to its pixels.
@Suite struct SheetSetupTests {
  private func setup(
    _ output: SheetSetup.Output = .urf, _ change: (inout Ticket) -> Void = { _ in }
  ) -> SheetSetup {
    var ticket = ImpositionTests.ticket(pages: 1)
    change(&ticket)
    return SheetSetup(ticket, output: output, allSides: 1)
  }

  private func side(isBack: Bool = false, length: Hundredths? = nil) -> SheetSide {
    SheetSide(placements: [], isBack: isBack, length: length)
  }

  /// Checks a sheet of 1000 by 1500 pixels at 100 dpi.
  ///
  /// PWG 5102.4 §4.3.2.2 table 9.
  @Test(arguments: [
    (false, Sides.longEdge, SheetBack.rotated, 0.0, 0.0), (true, .longEdge, .normal, 0, 0),
    (true, .longEdge, .rotated, 1000, 1500), (true, .shortEdge, .rotated, 0, 0),
    (true, .longEdge, .flipped, 0, 1500), (true, .shortEdge, .flipped, 1000, 0),
    (true, .longEdge, .manualTumble, 0, 0), (true, .shortEdge, .manualTumble, 1000, 1500),
  ])
  func `the top left corner of a side comes to lie where the printer wants it`(
    _ isBack: Bool, _ sides: Sides, _ back: SheetBack, _ x: Double, _ y: Double
  ) {
    let setup = setup {
      $0.sides = sides
      $0.sheetBack = back
    }
    #expect(setup.toPixels(side(isBack: isBack)).apply(x: 0, y: 0) == (x, y))
  }

  @Test func `only the first sheet is from the first page's tray`() {
    let setup = setup {
      $0.paper.type = "stationery"
      var first = $0.paper
      first.source = "tray-2"
      first.type = "stationery-letterhead"
      $0.firstPaper = first
    }
    let pages = [true, false].map {
      setup.page(SheetSide(placements: [], isBack: false, length: nil, isFirst: $0))
    }
    #expect(pages.map(\.mediaPosition) == [21, 0])
    #expect(pages.map(\.mediaType) == ["stationery-letterhead", "stationery"])
  }

  @Test func `a side that is cut early is shorter, in pixels and in what is printed on`() {
    let setup = setup()
    #expect(setup.widthInPixels == 1000)
    #expect(setup.lengthInPixels(side()) == 1500)
    #expect(setup.lengthInPixels(side(length: 12_700)) == 500)
    #expect(setup.size(side(length: 12_700)) == PageSize(width: 720, height: 360))
    #expect(abs(setup.printable(side(length: 12_700)).height - 360) < 0.001)
  }

  @Test(arguments: [
    (ColorMode.gray, ColorMode.gray, SheetSetup.Output.urf, true, true),
    (.gray, .color, .urf, true, false), (.color, .color, .urf, false, false),
    // The printer converts PostScript to gray itself.
    (.gray, .color, .postScript, false, false), (.gray, .gray, .postScript, true, true),
  ])
  func `gray is drawn here, but where the printer does it`(
    _ color: ColorMode, _ raster: ColorMode, _ output: SheetSetup.Output, _ isGray: Bool,
    _ isRasterGray: Bool
  ) {
    let setup = setup(output) {
      $0.color = color
      $0.rasterColor = raster
    }
    #expect(setup.isGray == isGray && setup.isRasterGray == isRasterGray)
  }

  @Test func `a side that takes too much memory is drawn more thriftily, three times`() {
    var tried: [SheetSetup.MemorySaving] = []
    var next = SheetSetup.MemorySaving.none.next
    while let memorySaving = next {
      tried.append(memorySaving)
      next = memorySaving.next
    }
    #expect(tried == [.bands, .splash, .half])
  }

  @Test(arguments: [
    (SheetSetup.Output.urf, false), (.pwg, false), (.jpeg, false), (.preview, false), (.pdf, true),
    (.postScript, true), (.previewPDF, true),
  ])
  func `only documents are made in one piece`(_ output: SheetSetup.Output, _ isOneFile: Bool) {
    #expect(output.isOneFile == isOneFile)
  }

  @Test func `a file that goes as it is comes whole, in pieces, wherever its descriptor is`() throws
  {
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) }
    let path = try Scratch.shared.write(bytes, to: "as-it-is-\(UUID().uuidString)")
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    lseek(descriptor, 1000, SEEK_SET)
    let stream = FileStream(descriptor)
    var pieces: [[UInt8]] = []
    while let piece = try stream.next() {
      #expect(stream.progress.sides == 0)
      pieces.append(piece)
    }
    #expect(pieces.map(\.count) == [262_144, 262_144, 75_712])
    #expect(Array(pieces.joined()) == bytes)
    #expect(stream.progress.sides == 1 && stream.progress.allSides == 1)
  }

  @Test func `a file that can't be read is exit 66`() throws {
    let folder = open("/", O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    #expect { try FileStream(folder).next() } throws: { ($0 as? Failure)?.code == .unreadable }
  }
}
