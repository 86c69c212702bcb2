internal import CCups
import Glibc

/// A page of URF or PWG Raster as libcups' reader decodes it: the reference for what a printer gets.
package struct PrintedPage: Sendable {
  package let width: Int
  package let height: Int
  /// The resolution in dots per inch.
  package let resolution: (x: Int, y: Int)
  package let bytesPerLine: Int
  /// The number of color channels: 1 for gray, 3 for color.
  package let channels: Int
  /// The `cups_page_header2_t` as it is in memory, for tests that check its other fields.
  package let header: [UInt8]
  /// The lines, `bytesPerLine` apart.
  package let pixels: [UInt8]

  /// Returns red, green and blue (or three times gray) of a pixel; white is 255 each.
  package subscript(x: Int, y: Int) -> [UInt8] {
    let start = y * bytesPerLine + x * channels
    return channels == 1
      ? Array(repeating: pixels[start], count: 3) : Array(pixels[start..<start + 3])
  }

  package func isDark(_ x: Int, _ y: Int) -> Bool { self[x, y].allSatisfy { $0 < 64 } }
  package func isWhite(_ x: Int, _ y: Int) -> Bool { self[x, y].allSatisfy { $0 == 255 } }
  /// True if the page is blank.
  package var isBlank: Bool { pixels.allSatisfy { $0 == 255 } }

  /// The `sides` keyword of the header's Duplex and Tumble.
  package var sides: String {
    let header = self.header.withUnsafeBytes { $0.loadUnaligned(as: cups_page_header2_t.self) }
    guard header.Duplex == CUPS_TRUE else { return "one-sided" }
    return header.Tumble == CUPS_TRUE ? "two-sided-short-edge" : "two-sided-long-edge"
  }
}

/// Decodes all pages of raster data; throws if a line is missing or bytes are left over.
package func decodeRaster(_ bytes: [UInt8]) throws -> [PrintedPage] {
  let source = Source(bytes)
  let context = Unmanaged.passUnretained(source).toOpaque()
  guard let raster = cupsRasterOpenIO(pull, context, CUPS_RASTER_READ) else {
    throw Missing("raster data")
  }
  defer { withExtendedLifetime(source) { cupsRasterClose(raster) } }
  var pages: [PrintedPage] = []
  var header = cups_page_header2_t()
  while cupsRasterReadHeader2(raster, &header) != 0 {
    let length = Int(header.cupsBytesPerLine)
    var line = [UInt8](repeating: 0xAA, count: length)
    var pixels: [UInt8] = []
    for y in 0..<Int(header.cupsHeight) {
      guard cupsRasterReadPixels(raster, &line, UInt32(length)) == length else {
        throw Missing("line \(y + 1) of page \(pages.count + 1)")
      }
      pixels += line
    }
    pages.append(
      PrintedPage(
        width: Int(header.cupsWidth), height: Int(header.cupsHeight),
        resolution: (Int(header.HWResolution.0), Int(header.HWResolution.1)),
        bytesPerLine: length, channels: Int(max(1, header.cupsNumColors)),
        header: withUnsafeBytes(of: header) { Array($0) }, pixels: pixels))
  }
  guard source.position == bytes.count else { throw Missing("an end: bytes are left over") }
  return pages
}

/// Returns the number of pages in a URF file's header, which libcups' reader does not return.
package func announcedPages(_ urf: [UInt8]) -> Int? {
  guard urf.count >= 12, urf.starts(with: Array("UNIRAST\0".utf8)) else { return nil }
  return urf[8..<12].reduce(0) { $0 << 8 | Int($1) }
}

private final class Source {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

private func pull(
  _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ length: Int
) -> Int {
  guard let context, let buffer else { return -1 }
  let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
  let count = min(length, source.bytes.count - source.position)
  source.bytes.withUnsafeBufferPointer {
    if let base = $0.baseAddress { buffer.update(from: base + source.position, count: count) }
  }
  source.position += count
  return count
}
