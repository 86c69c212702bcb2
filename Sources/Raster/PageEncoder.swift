import Glibc
package import PrintModel

/// Encodes the rows of one page as its bytes in a raster file: the page's header and its packed lines.
///
/// Rows are added in bands of any height, and finished bytes are drained between them, so that a page never has to fit
/// into memory:
///
///     var encoder = try PageEncoder(page, format: .urf)
///     while !encoder.isComplete {
///       encoder.encode(band, stride: stride, rows: count)
///       try encoder.drain { bytes in try write(bytes) }
///     }
///
/// A blank page costs one comparison of each row with the previous one; nothing is converted or packed twice.
package struct PageEncoder: ~Copyable {
  package let page: RasterPage
  private let conversion: RowConversion
  /// Set if tones are dithered in one bit.
  private var diffusion: ErrorDiffusion?
  private var bytesPerRow: Int { 4 * page.width }
  /// Bytes of a line in a `LineBuffer`.
  private let bytesPerLine: Int

  private var output = OutputBuffer(capacity: 1 << 16)
  /// The line packed last, and the next one.
  private var line: LineBuffer
  private var next: LineBuffer
  /// Offset in `output` of the last line's code, which starts with its repeat count; nil before the first line.
  ///
  /// It is held back while the line may still repeat.
  private var lastCode: Int?
  /// Number of lines of the page not encoded yet.
  package private(set) var remaining: Int

  /// Creates an encoder for `page`, whose rows are pixels of cairo's CAIRO_FORMAT_RGB24.
  ///
  /// `inGray` makes them gray, for printers that only accept sRGB; `dithered` dithers tones if pixels have one bit.
  ///
  /// - Throws: exit 70 for a page that the format can't represent, or pixels that rows can't be converted to; as
  ///   `RasterPage.check`.
  package init(
    _ page: RasterPage, format: RasterFormat, inGray: Bool = false, dithered: Bool = false
  ) throws(Failure) {
    try page.check()
    guard let conversion = RowConversion(to: page.pixels, inGray: inGray) else {
      throw .fault("xrgb32 pixels can't be written as \(page.pixels).")
    }
    if format == .urf {
      guard page.pixels != .black1, page.pixels != .cmyk32 else {
        throw .fault("URF has no \(page.pixels) pixels.")
      }
      guard page.resolution.isSquare else {
        throw .fault("URF states one resolution, so it can't be \(page.resolution).")
      }
    }
    self.init(page, format, conversion, dithered: dithered)
  }

  /// The part of the initializer that can't throw: Swift 6.2 rejects a throwing initializer that has already set
  /// members.
  private init(
    _ page: RasterPage, _ format: RasterFormat, _ conversion: RowConversion, dithered: Bool
  ) {
    self.page = page
    self.conversion = conversion
    diffusion = dithered && page.pixels == .black1 ? ErrorDiffusion(width: page.width) : nil
    bytesPerLine =
      switch page.pixels {
      case .srgb24: 4 * page.width
      case .cmyk32: 8 * page.width
      default: page.pixels.bytesPerLine(width: page.width)
      }
    // Gray is converted in place in the line's memory, on its way to fewer or more bytes.
    let room = max(bytesPerLine, page.width)
    line = LineBuffer(byteCount: room)
    next = LineBuffer(byteCount: room)
    remaining = page.height
    output.append(format.pageHeader(page))
  }

  /// True when all lines have been added.
  package var isComplete: Bool { remaining == 0 }

  /// Adds the next `rows` rows, `stride` bytes apart.
  ///
  /// `rows` must not exceed `remaining`, and `pixels` must contain all of them. Their encoding is kept until it is
  /// drained: that of a photograph takes as much memory as its pixels.
  package mutating func encode(_ pixels: RawSpan, stride: Int, rows: Int) {
    precondition(rows >= 0 && rows <= remaining, "more rows than the page has lines")
    guard rows > 0 else { return }
    precondition(
      stride >= bytesPerRow && pixels.byteCount >= (rows - 1) * stride + bytesPerRow,
      "rows reach beyond their memory")
    pixels.withUnsafeBytes { memory in
      guard var row = memory.baseAddress else { return }
      encodeRow(row)
      for _ in 1..<rows {
        let last = row
        row += stride
        // With dithering, equal rows of gray become different rows of dots.
        if diffusion == nil, memcmp(last, row, bytesPerRow) == 0 {
          repeatLine()
        } else {
          encodeRow(row)
        }
      }
    }
    remaining -= rows
  }

  /// Adds `rows` white rows: for the blank back of a sheet, and around a page's content.
  package mutating func encodeBlank(rows: Int) {
    precondition(rows >= 0 && rows <= remaining, "more rows than the page has lines")
    guard rows > 0 else { return }
    diffusion?.skipWhite(rows: rows)
    conversion.blank(byteCount: bytesPerLine, to: next.base)
    encodeNext()
    for _ in 1..<rows { repeatLine() }
    remaining -= rows
  }

  /// Passes all finished bytes to `body` and drops them, unless it throws.
  ///
  /// Once the page `isComplete`, these are all of them.
  package mutating func drain<Problem: Error>(
    _ body: (RawSpan) throws(Problem) -> Void
  ) throws(Problem) {
    let ready = isComplete ? output.count : lastCode ?? output.count
    try body(UnsafeRawBufferPointer(start: output.base, count: ready).bytes)
    output.removeFirst(ready)
    if let lastCode { self.lastCode = isComplete ? nil : lastCode - ready }
  }

  private mutating func encodeRow(_ row: UnsafeRawPointer) {
    conversion.convert(row, width: page.width, to: next.base, &diffusion)
    encodeNext()
  }

  /// Packs the line in `next`, unless it repeats the last one: different rows may convert to equal lines, and the first
  /// row of a band can't be compared with its predecessor otherwise.
  private mutating func encodeNext() {
    if lastCode != nil, memcmp(line.base, next.base, bytesPerLine) == 0 { return repeatLine() }
    swap(&line, &next)
    let room = max(
      LineCoder<UInt8>.room(count: bytesPerLine), LineCoder<UInt32>.room(count: page.width))
    let start = output.reserve(1 + room)
    start.pointee = 0
    let end =
      switch page.pixels {
      case .srgb24: LineCoder<UInt32>.encode(line.base, count: page.width, to: start + 1)
      case .cmyk32: LineCoder<UInt64>.encode(line.base, count: page.width, to: start + 1)
      default: LineCoder<UInt8>.encode(line.base, count: bytesPerLine, to: start + 1)
      }
    lastCode = output.count
    output.advance(to: end)
  }

  private mutating func repeatLine() {
    guard let lastCode else { return }
    if output.base[lastCode] < 255 {
      output.base[lastCode] += 1
    } else {
      self.lastCode = output.count
      output.repeatTail(from: lastCode)
      output.base[self.lastCode ?? 0] = 0
    }
  }
}
