import Testing

@testable import Documents

/// The distinction between pages that are blank and pages that failed to draw.
@Suite struct BlankPageTests {
  @Test(arguments: [
    ("", false), ("q Q", false), ("q 1 0 0 1 5 5 cm /GS0 gs 0.5 g Q\n", false),
    ("0 0 9 9 re W n", false), ("BT /F1 12 Tf ET", false), ("1 1 1 rg 0 0 9 9 re f", true),
    ("0 0 m 9 9 l S", true), ("0 0 9 9 re f*", true), ("BT (a)Tj ET", true), ("[(a)]TJ", true),
    ("(a)'", true), ("1 2(a)\"", true), ("/X Do", true), ("/X Do/Y gs", true), ("/S sh", true),
    ("BI /W 1 /H 1 ID \u{1} EI", true), ("9 9 l 2S", true), ("0 0 9 9 re B%comment", true),
  ])
  func `operators that leave marks`(_ content: String, _ expected: Bool) {
    #expect(PaintingOperators.mayBe(in: Array(content.utf8)) == expected, "\(content)")
  }

  private typealias Mark = (place: Int, color: UInt32)

  private static let marks: [([Mark], Canvas.Marks)] = [
    ([], .none), ([(0, 0xFF_FFFF)], .none), ([(0, 0xF0_F0FF)], .faint), ([(99, 0xEF_FFFF)], .faint),
    ([(0, 0xDF_FFFF)], .plain), ([(99, 0)], .plain), ([(45, 0xFF_FF00)], .plain),
    ([(45, 0xFE_FFFF), (99, 0x12_3456)], .plain), ([(100, 0)], .none), ([(199, 0)], .none),
    ((0..<200).map { ($0, 0xF0_F0F0) }, .faint), ((0..<200).map { ($0, 0) }, .plain),
  ]

  @Test func `the plainest mark on the first ten rows of ten pixels`() throws {
    for (pixels, expected) in Self.marks {
      let canvas = try Canvas(width: 10, height: 20)
      canvas.withMutablePixels { bytes in
        for (place, color) in pixels {
          bytes.storeBytes(
            of: color, toByteOffset: place / 10 * canvas.stride + place % 10 * 4, as: UInt32.self)
        }
      }
      #expect(canvas.marks(rows: 10) == expected, "\(pixels)")
    }
  }
}
