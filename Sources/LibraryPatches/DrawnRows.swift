internal import CCairo
internal import Glibc
package import PrintModel

/// The rows of a list that something is drawn on, so that the others are known to be white without being drawn.
///
/// The program has functions in place of cairo's drawing functions (`PixelMinimum`), which report operations while the
/// list is recorded. Drawing in a group counts when the group is put on the page.
package final class DrawnRows {
  /// Number of pixels per unit in which rows are recorded.
  private static let unit = 16
  /// Shortest white gap between two bands that is worth leaving out, in units.
  private static let shortestGap = 2
  /// Pixels that a shape may extend beyond its path, due to rounding and the pen of `PixelMinimum`.
  private static let margin = 8.0

  private let surface: OpaquePointer
  private let height: Int
  private var isDrawn: [Bool]
  /// Maximum number of operations of a page; further ones are skipped.
  private let limit: Int
  private var operations = 0

  /// Large pictures that were drawn, kept so that the list can show them without a copy.
  private var pictures: [OpaquePointer] = []

  package var isOverLimit: Bool { operations > limit }
  /// The rows that each path spans, added up.
  package private(set) var pathRows = 0

  package init(on surface: OpaquePointer, height: Int, limit: Int) {
    self.surface = surface
    self.height = height
    self.limit = limit
    isDrawn = Array(repeating: false, count: height / DrawnRows.unit + 1)
  }

  deinit { for picture in pictures { ShownPictures.destroy(picture) } }

  /// The next rows from `row` on that must be drawn, including short gaps between them; nil: the rest is white.
  package func next(from row: Int) -> Range<Int>? {
    let units = isDrawn[min(row / DrawnRows.unit, isDrawn.count)...]
    guard let first = units.firstIndex(of: true) else { return nil }
    var end = first + 1
    for index in units.indices where index >= end && isDrawn[index] {
      guard index - end < DrawnRows.shortestGap else { break }
      end = index + 1
    }
    let (top, bottom) = (max(row, first * DrawnRows.unit), min(height, end * DrawnRows.unit))
    return top < bottom ? top..<bottom : nil
  }

  private func mark(_ top: Double, _ bottom: Double) {
    guard top.isFinite, bottom.isFinite else { return mark(0, Double(height)) }
    let first = Int(min(max(0, top), Double(height))) / DrawnRows.unit
    let last = Int(min(max(0, bottom), Double(height))) / DrawnRows.unit
    for index in first...max(first, last) { isDrawn[index] = true }
  }

  private func addPath(_ top: Double, _ bottom: Double) {
    let (first, last) = (max(0, top), min(Double(height), bottom))
    if first < last { pathRows += Int(last - first) }
  }

  private func isWhite(_ top: Double, _ bottom: Double) -> Bool {
    guard top.isFinite, bottom.isFinite else { return false }
    let first = Int(min(max(0, top), Double(height))) / DrawnRows.unit
    let last = Int(min(max(0, bottom), Double(height))) / DrawnRows.unit
    return !isDrawn[first...max(first, last)].contains(true)
  }

  // MARK: Listening

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var current: DrawnRows? {
    pthread_getspecific(key).map {
      Unmanaged<DrawnRows>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// True if the whole page is drawn through one context.
  private var isForOneContext = false

  static var isForOneContext: Bool { current?.isForOneContext ?? false }

  /// Records what `body` draws on this thread, which is one page.
  ///
  /// If not all of it is drawn through the given context, it may be anywhere.
  package func listen<Result>(
    toOneContext isOne: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    operations = 0
    isForOneContext = isOne
    if !isOne { mark(0, Double(height)) }
    pthread_setspecific(DrawnRows.key, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(DrawnRows.key, nil) }
    return try body()
  }

  /// A drawn shape.
  enum Shape {
    /// Everything inside the clip.
    case all
    case filledPath, strokedPath
    /// The shape of a pattern, which may be a picture.
    case pattern(OpaquePointer?)
    /// An array of cairo_glyph_t, and its length.
    case glyphs(UnsafeRawPointer?, Int32)
  }

  /// Records that a shape is drawn; false: it must not be drawn.
  static func note(_ shape: Shape, _ context: OpaquePointer?) -> Bool {
    guard let current, let context else { return true }
    current.operations += 1
    if current.isOverLimit { return false }
    current.keepPicture(of: shape, context)
    if cairo_get_group_target(context) == current.surface { current.add(shape, context) }
    return true
  }

  /// Size in bytes from which copying a picture takes longer than keeping it.
  private static let leastKept = 1 << 18

  private func keepPicture(of shape: Shape, _ context: OpaquePointer) {
    let drawn: OpaquePointer? = if case .pattern(let pattern) = shape { pattern } else { nil }
    var picture: OpaquePointer?
    guard let pattern = drawn ?? cairo_get_source(context),
      cairo_pattern_get_surface(pattern, &picture) == CAIRO_STATUS_SUCCESS, let picture,
      cairo_surface_get_type(picture) == CAIRO_SURFACE_TYPE_IMAGE,
      Int(cairo_image_surface_get_stride(picture)) * Int(cairo_image_surface_get_height(picture))
        >= DrawnRows.leastKept,
      !pictures.contains(picture)
    else { return }
    pictures.append(cairo_surface_reference(picture))
  }

  // MARK: Extents

  /// A rectangle in user space.
  private struct Box {
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)

    var isEmpty: Bool { left >= right || top >= bottom }

    /// The rows that it covers on a surface.
    func rows(by matrix: cairo_matrix_t) -> (top: Double, bottom: Double) {
      let ends = [(left, top), (right, top), (left, bottom), (right, bottom)].map {
        matrix.yx * $0.0 + matrix.yy * $0.1 + matrix.y0
      }
      // NaN compares as smaller than no number.
      guard ends.allSatisfy(\.isFinite) else { return (.nan, .nan) }
      return (ends.min() ?? .nan, ends.max() ?? .nan)
    }
  }

  private func add(_ shape: Shape, _ context: OpaquePointer) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    var clip = Box()
    cairo_clip_extents(context, &clip.left, &clip.top, &clip.right, &clip.bottom)
    guard !clip.isEmpty else { return }
    var (top, bottom) = clip.rows(by: matrix)
    if let box = DrawnRows.isBounded(cairo_get_operator(context)) ? box(of: shape, context) : nil {
      let rows = box.rows(by: matrix)
      if rows.top.isFinite {
        top = max(top, rows.top - DrawnRows.margin)
        bottom = min(bottom, rows.bottom + DrawnRows.margin)
        guard top < bottom else { return }
      }
    }
    // Many programs first paint the paper white.
    if DrawnRows.isWhite(context), isWhite(top, bottom) { return }
    mark(top, bottom)
    if case .filledPath = shape { addPath(top, bottom) }
    if case .strokedPath = shape { addPath(top, bottom) }
  }

  /// The bounds of a shape; nil: it may be anywhere.
  private func box(of shape: Shape, _ context: OpaquePointer) -> Box? {
    var box = Box()
    switch shape {
    case .all: return nil
    case .filledPath:
      cairo_path_extents(context, &box.left, &box.top, &box.right, &box.bottom)
    case .strokedPath:
      cairo_path_extents(context, &box.left, &box.top, &box.right, &box.bottom)
      let isPointed = cairo_get_line_join(context) == CAIRO_LINE_JOIN_MITER
      let pen =
        cairo_get_line_width(context) / 2 * max(isPointed ? cairo_get_miter_limit(context) : 1, 1.5)
      box = Box(
        left: box.left - pen, top: box.top - pen, right: box.right + pen, bottom: box.bottom + pen)
    case .pattern(let pattern):
      guard let pattern else { return nil }
      return DrawnRows.box(of: pattern)
    case .glyphs(let glyphs, let count):
      // Once asked for extents, cairo cuts off the soft edges of a document's own glyphs (Type 3).
      guard let glyphs = glyphs?.assumingMemoryBound(to: cairo_glyph_t.self), count > 0,
        cairo_font_face_get_type(cairo_get_font_face(context)) != CAIRO_FONT_TYPE_USER
      else { return nil }
      var extents = cairo_text_extents_t()
      cairo_glyph_extents(context, glyphs, count, &extents)
      let (x, y) = (glyphs[0].x + extents.x_bearing, glyphs[0].y + extents.y_bearing)
      box = Box(left: x, top: y, right: x + extents.width, bottom: y + extents.height)
    }
    return box
  }

  /// The rectangle of a picture that is not repeated.
  private static func box(of pattern: OpaquePointer) -> Box? {
    var surface: OpaquePointer?
    guard cairo_pattern_get_extend(pattern) == CAIRO_EXTEND_NONE,
      cairo_pattern_get_surface(pattern, &surface) == CAIRO_STATUS_SUCCESS, let surface,
      cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE
    else { return nil }
    var matrix = cairo_matrix_t()
    cairo_pattern_get_matrix(pattern, &matrix)
    guard cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS else { return nil }
    let width = Double(cairo_image_surface_get_width(surface))
    let height = Double(cairo_image_surface_get_height(surface))
    // Filters also read surrounding pixels.
    let corners = [(-2, -2), (width + 2, -2), (-2, height + 2), (width + 2, height + 2)].map {
      (
        x: matrix.xx * $0.0 + matrix.xy * $0.1 + matrix.x0,
        y: matrix.yx * $0.0 + matrix.yy * $0.1 + matrix.y0
      )
    }
    guard let left = corners.map(\.x).min(), let right = corners.map(\.x).max(),
      let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max()
    else { return nil }
    return Box(left: left, top: top, right: right, bottom: bottom)
  }

  /// True for operators that change nothing outside the drawn shape.
  private static func isBounded(_ operation: cairo_operator_t) -> Bool {
    ![
      CAIRO_OPERATOR_IN, CAIRO_OPERATOR_OUT, CAIRO_OPERATOR_DEST_IN, CAIRO_OPERATOR_DEST_ATOP,
    ].contains(operation)
  }

  /// True when white is drawn, which changes nothing on white.
  private static func isWhite(_ context: OpaquePointer) -> Bool {
    var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
    return cairo_get_operator(context) == CAIRO_OPERATOR_OVER
      && cairo_pattern_get_rgba(cairo_get_source(context), &red, &green, &blue, &alpha)
        == CAIRO_STATUS_SUCCESS
      && red == 1 && green == 1 && blue == 1
  }
}

// MARK: Replaced functions

/// cairo's own functions of these names.
private enum CairoFunctions {
  typealias Paint = @convention(c) (OpaquePointer?) -> Void
  typealias PaintWithAlpha = @convention(c) (OpaquePointer?, Double) -> Void
  typealias MaskSurface = @convention(c) (OpaquePointer?, OpaquePointer?, Double, Double) -> Void
  typealias ShowText = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void
  typealias ShowGlyphs = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int32) -> Void
  typealias ShowTextGlyphs =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?,
      Int32, UInt32
    ) -> Void

  static let paint = libraryFunction("cairo_paint", Paint.self)
  static let paintWithAlpha = libraryFunction("cairo_paint_with_alpha", PaintWithAlpha.self)
  static let maskSurface = libraryFunction("cairo_mask_surface", MaskSurface.self)
  static let showText = libraryFunction("cairo_show_text", ShowText.self)
  static let showGlyphs = libraryFunction("cairo_show_glyphs", ShowGlyphs.self)
  static let showTextGlyphs = libraryFunction("cairo_show_text_glyphs", ShowTextGlyphs.self)
}

/// Replaces cairo's function (see `DrawnRows`).
@_cdecl("cairo_paint")
public func notePaint(_ context: OpaquePointer?) {
  if DrawnRows.note(.pattern(context.flatMap { cairo_get_source($0) }), context) {
    CairoFunctions.paint?(context)
  }
}

/// Replaces cairo's function (see `DrawnRows`).
@_cdecl("cairo_paint_with_alpha")
public func notePaintWithAlpha(_ context: OpaquePointer?, _ alpha: Double) {
  if DrawnRows.note(.pattern(context.flatMap { cairo_get_source($0) }), context) {
    CairoFunctions.paintWithAlpha?(context, alpha)
  }
}

/// Replaces cairo's function (see `DrawnRows`, `PixelMinimum`).
@_cdecl("cairo_mask")
public func noteMask(_ context: OpaquePointer?, _ pattern: OpaquePointer?) {
  if DrawnRows.note(.pattern(pattern), context) { PixelMinimum.mask(context, pattern) }
}

/// Replaces cairo's function (see `DrawnRows`).
@_cdecl("cairo_mask_surface")
public func noteMaskSurface(
  _ context: OpaquePointer?, _ surface: OpaquePointer?, _ x: Double, _ y: Double
) {
  if DrawnRows.note(.all, context) { CairoFunctions.maskSurface?(context, surface, x, y) }
}

/// Replaces cairo's function (see `DrawnRows`).
@_cdecl("cairo_show_text")
public func noteText(_ context: OpaquePointer?, _ text: UnsafePointer<CChar>?) {
  if DrawnRows.note(.all, context) { CairoFunctions.showText?(context, text) }
}

/// Replaces cairo's function (see `DrawnRows`, `OutlinedText`).
@_cdecl("cairo_show_glyphs")
public func noteGlyphs(_ context: OpaquePointer?, _ glyphs: UnsafeRawPointer?, _ count: Int32) {
  OutlinedText.fill(glyphs?.assumingMemoryBound(to: cairo_glyph_t.self), count)
  if DrawnRows.note(.glyphs(glyphs, count), context) {
    CairoFunctions.showGlyphs?(context, glyphs, count)
  }
}

/// Replaces cairo's function (see `DrawnRows`, `OutlinedText`).
@_cdecl("cairo_show_text_glyphs")
public func noteTextGlyphs(
  _ context: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int32,
  _ glyphs: UnsafeRawPointer?, _ count: Int32, _ clusters: UnsafeRawPointer?,
  _ clusterCount: Int32, _ flags: UInt32
) {
  OutlinedText.fill(glyphs?.assumingMemoryBound(to: cairo_glyph_t.self), count)
  if DrawnRows.note(.glyphs(glyphs, count), context) {
    CairoFunctions.showTextGlyphs?(
      context, text, length, glyphs, count, clusters, clusterCount, flags)
  }
}
