package import PrintModel

/// Reads the pages of an untrusted URF or PWG Raster file.
///
///     var reader = try RasterReader(pulling: pull)
///     while let page = try reader.nextPage() {
///       while let rows = try reader.nextLine() { show(reader.line, rows) }
///     }
///
/// Nothing in the file is trusted: header values are checked before memory is allocated, a line uses no more than its
/// header states, and every error names its page and line. Any data after a page is read as another page. It is not
/// thread-safe.
package struct RasterReader: ~Copyable {
  /// Fills some or all of the memory and returns the number of bytes; 0 at the end.
  package typealias Pull = (UnsafeMutableRawBufferPointer) throws(Failure) -> Int

  package let format: RasterFormat
  /// Number of pages announced by the head of a URF file; nil if it announces none, and for PWG.
  package let announcedPages: Int?
  /// The current page, from 1; 0 before the first.
  package private(set) var pageNumber = 0
  package private(set) var page: RasterPage?
  /// Pixels of the line decoded by `nextLine()`, `channels` bytes each, from left to right.
  ///
  /// In gray, 255 is white; colors are red, green, blue.
  package private(set) var line: [UInt8] = []
  /// Bytes for each pixel of `line`: 1 or 3; 0 if the page's pixels can't be decoded.
  package var channels: Int { decoder?.channels ?? 0 }

  private var source: ByteSource
  private var decoder: PixelDecoder?
  /// The line as it is stored.
  private var stored: [UInt8] = []
  private var rowsRead = 0

  /// Reads the head of a stream whose bytes `pull` returns.
  ///
  /// - Throws: exit 65 for other data; what `pull` throws.
  package init(pulling pull: @escaping Pull) throws(Failure) {
    var source = ByteSource(pull)
    let head = try RasterReader.readHead(of: &source)
    self.init(source, head.format, announcedPages: head.pages)
  }

  /// Reads the head of a file in memory; the memory of a buffer must stay valid.
  ///
  /// - Throws: exit 65 for other data.
  package init(_ bytes: some RandomAccessCollection<UInt8>) throws(Failure) {
    var rest = bytes[...]
    try self.init { memory in
      let piece = rest.prefix(memory.count)
      memory.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  /// The part of the initializer that can't throw: Swift 6.2 rejects a throwing initializer that has already set
  /// members.
  private init(_ source: consuming ByteSource, _ format: RasterFormat, announcedPages: Int?) {
    self.format = format
    self.announcedPages = announcedPages
    self.source = source
  }

  private static func readHead(
    of source: inout ByteSource
  ) throws(Failure) -> (format: RasterFormat, pages: Int?) {
    var head = [UInt8](repeating: 0, count: 12)
    let nothing = Failure(.document, "This is neither Apple Raster (URF) nor PWG Raster data.")
    guard try source.read(into: &head, 0..<4) else { throw nothing }
    if head.starts(with: pwgMagic) { return (.pwg, nil) }
    guard try source.read(into: &head, 4..<12), head.starts(with: urfMagic) else { throw nothing }
    let pages = Int(head.load(at: 8))
    return (.urf, pages == 0 ? nil : pages)
  }

  /// The header of the next page, or nil after the last.
  ///
  /// Unread lines of the current page must be parsed, without storing them, because the format contains no lengths.
  ///
  /// - Throws: exit 65 if it is cut off, damaged or too large, or has pixels that are not supported; with the page.
  package mutating func nextPage() throws(Failure) -> RasterPage? {
    while try readLine(storing: false) != nil {}
    page = nil
    guard try source.hasMore() else { return nil }
    pageNumber += 1
    var bytes = [UInt8](repeating: 0, count: format.pageHeaderLength)
    guard try source.read(into: &bytes, bytes.indices) else {
      throw .document("The data ends in the header of page \(pageNumber).")
    }
    let header = format == .urf ? RasterPage(urf: bytes) : RasterPage(pwg: bytes)
    try header.check(page: pageNumber)
    guard format == .urf ? header.isConsistent(urf: bytes) : header.isConsistent(pwg: bytes) else {
      throw .document("The header of page \(pageNumber) contradicts itself.")
    }
    page = header
    decoder = PixelDecoder(header.pixels)
    rowsRead = 0
    return header
  }

  /// Decodes the next line into `line` and returns the number of consecutive rows that it stands for, or nil when the
  /// page is complete.
  ///
  /// - Throws: exit 65 as `nextPage`, with page and line.
  package mutating func nextLine() throws(Failure) -> Int? {
    guard let page else { return nil }
    guard let decoder else {
      throw .document(
        "Page \(pageNumber) has pixels of \(page.pixels.colors) × \(page.pixels), which airprint can't show."
      )
    }
    guard let rows = try readLine(storing: true) else { return nil }
    decoder.decode(stored, width: page.width, to: &line)
    return rows
  }

  /// The headers of all remaining pages.
  ///
  /// - Throws: exit 65 as `nextPage`, or when there are more than `limit` pages.
  package mutating func scan(limit: Int = 100_000) throws(Failure) -> [RasterPage] {
    var pages: [RasterPage] = []
    while let page = try nextPage() {
      guard pages.count < limit else {
        throw .document("The data has more than \(limit) pages.")
      }
      pages.append(page)
    }
    return pages
  }
}

// MARK: Lines

extension RasterReader {
  /// Reads one line's codes, into `stored` if `storing`, and returns the number of rows that it stands for; nil when
  /// the page is complete, and before the first.
  private mutating func readLine(storing: Bool) throws(Failure) -> Int? {
    guard let page, rowsRead < page.height else { return nil }
    let length = page.pixels.bytesPerLine(width: page.width)
    let unit = page.pixels.bytesPerUnit
    if storing, stored.count != length { stored = [UInt8](repeating: 0, count: length) }
    let rows = Int(try nextByte()) + 1
    var place = 0
    while place < length {
      let code = Int(try nextByte())
      let count =
        switch code {
        case 128: length - place
        case 129...: (257 - code) * unit
        default: (code + 1) * unit
        }
      guard place + count <= length else {
        throw failure("has more pixels than its page is wide")
      }
      try readRun(code, at: place..<place + count, unit: unit, storing: storing)
      place += count
    }
    // libcups accepts a line that repeats beyond the page's end, and the excess has no effect.
    let taken = min(rows, page.height - rowsRead)
    rowsRead += taken
    return taken
  }

  /// Reads the data of `code` and stores the bytes that it stands for at `range`.
  private mutating func readRun(
    _ code: Int, at range: Range<Int>, unit: Int, storing: Bool
  ) throws(Failure) {
    let start = range.lowerBound
    switch code {
    case 128:
      guard storing, let page else { return }
      let white: UInt8 = page.pixels.space.isAdditive ? 0xFF : 0
      for index in range { stored[index] = white }
    case 129...:
      let isThere = try storing ? source.read(into: &stored, range) : source.skip(range.count)
      guard isThere else { throw shortData() }
    default:
      guard storing else {
        guard try source.skip(unit) else { throw shortData() }
        return
      }
      guard try source.read(into: &stored, start..<start + unit) else { throw shortData() }
      for index in start + unit..<range.upperBound { stored[index] = stored[index - unit] }
    }
  }

  private mutating func nextByte() throws(Failure) -> UInt8 {
    guard let byte = try source.next() else { throw shortData() }
    return byte
  }

  private func shortData() -> Failure { failure("is cut off: the data ends") }

  private func failure(_ what: String) -> Failure {
    Failure.document("Line \(rowsRead + 1) of page \(pageNumber) \(what).")
  }
}

/// Sequential bytes, pulled in as they are needed.
///
/// Reading past the end returns nothing and is not an error here.
struct ByteSource: ~Copyable {
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var position = 0
  private var end = 0
  private let pull: RasterReader.Pull

  init(_ pull: @escaping RasterReader.Pull) { self.pull = pull }

  /// True when at least one more byte is available.
  mutating func hasMore() throws(Failure) -> Bool {
    if position < end { return true }
    let got = try buffer.withUnsafeMutableBufferPointer { (memory) throws(Failure) in
      try pull(UnsafeMutableRawBufferPointer(memory))
    }
    precondition((0...buffer.count).contains(got), "more bytes than there was memory for")
    position = 0
    end = got
    return got > 0
  }

  /// The next byte; nil at the end.
  mutating func next() throws(Failure) -> UInt8? {
    guard try hasMore() else { return nil }
    position += 1
    return buffer[position - 1]
  }

  /// Overwrites `range` of `target`; false when fewer bytes are left.
  mutating func read(into target: inout [UInt8], _ range: Range<Int>) throws(Failure) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      guard try hasMore() else { return false }
      let count = min(range.upperBound - start, end - position)
      target.replaceSubrange(start..<start + count, with: buffer[position..<position + count])
      start += count
      position += count
    }
    return true
  }

  /// Skips `count` bytes; false when fewer bytes are left.
  mutating func skip(_ count: Int) throws(Failure) -> Bool {
    var left = count
    while left > 0 {
      guard try hasMore() else { return false }
      let step = min(left, end - position)
      left -= step
      position += step
    }
    return true
  }
}
