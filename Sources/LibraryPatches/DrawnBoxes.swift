internal import CLibraryPatches

/// What libraries that draw text and pictures leave out without an error: characters that no font has, which Pango draws
/// as boxes, those of a PDF that its font lacks, and pictures that gdk-pixbuf can't decode, which librsvg leaves out.
package enum DrawnBoxes {
  private static let hasBoxes = PerThread(false)
  private static let hasBadPicture = PerThread(false)
  private static let drawings = PerThread<[[UInt8]]>([])

  /// Most bytes of drawings that are kept.
  private static let longest = 4 << 20

  /// True if boxes were drawn in the place of characters since the last call.
  package static func take() -> Bool {
    defer { hasBoxes.value = false }
    return hasBoxes.value
  }

  /// True if visible characters of a PDF were without a glyph of their font since the last call.
  package static func takeLackOfGlyphs() -> Bool { glyphs_take(no_glyph) != 0 }

  /// True if a picture could not be decoded since the last call.
  package static func takeBadPicture() -> Bool {
    defer { hasBadPicture.value = false }
    return hasBadPicture.value
  }

  /// Drawings that librsvg had gdk-pixbuf draw as pictures of another since the last call: they load no files.
  package static func takeDrawings() -> [[UInt8]] {
    defer { drawings.value = [] }
    return drawings.value
  }

  fileprivate static func keepDrawing(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= longest,
      bytes.prefix(4_096).split(separator: UInt8(ascii: "<")).contains(where: {
        $0.starts(with: "svg".utf8)
      }), !drawings.value.contains(where: { $0.elementsEqual(bytes) }),
      drawings.value.reduce(bytes.count, { $0 + $1.count }) <= longest
    else { return }
    drawings.value.append(Array(bytes))
  }

  fileprivate typealias LayoutFunction = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
  fileprivate static let ownLayout: LayoutFunction? = libraryFunction("pango_cairo_show_layout")
  fileprivate static let ownPath: LayoutFunction? = libraryFunction("pango_cairo_layout_path")
  fileprivate static let ownLine: LayoutFunction? = libraryFunction("pango_cairo_show_layout_line")
  private static let boxes: (@convention(c) (OpaquePointer?) -> Int32)? =
    libraryFunction("pango_layout_get_unknown_glyphs_count")

  fileprivate static func note(_ layout: OpaquePointer?) {
    if let layout, !hasBoxes.value, let boxes, boxes(layout) > 0 { hasBoxes.value = true }
  }

  fileprivate typealias WriteFunction =
    @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int, OpaquePointer?) -> Int32
  fileprivate typealias CloseFunction = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
  fileprivate static let ownWrite: WriteFunction? = libraryFunction("gdk_pixbuf_loader_write")
  fileprivate static let ownClose: CloseFunction? = libraryFunction("gdk_pixbuf_loader_close")

  fileprivate static func noteBad(_ result: Int32) -> Int32 {
    if result == 0 { hasBadPicture.value = true }
    return result
  }

  /// True for a whole file of PNG or JPEG without its end, of which gdk-pixbuf decodes what is there, and says nothing.
  fileprivate static func isCut(_ bytes: UnsafeRawBufferPointer) -> Bool {
    func lacks(_ end: [UInt8], in part: Slice<UnsafeRawBufferPointer>) -> Bool {
      let part = UnsafeRawBufferPointer(rebasing: part)
      return !part.indices.contains { part[$0] == end[0] && part[$0...].starts(with: end) }
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      return lacks(Array("IEND".utf8), in: bytes.suffix(4_096))
    }
    // The end of a small picture in front is none.
    return bytes.starts(with: [0xFF, 0xD8])
      && lacks([0xFF, 0xD9], in: bytes.suffix(bytes.count / 2))
  }
}

/// Replaces Pango's function (see `DrawnBoxes`).
@_cdecl("pango_cairo_show_layout")
public func showLayout(_ context: OpaquePointer?, _ layout: OpaquePointer?) {
  DrawnBoxes.note(layout)
  DrawnBoxes.ownLayout?(context, layout)
}

/// Replaces Pango's function (see `DrawnBoxes`).
@_cdecl("pango_cairo_layout_path")
public func addLayoutPath(_ context: OpaquePointer?, _ layout: OpaquePointer?) {
  DrawnBoxes.note(layout)
  DrawnBoxes.ownPath?(context, layout)
}

/// Replaces Pango's function (see `DrawnBoxes`); a line begins with its layout.
@_cdecl("pango_cairo_show_layout_line")
public func showLine(_ context: OpaquePointer?, _ line: OpaquePointer?) {
  DrawnBoxes.note(line.flatMap { UnsafeRawPointer($0).load(as: OpaquePointer?.self) })
  DrawnBoxes.ownLine?(context, line)
}

/// Replaces gdk-pixbuf's function (see `DrawnBoxes`).
@_cdecl("gdk_pixbuf_loader_write")
public func writePicture(
  _ loader: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ count: Int, _ problem: OpaquePointer?
) -> Int32 {
  // librsvg has the whole file, and writes it at once.
  let file = UnsafeRawBufferPointer(start: bytes, count: count)
  if DrawnBoxes.isCut(file) { _ = DrawnBoxes.noteBad(0) }
  DrawnBoxes.keepDrawing(file)
  return DrawnBoxes.noteBad(DrawnBoxes.ownWrite?(loader, bytes, count, problem) ?? 0)
}

/// Replaces gdk-pixbuf's function (see `DrawnBoxes`).
@_cdecl("gdk_pixbuf_loader_close")
public func closePicture(_ loader: OpaquePointer?, _ problem: OpaquePointer?) -> Int32 {
  DrawnBoxes.noteBad(DrawnBoxes.ownClose?(loader, problem) ?? 0)
}
