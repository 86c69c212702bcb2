/// ICC profiles for tests (ICC.1:2001-04) that change colors conspicuously.
enum TestProfile {
  /// A profile that swaps red and green.
  static let swapped = profile(
    "RGB ", "XYZ ",
    [
      ("wtpt", xyz(white)), ("rXYZ", xyz(green)), ("gXYZ", xyz(red)), ("bXYZ", xyz(blue)),
      ("rTRC", curve([563])), ("gTRC", curve([563])), ("bTRC", curve([563])),
    ])
  /// A profile that swaps black and white.
  static let negative = profile(
    "GRAY", "XYZ ", [("wtpt", xyz(white)), ("kTRC", curve([65_535, 0]))])
  /// A profile in which cyan ink alone is red, and any other ink makes black.
  ///
  /// Little CMS tests for black, and expects it from all inks.
  static let redCyan = profile("CMYK", "Lab ", [("wtpt", xyz(white)), ("A2B0", table)])

  // D50, and sRGB's primaries adapted to it.
  private static let white = [0.9642, 1, 0.8249]
  private static let red = [0.4360, 0.2225, 0.0139]
  private static let green = [0.3851, 0.7169, 0.0971]
  private static let blue = [0.1431, 0.0606, 0.7141]

  private static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65_536).rounded()), 4) }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + values.flatMap(fixed)
  }

  private static func curve(_ values: [Int]) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + big(values.count, 4) + values.flatMap { big($0, 2) }
  }

  /// A table of 2 × 2 × 2 × 2 colors in Lab, 8 bits each (lut8Type).
  private static var table: [UInt8] {
    let identity = (0...255).map { UInt8($0) }
    let colors = (0..<16).flatMap { inks -> [UInt8] in
      // L*, a* + 128, b* + 128
      inks == 8 ? [135, 208, 195] : inks == 0 ? [255, 128, 128] : [0, 128, 128]
    }
    return Array("mft1\0\0\0\0".utf8) + [4, 3, 2, 0]
      + [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { fixed($0) }
      + [identity, identity, identity, identity].joined() + colors
      + [identity, identity, identity].joined()
  }

  private static func profile(
    _ space: String, _ connection: String, _ tags: [(name: String, data: [UInt8])]
  ) -> [UInt8] {
    let description: [UInt8] =
      Array("desc\0\0\0\0".utf8) + big(5, 4) + Array("test\0".utf8) + Array(repeating: 0, count: 78)
    let all = [("desc", description), ("cprt", Array("text\0\0\0\0x\0".utf8))] + tags
    var (table, data): ([UInt8], [UInt8]) = ([], [])
    let start = 132 + 12 * all.count
    for (name, bytes) in all {
      let padded = bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
      table += Array(name.utf8) + big(start + data.count, 4) + big(padded.count, 4)
      data += padded
    }
    let kind = space == "CMYK" ? "prtr" : "mntr"
    var head = big(start + data.count, 4) + [0, 0, 0, 0] + [2, 0x10, 0, 0]
    head += Array((kind + space + connection).utf8) + Array(repeating: 0, count: 12)
    head += Array("acsp".utf8) + Array(repeating: 0, count: 28) + white.flatMap { fixed($0) }
    head += Array(repeating: 0, count: 128 - head.count)
    return head + big(all.count, 4) + table + data
  }
}
