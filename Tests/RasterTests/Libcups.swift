// libcups as the reference: it reads our bytes, and writes bytes for us to read.

internal import CCups
import PrintModel
import Raster
import TestSupport

enum Libcups {
  /// A page as libcups decodes it.
  struct Page {
    var header: cups_page_header2_t
    var pixels: [UInt8]
  }

  /// Decodes all pages of raster data.
  ///
  /// Throws if a line is missing or bytes are left over.
  static func read(_ bytes: [UInt8]) throws -> [Page] {
    try decodeRaster(bytes).map { page in
      Page(
        header: page.header.withUnsafeBytes { $0.loadUnaligned(as: cups_page_header2_t.self) },
        pixels: page.pixels)
    }
  }

  /// Writes a file of pages with the same header.
  ///
  /// `pixels` has the rows of all of them.
  static func write(
    _ header: cups_page_header2_t, pages: Int, pixels: [UInt8], format: RasterFormat
  ) throws -> [UInt8] {
    var header = header
    header.cupsInteger.0 = UInt32(pages)
    let stream = Stream()
    guard
      let raster = stream.open(format == .urf ? CUPS_RASTER_WRITE_APPLE : CUPS_RASTER_WRITE_PWG)
    else { throw OracleError("no stream") }
    defer { withExtendedLifetime(stream) { cupsRasterClose(raster) } }
    let length = pixels.count / pages
    for page in 0..<pages {
      var pixels = Array(pixels[page * length..<(page + 1) * length])
      guard cupsRasterWriteHeader2(raster, &header) != 0,
        cupsRasterWritePixels(raster, &pixels, UInt32(length)) == length
      else { throw OracleError("page \(page + 1) was not written") }
    }
    return stream.bytes
  }

  /// Returns the header from cupsRasterInitPWGHeader; `back` is nil for a front side.
  static func header(
    media: String, type: String, resolution: Resolution, sides: Sides = .oneSided,
    back: SheetBack? = nil
  ) throws -> cups_page_header2_t {
    var header = cups_page_header2_t()
    guard let size = pwgMediaForPWG(media),
      cupsRasterInitPWGHeader(
        &header, size, type, Int32(resolution.x), Int32(resolution.y), sides.rawValue,
        back?.rawValue) != 0
    else { throw OracleError("\(media) as \(type)") }
    return header
  }

  static func size(of media: String) throws -> MediaSize {
    guard let size = pwgMediaForPWG(media) else { throw OracleError(media) }
    return MediaSize(
      width: Hundredths(Int(size.pointee.width)), length: Hundredths(Int(size.pointee.length)))
  }

  /// Returns a header for pages of any size.
  static func header(type: String, width: Int, height: Int, dpi: Int) throws -> cups_page_header2_t
  {
    var header = try header(
      media: "iso_a4_210x297mm", type: type, resolution: Resolution(dpi))
    header.cupsWidth = UInt32(width)
    header.cupsHeight = UInt32(height)
    header.cupsBytesPerLine = (header.cupsWidth * header.cupsBitsPerPixel + 7) / 8
    return header
  }

  struct OracleError: Error {
    var message: String
    init(_ message: String) { self.message = message }
  }

  /// The output of libcups.
  fileprivate final class Stream {
    var bytes: [UInt8] = []

    /// Opens the stream, which must live until the raster is closed.
    func open(_ mode: cups_mode_t) -> OpaquePointer? {
      cupsRasterOpenIO(push, Unmanaged.passUnretained(self).toOpaque(), mode)
    }
  }
}

private func push(
  _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ length: Int
) -> Int {
  guard let context else { return -1 }
  Unmanaged<Libcups.Stream>.fromOpaque(context).takeUnretainedValue()
    .bytes.append(contentsOf: UnsafeBufferPointer(start: buffer, count: length))
  return length
}

/// Returns the C string in a header's array of characters.
func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
