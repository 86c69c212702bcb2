internal import Drawing
internal import Glibc
package import PrintModel
package import Raster
internal import Synchronization

/// One side of a sheet as the printer prints it: the raster's lines on the loaded paper.
///
/// It is drawn at the raster's resolution, or at a whole fraction of it: more than 300 dpi can't be seen on a screen.
/// Parts of the raster beyond the paper's edge are lost, and paper outside the raster stays white.
struct SheetPicture {
  private let canvas: Canvas
  /// Number of raster pixels for each pixel of the picture, horizontally and vertically.
  private let shrink: (x: Int, y: Int)
  /// Resolution of the picture.
  private let resolution: Resolution
  private let isGray: Bool
  private var hasColor = false
  /// Sums of the pixels of an incomplete row: gray, or red, green, blue.
  private var sums: [Int] = []
  private var sumRows = 0
  private var row = 0

  /// Maximum number of pixels of a picture.
  private static let most = 40_000_000
  /// cairo's limit is 32767.
  private static let longest = 30_000

  /// Creates a sheet of `size` for a raster of this resolution.
  ///
  /// Throws exit 65 when it is too large to be drawn.
  init(_ size: MediaSize, _ resolution: Resolution, isGray: Bool) throws(Failure) {
    var shrink = (x: 1, y: 1)
    func pixels() -> (width: Int, height: Int) {
      (
        max(1, size.width.pixels(dpi: resolution.x) / shrink.x),
        max(1, size.length.pixels(dpi: resolution.y) / shrink.y)
      )
    }
    while resolution.x / shrink.x > 300 { shrink.x += 1 }
    while resolution.y / shrink.y > 300 { shrink.y += 1 }
    while pixels().width * pixels().height > Self.most
      || max(pixels().width, pixels().height) > Self.longest
    {
      shrink = (shrink.x + 1, shrink.y + 1)
    }
    self.shrink = shrink
    self.resolution = Resolution(x: resolution.x / shrink.x, y: resolution.y / shrink.y)
    self.isGray = isGray
    canvas = try Canvas(width: pixels().width, height: pixels().height)
  }

  /// Adds a line that stands for `rows` rows, with 1 or 3 channels per pixel.
  mutating func add(_ line: [UInt8], channels: Int, rows: Int) {
    guard channels > 0 else { return }
    hasColor = hasColor || channels > 1
    if shrink == (1, 1) {
      guard row < canvas.height else { return }
      copy(line, channels)
      return repeatLast(rows - 1)
    }
    if sums.count != canvas.width * channels {
      sums = [Int](repeating: 0, count: canvas.width * channels)
    }
    let reduced = reduce(line, channels)
    var left = rows
    while left > 0, row < canvas.height {
      let taken = min(left, shrink.y - sumRows)
      sums.withUnsafeMutableBufferPointer { sums in
        reduced.withUnsafeBufferPointer { reduced in
          for index in 0..<sums.count { sums[index] &+= reduced[index] &* taken }
        }
      }
      sumRows += taken
      left -= taken
      guard sumRows == shrink.y else { continue }
      flush(channels)
      // Rows completely equal to this line need not be summed up one by one.
      guard taken == shrink.y else { continue }
      repeatLast(left / shrink.y)
      left %= shrink.y
    }
  }

  /// Turns the sheet upright, and adds its margins and its edge.
  ///
  /// `turn` is the transform with which the side was sent.
  mutating func finish(
    turned turn: BackSideTransform, printable: Rectangle, showsMargins: Bool, _ edge: Canvas.Edge
  ) -> (Canvas, Resolution) {
    if sumRows > 0 { flush(sums.count / canvas.width) }
    canvas.turn(turn)
    if isGray, hasColor { canvas.makeGray() }
    if showsMargins {
      canvas.tintMargins(outside: printable, resolution)
    } else {
      canvas.whitenMargins(outside: printable, resolution)
    }
    canvas.outline(edge)
    return (canvas, resolution)
  }

  // MARK: Rows

  private mutating func copy(_ line: [UInt8], _ channels: Int) {
    let width = min(canvas.width, line.count / max(1, channels))
    line.withUnsafeBufferPointer { line in
      canvas.write(row: row, width, channels) { UInt32(line[$0]) }
    }
    row += 1
  }

  /// Repeats the last row, at most to the end of the sheet.
  private mutating func repeatLast(_ times: Int) {
    let end = min(row + times, canvas.height)
    let stride = canvas.stride
    canvas.withMutablePixels { pixels in
      let last = UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(pixels)[(row - 1) * stride..<row * stride])
      while row < end {
        pixels[row * stride..<(row + 1) * stride].copyBytes(from: last)
        row += 1
      }
    }
  }

  /// Sums the pixels of each column of the picture; columns beyond the line are white.
  private func reduce(_ line: [UInt8], _ channels: Int) -> [Int] {
    let width = line.count / channels
    let step = shrink.x * channels
    var reduced = [Int](repeating: 255 * shrink.x, count: canvas.width * channels)
    line.withUnsafeBufferPointer { line in
      reduced.withUnsafeMutableBufferPointer { reduced in
        // Columns that the line fills completely; a partial one is not a pixel of the picture.
        for column in 0..<min(canvas.width, width / shrink.x) {
          for channel in 0..<channels {
            var sum = 0
            var place = column &* step &+ channel
            for _ in 0..<shrink.x {
              sum &+= Int(line[place])
              place &+= channels
            }
            reduced[column &* channels &+ channel] = sum
          }
        }
      }
    }
    return reduced
  }

  /// Writes the summed row.
  private mutating func flush(_ channels: Int) {
    let area = shrink.x * sumRows
    sums.withUnsafeMutableBufferPointer { sums in
      canvas.write(row: row, canvas.width, channels) { UInt32((sums[$0] + area / 2) / area) }
      for index in 0..<sums.count { sums[index] = 0 }
    }
    sumRows = 0
    row += 1
  }
}

extension Canvas {
  /// Writes a row of pixels, whose gray or red, green and blue `value` returns by their place in it.
  fileprivate func write(
    row: Int, _ columns: Int, _ channels: Int, _ value: (Int) -> UInt32
  ) {
    withMutablePixels { pixels in
      for column in 0..<columns {
        let place = column * channels
        let word =
          channels == 1
          ? value(place) &* 0x01_0101
          : value(place) << 16 | value(place + 1) << 8 | value(place + 2)
        pixels.storeBytes(of: word, toByteOffset: row * stride + column * 4, as: UInt32.self)
      }
    }
  }

  /// Applies `turn` to all pixels; each turn is its own inverse.
  fileprivate func turn(_ turn: BackSideTransform) {
    guard turn != .none else { return }
    withMutablePixels { bytes in
      let rows = (0..<height).map { row in
        UnsafeMutableBufferPointer(
          start: bytes.baseAddress?.advanced(by: row * stride)
            .assumingMemoryBound(to: UInt32.self), count: width)
      }
      if turn.crossFeed < 0 { for var row in rows { row.reverse() } }
      guard turn.feed < 0 else { return }
      for row in 0..<height / 2 {
        let upper = Array(rows[row])
        _ = rows[row].update(fromContentsOf: rows[height - 1 - row])
        _ = rows[height - 1 - row].update(fromContentsOf: upper)
      }
    }
  }
}

/// The raster to print, decoded elsewhere because it is untrusted.
///
/// It belongs to one thread.
package protocol SheetRaster {
  /// The number of pages announced by its first bytes, once the first page is read.
  var announcedPages: Int? { get }
  /// The header of the next page, with gray or RGB pixels; nil after the last.
  ///
  /// Throws exit 65 for invalid or damaged raster.
  func nextPage() throws(Failure) -> RasterPage?
  /// The next line of the page, and the number of rows that are equal to it; nil when the page is complete.
  func nextLine() throws(Failure) -> (pixels: [UInt8], rows: Int)?
}

/// The bytes of a raster, read sequentially.
final class SheetBytes: Sendable {
  private let place = Mutex(0)
  private let read: @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int
  private let file: Int32

  /// - `read`: reads the bytes at an offset, waiting for them; returns 0 at the end.
  init(_ read: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int) {
    self.read = read
    file = -1
  }

  /// The bytes of an open file, which is closed at the end.
  init(of file: Int32) {
    self.file = file
    read = { max(0, pread(file, $1.baseAddress, $1.count, off_t($0))) }
  }

  deinit { if file >= 0 { close(file) } }

  func next(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    place.withLock { place in
      let count = read(place, buffer)
      place += count
      return count
    }
  }
}

/// An order to draw a document other than raster as the printer would: its pages as PWG Raster, upright, in the order
/// in which they are printed.
package struct DrawingOrder: Sendable {
  /// The received file.
  package var document: String
  package var mediaType: String
  /// Descriptor of the file to write the raster to.
  package var output: Int32
  /// Paper to print on, including its margins.
  package var paper: Paper
  package var resolution: Resolution
  package var isColor: Bool
  package var sides: Sides
  /// The Job Template attributes: copies, page-ranges, print-scaling, orientation-requested, ….
  package var attributes: AttributeSet
}

extension AttributeSet {
  /// True if a job asks for all copies of a sheet before the next sheet.
  package var isUncollated: Bool {
    string("multiple-document-handling") == "separate-documents-uncollated-copies"
  }
}
