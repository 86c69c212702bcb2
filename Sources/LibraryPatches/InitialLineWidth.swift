internal import CCairo
internal import CLibraryPatches

// Lines of tiling patterns: Poppler draws a tile on a new context, and sets the width only for the operator w. cairo's
// initial width is 2, a PDF's is 1 (ISO 32000-1 Table 52).

/// Replaces cairo's function; sets a PDF's initial width of lines.
@_cdecl("cairo_create")
public func createContext(_ surface: OpaquePointer?) -> OpaquePointer? {
  guard let context = own_cairo_create()?(surface) else { return nil }
  cairo_set_line_width(context, 1)
  return context
}
