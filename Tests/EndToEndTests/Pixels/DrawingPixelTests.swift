import FoundationEssentials
import TestSupport
import Testing

/// Comparisons with Poppler's own pdftoppm, which uses another renderer (Splash) than we do (cairo).
///
/// The measure is the share of pixels without a counterpart. A pixel has a counterpart if the other picture has a
/// pixel within 64 gray levels of it, at the same place or next to it (a dilation by one pixel, because the two
/// renderers place and soften edges differently). The limits are 0.5 % of all pixels, and 10 % of those that are not
/// white, so that a nearly empty page is also checked. (Measured: 0.1 to 0.4 %, and 0.6 to 4.7 %.) The same page
/// shifted by two pixels exceeds the first limit.
@Suite(.inTurn) struct DrawingPixelTests {
  @Test func `a text page is what pdftoppm draws`() async throws {
    let person = try await Person.anybody()
    let words = (1...30).map { "\($0). The quick brown fox jumps over the lazy dog, 0123456789." }
    let pdf = person.path("text.pdf")
    let made = try await person.airprint(
      "render", try person.document(Array(words.joined(separator: "\n").utf8), "text.txt"), "-o",
      pdf, "--paper", "A5")
    try #require(made.code == 0, "\(made.report)")
    try await expectAlike(person, pdf, "--paper", "A5")
  }

  @Test func `bars of every shade, and the receipt of the demo, are what pdftoppm draws`()
    async throws
  {
    let person = try await Person.anybody()
    let drawing = person.path("drawing.pdf")
    try Self.drawing.bytes.write(to: drawing)
    try await expectAlike(person, drawing, "--paper", "A5")
    let receipt = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "demo/receipt.pdf")
    try await expectAlike(
      person, receipt.path, "--type", "document", "--scaling", "none")
  }

  /// Bars of all grays and hues, including thin ones.
  static let drawing = PDF(pages: [
    PDF.Page(
      width: PageShape.a5.width, height: PageShape.a5.height,
      marks: (0..<60).map { index in
        let shade = Double(index) / 60
        return PDF.Mark(
          x: 20 + Double(index % 6) * 60, y: 20 + Double(index / 6) * 55,
          width: 4 + shade * 50, height: 0.5 + shade * 40,
          color: "\(shade) \(1 - shade) \(index % 2) rg")
      })
  ])

  /// Draws a PDF's first page on paper of its own size and compares it with pdftoppm's at 100 dpi.
  private func expectAlike(
    _ person: Person, _ file: String, _ options: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let theirs = try #require(
      try await person.pdftoppm(file, resolution: 100, "-f", "1", "-l", "1", "-gray").first)
    let output = person.path("\(UUID().uuidString).pwg")
    let size = "\(theirs.whole.width)x\(theirs.whole.height)pt"
    let paper = options.contains("--paper") ? [] : ["--paper", size]
    let outcome = try await person.airprint(
      ["render", file, "-o", output, "--resolution", "100", "--color", "gray", "-P", "1"]
        + options + paper)
    try #require(outcome.code == 0, "\(outcome.report)")
    let ours = try #require(try Sheet.read(output).first)
    #expect(ours.whole.isWithin(2 * ours.pixel, of: theirs.whole), "\(ours.whole)")
    let difference = ours.grayPicture.difference(from: theirs.grayPicture)
    #expect(difference.isSmall, "\(difference)", sourceLocation: sourceLocation)
    let moved = ours.grayPicture.lowered(by: 2).difference(from: theirs.grayPicture)
    #expect(!moved.isSmall, "\(moved)", sourceLocation: sourceLocation)
    #expect(difference.marked > 500, "there is something to compare")
  }
}

/// A picture in gray, for comparisons.
private struct GrayPicture {
  var width: Int
  var height: Int
  var pixels: [UInt8]

  struct Difference {
    /// The number of pixels that are not white in one of the two.
    var marked = 0
    /// The shares of pixels without a counterpart.
    var ofAll = 0.0
    var ofMarked = 0.0

    var isSmall: Bool { ofAll < 0.005 && ofMarked < 0.1 }
  }

  func lowered(by rows: Int) -> GrayPicture {
    let white = [UInt8](repeating: 255, count: rows * width)
    return GrayPicture(
      width: width, height: height, pixels: white + pixels.dropLast(rows * width))
  }

  func difference(from other: GrayPicture) -> Difference {
    let (columns, rows) = (min(width, other.width), min(height, other.height))
    var (marked, lost) = (0, 0)
    pixels.withUnsafeBufferPointer { ours in
      other.pixels.withUnsafeBufferPointer { theirs in
        for y in 0..<rows {
          for x in 0..<columns {
            let (mine, its) = (Int(ours[y * width + x]), Int(theirs[y * other.width + x]))
            if mine < 250 || its < 250 { marked += 1 }
            guard abs(mine - its) > 64 else { continue }
            let isFound =
              other.hasNear(theirs, x, y, mine) && hasNear(ours, x, y, its)
            if !isFound { lost += 1 }
          }
        }
      }
    }
    return Difference(
      marked: marked, ofAll: Double(lost) / Double(max(1, columns * rows)),
      ofMarked: Double(lost) / Double(max(1, marked)))
  }

  /// Returns true if a pixel at a place or next to it has about this level.
  private func hasNear(
    _ pixels: UnsafeBufferPointer<UInt8>, _ x: Int, _ y: Int, _ level: Int
  ) -> Bool {
    for row in max(0, y - 1)...min(height - 1, y + 1) {
      for column in max(0, x - 1)...min(width - 1, x + 1)
      where abs(Int(pixels[row * width + column]) - level) <= 64 { return true }
    }
    return false
  }
}

extension Sheet {
  /// The picture's first channel, because it is gray.
  fileprivate var grayPicture: GrayPicture {
    GrayPicture(
      width: width, height: height,
      pixels: bytesPerPixel == 1
        ? pixels : stride(from: 0, to: pixels.count, by: bytesPerPixel).map { pixels[$0] })
  }
}
