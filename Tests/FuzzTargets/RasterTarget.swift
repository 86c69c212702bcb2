import PrintModel
import Raster

extension FuzzTarget {
  /// URF and PWG Raster of other programs: scanned as for pass-through, and drawn.
  static let raster = FuzzTarget("raster") { bytes in
    do throws(Failure) {
      var reader = try RasterReader(bytes)
      let pages = try reader.scan()
      promise(!pages.contains { $0.width <= 0 || $0.height <= 0 }, "a page of no size")
    } catch {
      promise(error.message.hasSuffix("."), error.message)
    }
    // A line of two bytes can represent a megabyte of white, so the drawn amount is limited.
    var room = 1 << 22
    do throws(Failure) {
      var reader = try RasterReader(bytes)
      while room > 0, let page = try reader.nextPage() {
        var rows = 0
        while room > 0, let count = try reader.nextLine() {
          promise(reader.line.count == page.width * reader.channels, "a line of \(page)")
          rows += count
          room -= reader.line.count + 256
        }
        promise(rows <= page.height, "\(rows) rows of \(page)")
      }
    } catch {
      promise(error.message.hasSuffix("."), error.message)
    }
  }
}
