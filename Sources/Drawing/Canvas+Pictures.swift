internal import CCairo
internal import CPNG
internal import LateLibraries
package import PrintModel

// Canvases as pictures for people, and for printers that only accept JPEG.

extension Canvas {
  /// Removes the colors, as a gray printer would.
  package func makeGray() {
    changePixels(0..<width, 0..<height) { red, green, blue in
      let gray = (red * 77 + green * 150 + blue * 29 + 128) >> 8
      return (gray, gray, gray)
    }
  }

  /// Tints everything outside `printable` (points), which the printer can't reach; what was drawn there stays visible.
  package func tintMargins(outside printable: Rectangle, _ resolution: Resolution) {
    changeMargins(outside: printable, resolution) { red, green, blue in
      (red * 15 / 16, green * 13 / 16, blue * 13 / 16 + 12)
    }
  }

  /// Makes everything outside `printable` (points) white: no ink gets there.
  package func whitenMargins(outside printable: Rectangle, _ resolution: Resolution) {
    changeMargins(outside: printable, resolution) { _, _, _ in (255, 255, 255) }
  }

  private func changeMargins(
    outside printable: Rectangle, _ resolution: Resolution,
    _ change: (UInt32, UInt32, UInt32) -> (UInt32, UInt32, UInt32)
  ) {
    let scale = (x: Double(resolution.x) / 72, y: Double(resolution.y) / 72)
    let right = ((printable.x + printable.width) * scale.x).rounded(.up)
    let bottom = ((printable.y + printable.height) * scale.y).rounded(.up)
    let columns = (Int(printable.x * scale.x)..<Int(right)).clamped(to: 0..<width)
    let rows = (Int(printable.y * scale.y)..<Int(bottom)).clamped(to: 0..<height)
    changePixels(0..<width, 0..<rows.lowerBound, change)
    changePixels(0..<columns.lowerBound, rows, change)
    changePixels(columns.upperBound..<width, rows, change)
    changePixels(0..<width, rows.upperBound..<height, change)
  }

  /// A kind of sheet edge.
  package enum Edge: Sendable {
    case sheet
    /// A roll: its sides are the paper's edges; its cut ends are dashed.
    case cut
    /// A sheet printed up to its edges.
    case borderless
  }

  /// Draws the sheet's edge as a line of one pixel, to set it off from its surroundings: gray, or blue if it is printed
  /// up to its edges.
  package func outline(_ edge: Edge = .sheet) {
    let color: (UInt32, UInt32, UInt32) = edge == .borderless ? (60, 120, 220) : (160, 160, 160)
    for column in [0..<1, width - 1..<width] {
      changePixels(column, 0..<height) { _, _, _ in color }
    }
    for row in [0..<1, height - 1..<height] {
      for start in Swift.stride(from: 0, to: width, by: edge == .cut ? 16 : width) {
        changePixels(start..<min(width, start + (edge == .cut ? 8 : width)), row) { _, _, _ in color
        }
      }
    }
  }

  private func changePixels(
    _ columns: Range<Int>, _ rows: Range<Int>,
    _ change: (UInt32, UInt32, UInt32) -> (UInt32, UInt32, UInt32)
  ) {
    withMutablePixels { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      for row in rows {
        for column in columns {
          let pixel = pixels[row * width + column]
          let (red, green, blue) = change(pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
          pixels[row * width + column] = red << 16 | green << 8 | blue
        }
      }
    }
  }

  /// The bitmap as a PNG file that states its resolution; in gray if it has no color, which takes a third of the bytes.
  ///
  /// Throws exit 70 when memory runs out.
  package func png(_ resolution: Resolution) throws(Failure) -> [UInt8] {
    try GraphicsLibraries.png.load()
    func perMeter(_ dots: Int) -> UInt32 { UInt32((Double(dots) / 0.0254).rounded()) }
    var file: [UInt8] = []
    let isWritten = withPixels { pixels in
      let isGray = pixels.bindMemory(to: UInt32.self).allSatisfy {
        $0 & 0xFF_FFFF == ($0 & 0xFF) * 0x01_0101
      }
      return withUnsafeMutablePointer(to: &file) { file in
        png_file_write(
          { png, data, length in
            guard let data,
              let file = png_get_io_ptr(png)?.assumingMemoryBound(to: [UInt8].self)
            else { return }
            file.pointee.append(contentsOf: UnsafeBufferPointer(start: data, count: length))
          }, file, pixels.bindMemory(to: UInt8.self).baseAddress, stride, UInt32(width),
          UInt32(height), isGray ? 1 : 0, perMeter(resolution.x), perMeter(resolution.y))
      }
    }
    guard isWritten != 0 else { throw .fault("There is no memory for a PNG file.") }
    return file
  }
}
