internal import CCups
internal import CPixbuf
import CGLib
import Glibc
import TestSupport

/// A side of a raster that airprint wrote, as libcups reads it.
struct Sheet: Sendable {
  var width: Int
  var height: Int
  /// The bytes per pixel: 1 for gray, 3 for color.
  var bytesPerPixel: Int
  var resolution: Int
  var isDuplex: Bool
  var isTumble: Bool
  /// The page size in PWG Raster, in points.
  var pageSize: (width: Int, height: Int)
  /// PWG Raster's TotalPageCount.
  var totalPages: Int
  /// PWG Raster's CrossFeedTransform and FeedTransform.
  var transforms: [Int]
  /// PWG Raster's CutMedia.
  var cutMedia: Int
  /// Rows of `width * bytesPerPixel` bytes.
  private(set) var pixels: [UInt8]

  /// Reads all sides of a URF or PWG Raster file.
  static func read(_ path: String) throws -> [Sheet] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, let raster = cupsRasterOpen(descriptor, CUPS_RASTER_READ) else {
      throw Missing("a raster in \(path)")
    }
    defer {
      cupsRasterClose(raster)
      close(descriptor)
    }
    var sheets: [Sheet] = []
    var header = cups_page_header2_t()
    while cupsRasterReadHeader2(raster, &header) != 0 {
      var sheet = Sheet(header)
      let length = UInt32(sheet.pixels.count)
      guard cupsRasterReadPixels(raster, &sheet.pixels, length) == length else {
        throw Missing("the whole of side \(sheets.count + 1)")
      }
      sheets.append(sheet)
    }
    return sheets
  }

  private init(_ header: cups_page_header2_t) {
    width = Int(header.cupsWidth)
    height = Int(header.cupsHeight)
    bytesPerPixel = Int(header.cupsBitsPerPixel) / 8
    resolution = Int(header.HWResolution.0)
    isDuplex = header.Duplex == CUPS_TRUE
    isTumble = header.Tumble == CUPS_TRUE
    pageSize = (Int(header.PageSize.0), Int(header.PageSize.1))
    totalPages = Int(header.cupsInteger.0)
    transforms = [header.cupsInteger.1, header.cupsInteger.2].map { Int(Int32(bitPattern: $0)) }
    cutMedia = Int(header.CutMedia.rawValue)
    pixels = Array(repeating: 0, count: Int(header.cupsBytesPerLine) * height)
  }

  /// Reads a PNG or JPEG as a color side of this resolution in dots per inch.
  init(picture bytes: [UInt8], resolution: Int) throws {
    guard let loader = gdk_pixbuf_loader_new() else { throw Missing("a loader of pictures") }
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    guard gdk_pixbuf_loader_write(loader, bytes, gsize(bytes.count), nil) != 0,
      gdk_pixbuf_loader_close(loader, nil) != 0, let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader),
      let base = gdk_pixbuf_get_pixels(pixbuf)
    else { throw Missing("a picture in \(bytes.count) bytes") }
    width = Int(gdk_pixbuf_get_width(pixbuf))
    height = Int(gdk_pixbuf_get_height(pixbuf))
    let channels = Int(gdk_pixbuf_get_n_channels(pixbuf))
    let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    bytesPerPixel = 3
    self.resolution = resolution
    (isDuplex, isTumble, totalPages, transforms, cutMedia) = (false, false, 1, [], 0)
    pageSize = (0, 0)
    pixels = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      let row = UnsafeBufferPointer(start: base + y * stride, count: width * channels)
      if channels == 3 {
        pixels += row
      } else {
        for x in 0..<width { pixels += row[x * channels..<x * channels + 3] }
      }
    }
  }

  /// The bounding box of everything that is printed, in points from the top left; nil for a blank side.
  var ink: Ink? {
    let line = width * bytesPerPixel
    var (left, right, top, bottom) = (line, -1, -1, -1)
    marked(rows: 0..<height) { y, row in
      var (first, last) = (0, line - 1)
      while first < line, row[first] >= 128 { first += 1 }
      guard first < line else { return }
      while row[last] >= 128 { last -= 1 }
      if top < 0 { top = y }
      bottom = y
      left = min(left, first / bytesPerPixel)
      right = max(right, last / bytesPerPixel)
    }
    guard top >= 0 else { return nil }
    let scale = 72 / Double(resolution)
    return Ink(
      left: Double(left) * scale, top: Double(top) * scale, right: Double(right + 1) * scale,
      bottom: Double(bottom + 1) * scale)
  }
}

extension Sheet {
  /// Visits the rows that are not white.
  ///
  /// Most rows of a page are, and memcmp is faster than an unoptimized loop. A `while` loop is faster than `for`, for the
  /// same reason.
  func marked(rows: Range<Int>, _ visit: (Int, UnsafePointer<UInt8>) -> Void) {
    let line = width * bytesPerPixel
    let white = [UInt8](repeating: 255, count: line)
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      for y in rows where memcmp(base + y * line, white, line) != 0 { visit(y, base + y * line) }
    }
  }
}

/// The bounding box of everything that is printed, in points.
struct Ink: Equatable, CustomStringConvertible {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  /// Returns true if it is this rectangle, to a third of a millimeter.
  func isAt(_ left: Double, _ top: Double, _ width: Double, _ height: Double) -> Bool {
    func near(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1 }
    return near(self.left, left) && near(self.top, top) && near(right, left + width)
      && near(bottom, top + height)
  }

  var description: String { "(\(left), \(top), \(right - left), \(bottom - top))" }
}
