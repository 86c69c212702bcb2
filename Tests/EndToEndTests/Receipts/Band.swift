import TestSupport

/// Rows of a side with ink and no white row between them: a line of text, a rule, a code.
///
/// The unit is pixels; the right and the bottom are exclusive.
struct Band: Equatable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int
  /// The number of dark pixels.
  var dark: Int

  var width: Int { right - left }
  var height: Int { bottom - top }
}

extension Sheet {
  /// Returns true if a pixel is darker than 50 %.
  func isDark(_ x: Int, _ y: Int) -> Bool { pixels[(y * width + x) * bytesPerPixel] < 128 }

  /// Returns the bands in some columns, from top to bottom.
  ///
  /// - `gap`: white rows that do not end a band, such as those between the parts of one letter.
  func bands(in columns: Range<Int>? = nil, gap: Int = 1) -> [Band] {
    let columns = columns ?? 0..<width
    var bands: [Band] = []
    marked(rows: 0..<height) { y, row in
      let dark = columns.filter { row[$0 * bytesPerPixel] < 128 }
      guard let first = dark.first, let last = dark.last else { return }
      if var band = bands.last, y - band.bottom <= gap {
        band.left = min(band.left, first)
        band.right = max(band.right, last + 1)
        band.bottom = y + 1
        band.dark += dark.count
        bands[bands.count - 1] = band
      } else {
        bands.append(Band(left: first, top: y, right: last + 1, bottom: y + 1, dark: dark.count))
      }
    }
    return bands
  }

  /// The side as a PGM or PPM file.
  var portable: [UInt8] {
    Array("P\(bytesPerPixel == 1 ? 5 : 6)\n\(width) \(height)\n255\n".utf8) + pixels
  }
}

extension Person {
  /// Renders a receipt at 203 dpi, for a roll without margins.
  func receipt(_ text: String, _ options: String..., paper: String = "80mm") async throws -> Sheet {
    let sheets = try await receipts(text, options, paper: paper)
    guard sheets.count == 1 else { throw Missing("one part, not \(sheets.count)") }
    return sheets[0]
  }

  /// Renders all parts of a receipt.
  func receipts(
    _ text: String, _ options: [String] = [], paper: String = "80mm"
  ) async throws -> [Sheet] {
    let file = try document(Array(text.utf8), "\(UInt32.random(in: 0 ... .max)).receipt")
    let output = file + ".pwg"
    let outcome = try await airprint(
      ["render", file, "-o", output, "--paper", paper, "--resolution", "203"] + options)
    guard outcome.code == 0 else { throw Missing("a raster: \(outcome.report)") }
    return try Sheet.read(output)
  }

  /// Returns the codes that a scanner reads on a side, such as `EAN-13:4006381333931`, in no order.
  func scanned(_ sheet: Sheet) async throws -> Set<String> {
    let picture = path("\(UInt32.random(in: 0 ... .max)).pnm")
    try sheet.portable.write(to: picture)
    let outcome = try await bench.run(
      ["zbarimg", "--quiet", "--nodbus", picture])
    return Set(outcome.stdout.split(separator: "\n").map(String.init))
  }
}
