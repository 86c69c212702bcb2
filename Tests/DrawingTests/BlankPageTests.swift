import Drawing
import Testing

/// The distinction between pages that are blank and pages that failed to draw.
@Suite struct BlankPageTests {
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
