internal import CLibraryPatches

/// What libraries that draw text leave out without an error: characters that no font has, which Pango draws as boxes, and
/// those of a PDF that its font lacks.
package enum DrawnBoxes {
  private static let hasBoxes = PerThread(false)

  /// True if boxes were drawn in the place of characters since the last call.
  package static func take() -> Bool {
    defer { hasBoxes.value = false }
    return hasBoxes.value
  }

  /// True if visible characters of a PDF were without a glyph of their font since the last call.
  package static func takeLackOfGlyphs() -> Bool { glyphs_take(no_glyph) != 0 }

  fileprivate typealias LayoutFunction = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
  fileprivate static let ownLayout: LayoutFunction? = libraryFunction("pango_cairo_show_layout")
  fileprivate static let ownPath: LayoutFunction? = libraryFunction("pango_cairo_layout_path")
  fileprivate static let ownLine: LayoutFunction? = libraryFunction("pango_cairo_show_layout_line")
  private static let boxes: (@convention(c) (OpaquePointer?) -> Int32)? =
    libraryFunction("pango_layout_get_unknown_glyphs_count")

  fileprivate static func note(_ layout: OpaquePointer?) {
    if let layout, !hasBoxes.value, let boxes, boxes(layout) > 0 { hasBoxes.value = true }
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
