internal import Glibc
package import PrintModel
package import Raster
internal import Synchronization

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
