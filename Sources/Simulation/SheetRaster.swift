internal import Glibc
package import PrintModel
package import Raster
internal import Synchronization

/// The raster that a printer prints, decoded elsewhere: it comes from an unknown sender.
///
/// It belongs to one thread.
package protocol SheetRaster {
  /// The number of pages that its first bytes announce, once the first page is known.
  var announcedPages: Int? { get }
  /// The header of the next page, its pixels gray or red, green and blue; nil behind the last.
  ///
  /// Exit 65 for what is no raster, or is damaged.
  func nextPage() throws(Failure) -> RasterPage?
  /// The page's next line, and how many rows are like it; nil when it is complete.
  func nextLine() throws(Failure) -> (pixels: [UInt8], rows: Int)?
}

/// The bytes of a raster, from the first to the last.
final class SheetBytes: Sendable {
  private let place = Mutex(0)
  private let read: @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int
  private let file: Int32

  /// - `read`: gives what there is at a place, waiting for it, and 0 at the end.
  init(_ read: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int) {
    self.read = read
    file = -1
  }

  /// An open file's, which it closes in the end.
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
