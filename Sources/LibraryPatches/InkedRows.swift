internal import CCairo
internal import CLibraryPatches
package import PrintModel

/// The rows of a list that something is drawn on, so that the others are known to be white without being drawn.
///
/// The program has functions in place of cairo's drawing functions (`HairlineStrokes`), which report operations while the
/// list is recorded. Drawing in a group counts when the group is put on the page.
package final class InkedRows {
  /// Number of pixels per unit in which rows are recorded.
  private static let unit = 16
  /// Shortest white gap between two bands that is worth leaving out, in units.
  private static let shortestGap = 2
  /// Pixels that a shape may extend beyond its path, due to rounding and the pen of `HairlineStrokes`.
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
    isDrawn = Array(repeating: false, count: height / InkedRows.unit + 1)
  }

  deinit { for picture in pictures { ShownPictures.destroy(picture) } }

  /// The next rows from `row` on that must be drawn, including short gaps between them; nil: the rest is white.
  package func next(from row: Int) -> Range<Int>? {
    let units = isDrawn[min(row / InkedRows.unit, isDrawn.count)...]
    guard let first = units.firstIndex(of: true) else { return nil }
    var end = first + 1
    for index in units.indices where index >= end && isDrawn[index] {
      guard index - end < InkedRows.shortestGap else { break }
      end = index + 1
    }
    let (top, bottom) = (max(row, first * InkedRows.unit), min(height, end * InkedRows.unit))
    return top < bottom ? top..<bottom : nil
  }

  /// The units that contain these rows; all, if they are not known.
  private func units(_ top: Double, _ bottom: Double) -> ClosedRange<Int> {
    guard top.isFinite, bottom.isFinite else { return 0...isDrawn.count - 1 }
    let first = Int(min(max(0, top), Double(height))) / InkedRows.unit
    let last = Int(min(max(0, bottom), Double(height))) / InkedRows.unit
    return first...max(first, last)
  }

  private func mark(_ top: Double, _ bottom: Double) {
    for index in units(top, bottom) { isDrawn[index] = true }
  }

  private func addPath(_ top: Double, _ bottom: Double) {
    let (first, last) = (max(0, top), min(Double(height), bottom))
    if first < last { pathRows += Int(last - first) }
  }

  // MARK: Listening

  /// The rows of the list that this thread records.
  private static let current = PerThread<InkedRows?>(nil)

  /// True if the whole page is drawn through one context.
  private var isForOneContext = false

  static var isForOneContext: Bool { current.value?.isForOneContext ?? false }

  /// Records what `body` draws on this thread, which is one page.
  ///
  /// If not all of it is drawn through the given context, it may be anywhere.
  package func listen<Result>(
    toOneContext isOne: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    operations = 0
    isForOneContext = isOne
    if !isOne { mark(0, Double(height)) }
    return try InkedRows.current.with(self, body)
  }

  /// A drawn shape.
  enum Shape {
    /// Everything inside the clip.
    case all
    case filledPath, strokedPath
    /// The shape of a pattern, which may be a picture.
    case pattern(OpaquePointer?)
    /// An array, and its length.
    case glyphs(UnsafePointer<cairo_glyph_t>?, Int32)
  }

  /// Records that a shape is drawn; false: it must not be drawn.
  static func note(_ shape: Shape, _ context: OpaquePointer?) -> Bool {
    guard let current = current.value, let context else { return true }
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
    guard let pattern = drawn ?? cairo_get_source(context),
      let picture = bitmap(of: pattern)?.surface,
      Int(cairo_image_surface_get_stride(picture)) * Int(cairo_image_surface_get_height(picture))
        >= InkedRows.leastKept,
      !pictures.contains(picture)
    else { return }
    pictures.append(cairo_surface_reference(picture))
  }

  // MARK: Extents

  private func add(_ shape: Shape, _ context: OpaquePointer) {
    var (top, bottom) = DeviceBox(clipOf: context).rows
    if top == bottom { return }
    if InkedRows.isBounded(cairo_get_operator(context)), let box = box(of: shape, context),
      box.rows.0.isFinite
    {
      top = max(top, box.rows.0 - InkedRows.margin)
      bottom = min(bottom, box.rows.1 + InkedRows.margin)
      guard top < bottom else { return }
    }
    // Many programs first paint the paper white.
    if InkedRows.isWhite(context), !isDrawn[units(top, bottom)].contains(true) { return }
    mark(top, bottom)
    if case .filledPath = shape { addPath(top, bottom) }
    if case .strokedPath = shape { addPath(top, bottom) }
  }

  /// The bounds of a shape; nil: it may be anywhere.
  private func box(of shape: Shape, _ context: OpaquePointer) -> DeviceBox? {
    switch shape {
    case .all: return nil
    case .filledPath: return DeviceBox(pathOf: context)
    case .strokedPath:
      let isPointed = cairo_get_line_join(context) == CAIRO_LINE_JOIN_MITER
      let pen =
        cairo_get_line_width(context) / 2 * max(isPointed ? cairo_get_miter_limit(context) : 1, 1.5)
      return DeviceBox(pathOf: context, pen: pen)
    case .pattern(let pattern): return pattern.flatMap { InkedRows.box(of: $0, context) }
    case .glyphs(let glyphs, let count):
      // Once asked for extents, cairo cuts off the soft edges of a document's own glyphs (Type 3).
      guard let glyphs, count > 0,
        cairo_font_face_get_type(cairo_get_font_face(context)) != CAIRO_FONT_TYPE_USER
      else { return nil }
      var extents = cairo_text_extents_t()
      cairo_glyph_extents(context, glyphs, count, &extents)
      let (x, y) = (glyphs[0].x + extents.x_bearing, glyphs[0].y + extents.y_bearing)
      return DeviceBox((x, x + extents.width), (y, y + extents.height), on: context)
    }
  }

  /// The box of a picture that is not repeated.
  private static func box(of pattern: OpaquePointer, _ context: OpaquePointer) -> DeviceBox? {
    guard cairo_pattern_get_extend(pattern) == CAIRO_EXTEND_NONE,
      let (_, width, height) = bitmap(of: pattern),
      let toUser = cairo_matrix_t(ofPattern: pattern).inverse
    else { return nil }
    let toPage = toUser.then(cairo_matrix_t(of: context))
    // Filters also read surrounding pixels.
    let corners = [(-2, -2), (width + 2, -2), (-2, height + 2), (width + 2, height + 2)].map {
      toPage.apply($0.0, $0.1)
    }
    guard corners.allSatisfy({ $0.y.isFinite }) else { return nil }
    return DeviceBox(corners)
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

/// Replaces cairo's function (see `InkedRows`).
@_cdecl("cairo_paint")
public func notePaint(_ context: OpaquePointer?) {
  if InkedRows.note(.pattern(context.flatMap { cairo_get_source($0) }), context) {
    own_cairo_paint()?(context)
  }
}

/// Replaces cairo's function (see `InkedRows`).
@_cdecl("cairo_paint_with_alpha")
public func notePaintWithAlpha(_ context: OpaquePointer?, _ alpha: Double) {
  if InkedRows.note(.pattern(context.flatMap { cairo_get_source($0) }), context) {
    own_cairo_paint_with_alpha()?(context, alpha)
  }
}

/// Replaces cairo's function (see `InkedRows`, `HairlineStrokes`).
@_cdecl("cairo_mask")
public func noteMask(_ context: OpaquePointer?, _ pattern: OpaquePointer?) {
  if InkedRows.note(.pattern(pattern), context) { HairlineStrokes.mask(context, pattern) }
}

/// Replaces cairo's function (see `InkedRows`).
@_cdecl("cairo_mask_surface")
public func noteMaskSurface(
  _ context: OpaquePointer?, _ surface: OpaquePointer?, _ x: Double, _ y: Double
) {
  if InkedRows.note(.all, context) { own_cairo_mask_surface()?(context, surface, x, y) }
}

/// Replaces cairo's function (see `InkedRows`).
@_cdecl("cairo_show_text")
public func noteText(_ context: OpaquePointer?, _ text: UnsafePointer<CChar>?) {
  if InkedRows.note(.all, context) { own_cairo_show_text()?(context, text) }
}

/// Replaces cairo's function (see `InkedRows`, `OutlinedText`).
@_cdecl("cairo_show_glyphs")
public func noteGlyphs(_ context: OpaquePointer?, _ glyphs: UnsafeRawPointer?, _ count: Int32) {
  show(glyphs, count, on: context) { own_cairo_show_glyphs()?(context, $0, count) }
}

/// Replaces cairo's function (see `InkedRows`, `OutlinedText`).
@_cdecl("cairo_show_text_glyphs")
public func noteTextGlyphs(
  _ context: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int32,
  _ glyphs: UnsafeRawPointer?, _ count: Int32, _ clusters: UnsafeRawPointer?,
  _ clusterCount: Int32, _ flags: UInt32
) {
  let clusters = clusters?.assumingMemoryBound(to: cairo_text_cluster_t.self)
  show(glyphs, count, on: context) {
    own_cairo_show_text_glyphs()?(
      context, text, length, $0, count, clusters, clusterCount, cairo_text_cluster_flags_t(flags))
  }
}

private func show(
  _ glyphs: UnsafeRawPointer?, _ count: Int32, on context: OpaquePointer?,
  by own: (UnsafePointer<cairo_glyph_t>?) -> Void
) {
  let glyphs = glyphs?.assumingMemoryBound(to: cairo_glyph_t.self)
  glyphs_show(context, glyphs, count)
  OutlinedText.fill(glyphs, count)
  if InkedRows.note(.glyphs(glyphs, count), context) { own(glyphs) }
  _ = glyphs_shown(context)
}
