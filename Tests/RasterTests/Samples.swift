import PrintModel
import Raster
import TestSupport

/// Pixels in cairo's format, `0x??RRGGBB`, and the expected results.
struct Sample {
  var width: Int
  var height: Int
  var pixels: [UInt32]

  /// Creates a page with difficult input for line coders: runs and literals of all lengths to beyond 128, pairs and
  /// triples, lines that repeat, blank ones, and noise in the unused bytes.
  init(width: Int, height: Int, dice: inout Dice) {
    self.width = width
    self.height = height
    pixels = []
    while pixels.count < width * height {
      let line = Sample.line(width: width, dice: &dice)
      for _ in 0..<(Bool.random(using: &dice) ? 1 : Int.random(in: 1...4, using: &dice)) {
        pixels += line.map { $0 & 0xFF_FFFF | UInt32.random(in: 0...255, using: &dice) << 24 }
      }
    }
    pixels.removeLast(pixels.count - width * height)
  }

  init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    self.width = width
    self.height = height
    pixels = (0..<width * height).map { pixel($0 % width, $0 / width) }
  }

  private static func line(width: Int, dice: inout Dice) -> [UInt32] {
    guard Int.random(in: 0..<5, using: &dice) > 0 else {
      return [UInt32](repeating: 0xFF_FFFF, count: width)
    }
    let longest = [1, 2, 3, 5, 70, 140, 300].randomElement(using: &dice) ?? 1
    var line: [UInt32] = []
    while line.count < width {
      let color =
        [0, 0xFF_FFFF, 0x80_8080, UInt32.random(in: 0...0xFF_FFFF, using: &dice)]
        .randomElement(using: &dice) ?? 0
      line += repeatElement(color, count: Int.random(in: 1...longest, using: &dice))
    }
    return Array(line.prefix(width))
  }

  /// Returns the expected bytes of the page.
  func expected(_ format: PixelFormat) -> [UInt8] {
    switch format {
    case .gray8: grays
    case .srgb24:
      pixels.flatMap { [UInt8($0 >> 16 & 0xFF), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
    case .cmyk32: pixels.flatMap(Sample.inks)
    default: packed
    }
  }

  /// Returns black as the common part of all inks, and for each other ink its share of the rest.
  private static func inks(_ pixel: UInt32) -> [UInt8] {
    let light = [pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF].map(Double.init)
    let most = light.max() ?? 0
    return light.map { UInt8(most > 0 ? ((most - $0) * 255 / most).rounded() : 0) }
      + [UInt8(255 - most)]
  }

  var grays: [UInt8] {
    pixels.map { pixel -> UInt8 in
      let (red, green, blue) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
      let sum = 77 * red + 151 * green + 28 * blue + 128
      return UInt8(sum >> 8)
    }
  }

  private var packed: [UInt8] {
    let grays = grays
    return (0..<height).flatMap { y -> [UInt8] in
      (0..<(width + 7) / 8).map { byte -> UInt8 in
        (0..<8).reduce(UInt8(0)) { bits, bit in
          let x = 8 * byte + bit
          return bits << 1 | (x < width && grays[y * width + x] < 128 ? 1 : 0)
        }
      }
    }
  }

  /// Returns the whole file, encoded in bands of `band` rows, drained after each.
  func encoded(
    _ page: RasterPage, _ format: RasterFormat, band: Int = .max, inGray: Bool = false
  ) throws -> [UInt8] {
    var encoder = try PageEncoder(page, format: format, inGray: inGray)
    var bytes = format.fileHead(pages: 1)
    var y = 0
    while !encoder.isComplete {
      let rows = min(band, height - y)
      // A copy, like a surface that is reused: the rows of the last band are gone.
      Array(pixels[y * width..<(y + rows) * width]).withUnsafeBytes {
        encoder.encode($0.bytes, stride: 4 * width, rows: rows)
      }
      encoder.drain { part in part.withUnsafeBytes { bytes += $0 } }
      y += rows
    }
    return bytes
  }

  func page(_ format: PixelFormat) -> RasterPage {
    RasterPage(width: width, height: height, resolution: Resolution(300), pixels: format)
  }

  /// Returns a page with all values that a PWG header can contain.
  func fullPage(_ pixels: PixelFormat) -> RasterPage {
    var page = RasterPage(
      sheet: MediaSize(width: 21000, length: 29700), name: "iso_a4_210x297mm",
      resolution: Resolution(x: 600, y: 300), pixels: pixels)
    page.width = width
    page.height = height
    page.sides = .shortEdge
    page.turn = .mirrored
    page.quality = .high
    page.mediaType = "photographic-glossy"
    page.mediaPosition = 3
    page.totalPages = 12
    page.copies = 4
    page.cut = .afterPage
    page.contentOptimize = "photo"
    return page
  }
}

extension RasterFormat {
  /// The color formats that we write in it.
  var written: [PixelFormat] {
    self == .urf ? [.gray8, .srgb24] : [.gray8, .srgb24, .black1, .cmyk32]
  }
}

extension RasterReader {
  /// Returns all rows of the page, in the format of `line`; throws when they would take more than `limit`
  /// bytes.
  mutating func pixels(limit: Int = 1 << 30) throws(Failure) -> [UInt8] {
    guard let page else { return [] }
    guard page.width * page.height * channels <= limit else {
      throw Failure(.document, "Page \(pageNumber) is too large.")
    }
    var pixels: [UInt8] = []
    while let rows = try nextLine() {
      for _ in 0..<rows { pixels.append(contentsOf: line) }
    }
    return pixels
  }
}
