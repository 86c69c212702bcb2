internal import CCairo
package import DocumentBytes
internal import Drawing
package import PrintModel
internal import Raster

/// URF or PWG Raster from another program: pages of pixels.
package final class RasterPages: Pages {
  private let file: MappedFile
  private let headers: [RasterPage]

  /// Scans the whole file, so that a truncated one is refused before a printer is contacted.
  package init(_ file: MappedFile) throws(Failure) {
    self.file = file
    var reader = try RasterReader(file.bytes)
    headers = try reader.scan()
    guard !headers.isEmpty else { throw Failure(.document, "The raster file has no pages.") }
  }

  package var count: Int { headers.count }

  /// Common properties of the pages; nil when they differ, or their pixels have a format that few printers accept.
  package var facts: DocumentInfo.Raster? {
    guard let first = headers.first, first.pixels == .gray8 || first.pixels == .srgb24,
      headers.allSatisfy({
        $0.resolution == first.resolution && $0.pixels == first.pixels && $0.sides == first.sides
          && $0.copies <= 1
      })
    else { return nil }
    return DocumentInfo.Raster(
      resolution: first.resolution, isGray: first.pixels == .gray8, sides: first.sides,
      turnsBacks: headers.contains { $0.turn != .none })
  }

  package func size(of index: Int) -> PageSize {
    let page = headers[index]
    return PageSize(
      width: Double(page.width) * 72 / Double(page.resolution.x),
      height: Double(page.height) * 72 / Double(page.resolution.y))
  }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    let bitmap = try decoded(index)
    let resolution = headers[index].resolution
    cairo_scale(context, 72 / Double(resolution.x), 72 / Double(resolution.y))
    cairo_set_source_surface(context, bitmap.surface, 0, 0)
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
    cairo_paint(context)
  }

  /// The pixels of one page.
  private func decoded(_ index: Int) throws(Failure) -> Bitmap {
    let header = headers[index]
    guard let bitmap = try? Bitmap(width: header.width, height: header.height) else {
      throw Failure(.document, "Page \(index + 1) is too large to be drawn.")
    }
    var reader = try RasterReader(file.bytes)
    for _ in 0...index { _ = try reader.nextPage() }
    var row = 0
    while let rows = try reader.nextLine() {
      for _ in 0..<rows where row < header.height {
        RasterPages.copy(reader.line, reader.channels, to: bitmap.row(row), header.width)
        row += 1
      }
    }
    return bitmap
  }

  private static func copy(
    _ line: [UInt8], _ channels: Int, to target: UnsafeMutablePointer<UInt32>, _ width: Int
  ) {
    for column in 0..<width {
      let first = UInt32(line[column * channels])
      target[column] =
        channels == 1
        ? first * 0x01_0101
        : first << 16 | UInt32(line[column * 3 + 1]) << 8 | UInt32(line[column * 3 + 2])
    }
  }
}
