internal import Documents
internal import PrintModel
internal import Raster

/// One side of a sheet as it comes out of the printer: the raster's lines on the paper that is there.
///
/// It is made at the raster's resolution, or at a whole fraction of it: more than 300 dpi nobody sees on
/// a screen. What the raster has beyond the paper's edge is lost, and where it has nothing the paper
/// stays white.
struct SheetPicture {
  private let canvas: Canvas
  /// How many of the raster's pixels are one of the picture's, across and down.
  private let shrink: (x: Int, y: Int)
  /// Of the picture.
  private let resolution: Resolution
  private let isGray: Bool
  /// The sums of the pixels of a row that is not complete yet: red, green, blue.
  private var sums: [Int]
  private var sumRows = 0
  private var row = 0

  /// No picture has more pixels.
  private static let most = 40_000_000
  /// cairo's limit is 32767.
  private static let longest = 30_000

  /// A sheet of `size` for a raster of this resolution. Exit 65 when it is too large to be drawn.
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
    sums = [Int](repeating: 0, count: canvas.width * 3)
  }

  /// Adds a line that stands for so many rows; 1 or 3 channels a pixel.
  mutating func add(_ line: [UInt8], channels: Int, rows: Int) {
    var left = rows
    if shrink == (1, 1) {
      canvas.withMutablePixels { pixels in
        guard row < canvas.height else { return }
        let first = row
        copy(line, channels, to: pixels, row: first)
        row += 1
        left -= 1
        while left > 0, row < canvas.height {
          repeatRow(first, at: row, in: pixels)
          row += 1
          left -= 1
        }
      }
      return
    }
    let reduced = reduce(line, channels)
    while left > 0, row < canvas.height {
      let taken = min(left, shrink.y - sumRows)
      for index in sums.indices { sums[index] += reduced[index] * taken }
      sumRows += taken
      left -= taken
      if sumRows == shrink.y { flush() }
    }
  }

  /// The sheet as whoever turns it sees it: `turn` is how the side was sent. Then its margins, and its
  /// edge.
  mutating func finish(
    turned turn: Turn, printable: Rectangle, showsMargins: Bool, _ edge: Canvas.Edge
  ) -> (Canvas, Resolution) {
    if sumRows > 0 { flush() }
    canvas.turn(turn)
    if isGray { canvas.makeGray() }
    if showsMargins {
      canvas.tintMargins(outside: printable, resolution)
    } else {
      canvas.whitenMargins(outside: printable, resolution)
    }
    canvas.outline(edge)
    return (canvas, resolution)
  }

  // MARK: Rows

  private func copy(
    _ line: [UInt8], _ channels: Int, to pixels: UnsafeMutableRawBufferPointer, row: Int
  ) {
    let width = min(canvas.width, line.count / max(1, channels))
    line.withUnsafeBufferPointer { line in
      var offset = row * canvas.stride
      for column in 0..<width {
        let word: UInt32
        if channels == 1 {
          word = UInt32(line[column]) * 0x01_0101
        } else {
          let place = column * 3
          word =
            UInt32(line[place]) << 16 | UInt32(line[place + 1]) << 8 | UInt32(line[place + 2])
        }
        pixels.storeBytes(of: word, toByteOffset: offset, as: UInt32.self)
        offset += 4
      }
    }
  }

  private func repeatRow(_ from: Int, at row: Int, in pixels: UnsafeMutableRawBufferPointer) {
    let count = canvas.width * 4
    pixels[row * canvas.stride..<row * canvas.stride + count].copyBytes(
      from: UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(pixels)[
          from * canvas.stride..<from * canvas.stride + count]))
  }

  /// The sums of each picture column's pixels; what the line does not reach is white.
  private func reduce(_ line: [UInt8], _ channels: Int) -> [Int] {
    let width = line.count / max(1, channels)
    var reduced = [Int](repeating: 255 * shrink.x, count: sums.count)
    line.withUnsafeBufferPointer { line in
      for column in 0..<min(canvas.width, (width + shrink.x - 1) / shrink.x) {
        let first = column * shrink.x
        for channel in 0..<3 {
          var sum = 0
          for pixel in first..<first + shrink.x {
            sum +=
              pixel < width ? Int(line[pixel * channels + (channels == 1 ? 0 : channel)]) : 255
          }
          reduced[column * 3 + channel] = sum
        }
      }
    }
    return reduced
  }

  /// Writes the row that is summed up.
  private mutating func flush() {
    let area = shrink.x * sumRows
    canvas.withMutablePixels { pixels in
      for column in 0..<canvas.width {
        let color = (0..<3).map { UInt32((sums[column * 3 + $0] + area / 2) / area) }
        pixels.storeBytes(
          of: color[0] << 16 | color[1] << 8 | color[2],
          toByteOffset: row * canvas.stride + column * 4, as: UInt32.self)
      }
    }
    for index in sums.indices { sums[index] = 0 }
    sumRows = 0
    row += 1
  }
}

extension Canvas {
  /// Moves every pixel as `turn` says; each turn undoes itself.
  fileprivate func turn(_ turn: Turn) {
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
        for column in 0..<width {
          let other = rows[height - 1 - row][column]
          rows[height - 1 - row][column] = rows[row][column]
          rows[row][column] = other
        }
      }
    }
  }
}
