internal import CCairo
package import Drawing
internal import Glibc
internal import LateLibraries
internal import LibraryPatches
package import PrintModel
internal import Text

/// An opened stamp: a document of its own, drawn on the pages of another.
package final class OpenStamp {
  private let stamp: Stamp
  private let pages: any Pages
  /// A converter made its pages that knows its rectangle.
  private let isMade: Bool
  /// Size of its file.
  package let byteCount: Int
  /// The box for which text was last laid out.
  private var box: PageBox?
  private var losses = LossNotes()
  /// Pages of the stamp that were looked at for `noteCut`, and sizes of the pages that they are for.
  private var looked: Set<Look> = []

  /// 4 points: smaller letters are hard to read.
  private static let smallestLetter = Hundredths(points: 4)

  private struct Look: Hashable {
    var index: Int
    var size: PageSize
    init(index: Int, _ size: PageSize) { (self.index, self.size) = (index, size) }
  }

  package var isBelow: Bool { stamp.isBelow }

  /// See `Document`.
  package func takeRedraw() -> Bool { pages.takeRedraw() }

  /// See `Document`.
  package func takeLosses() -> [Loss] {
    losses.take() + pages.takeLosses().map { $0.of(stamp.typed) }
  }

  /// A stamp from its file, opened with `pages`, or from its text if there is none.
  ///
  /// - `byteCount`: the size of the file.
  package init(
    _ stamp: Stamp, _ pages: (any Pages)?, isMade: Bool = false, byteCount: Int
  ) throws(Failure) {
    self.stamp = stamp
    self.isMade = isMade
    self.byteCount = byteCount
    if let pages {
      self.pages = pages
    } else {
      guard case .text(let text) = stamp.source else {
        throw .fault("The file did not reach the worker.")
      }
      self.pages = try TextStamp(text)
    }
    try self.pages.tryOut(pixels: 1, by: 0.001, 0.001)
  }

  /// Draws the stamp's content for a page: page k of the stamp on the k-th of the pages that it is for, or its only
  /// page on all of them.
  ///
  /// `size` is the page's; the context's user space is its points from the top left.
  package func draw(
    on page: Int, of count: Int, _ size: PageSize, _ context: OpaquePointer
  ) throws(Failure) {
    guard let position = stamp.pages.position(of: page, in: count) else { return }
    let area = stamp.area(on: size)
    try layOut(for: stamp.box(on: size))
    let index = pages.count == 1 ? 0 : position
    guard index < pages.count else { return }
    try noteRest(after: page, of: count, size, at: position)
    // On the first page, that nothing of it is there has been said.
    if position > 0 || !PageCut(of: area, on: size).isWhole {
      try noteCut(index, of: area, on: page, size)
    }
    cairo_save(context)
    defer { cairo_restore(context) }
    // A rectangle may extend beyond the page.
    cairo_rectangle(context, 0, 0, size.width, size.height)
    cairo_clip(context)
    if stamp.opacity < 1 { cairo_push_group(context) }
    try draw(index, into: area, context)
    if stamp.opacity < 1 {
      cairo_pop_group_to_source(context)
      cairo_paint_with_alpha(context, stamp.opacity)
    }
  }

  private func draw(
    _ index: Int, into area: Rectangle, _ context: OpaquePointer
  ) throws(Failure) {
    do throws(Failure) {
      let own = try pages.size(of: index)
      cairo_save(context)
      defer { cairo_restore(context) }
      let transform = stamp.transform(of: own, into: area)
      let letter = Hundredths(points: TextStamp.em * hypot(transform.xx, transform.yx))
      if pages is TextStamp, letter < OpenStamp.smallestLetter {
        losses.add(
          Loss(
            .tooSmall,
            "\(stamp.typed): to fit its rectangle, its letters are scaled to "
              + "\(letter.inMillimeters)."))
      }
      applyTransform(transform, to: context)
      cairo_rectangle(context, 0, 0, own.width, own.height)
      cairo_clip(context)
      try pages.draw(index, on: context)
    } catch {
      throw error.of(stamp.typed)
    }
  }

  /// Notes marks beyond the page's edges, once for each of the stamp's pages and each size.
  private func noteCut(
    _ index: Int, of area: Rectangle, on page: Int, _ size: PageSize
  ) throws(Failure) {
    guard PageCut(of: area, on: size).length > 0, looked.insert(Look(index: index, size)).inserted
    else { return }
    var extents = cairo_rectangle_t(x: area.x, y: area.y, width: area.width, height: area.height)
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
    let context: OpaquePointer = cairo_create(surface)
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    try draw(index, into: area, context)
    var ink = Rectangle(x: 0, y: 0, width: 0, height: 0)
    cairo_recording_surface_ink_extents(surface, &ink.x, &ink.y, &ink.width, &ink.height)
    let cut = PageCut(of: ink, on: size)
    guard cut.isMissed else { return }
    let (number, beyond) = (page + 1, Hundredths(points: cut.length))
    losses.add(
      Loss(
        .stamp, page: number,
        "\(stamp.typed): \(beyond.inMillimeters) of it are cut off at the "
          + "\(cut.edge.rawValue) of page \(number)."))
  }

  /// Notes text that neither fits its rectangle nor has a further page to go on.
  private func noteRest(
    after page: Int, of count: Int, _ size: PageSize, at position: Int
  ) throws(Failure) {
    guard pages.count > position + 1, try isLaidOut(on: size) else { return }
    let isLast = !(page + 1..<max(count, page + 1)).contains {
      stamp.pages.position(of: $0, in: count) != nil
    }
    guard isLast else { return }
    losses.add(
      Loss(
        .textCut, page: page + 1,
        "\(stamp.typed): its text is longer than its rectangle, and is cut off on page "
          + "\(page + 1)."))
  }

  /// True if its pages were made for its rectangle on a page of this size, and have not chosen another.
  private func isLaidOut(on size: PageSize) throws(Failure) -> Bool {
    if pages is any ReflowingPages { return true }
    let (own, wanted) = (try pages.size(of: 0), stamp.box(on: size).size)
    return isMade && abs(own.width - wanted.width) < 1 && abs(own.height - wanted.height) < 1
  }

  /// Lays out text for the size of its rectangle.
  private func layOut(for wanted: PageBox) throws(Failure) {
    guard let reflowing = pages as? any ReflowingPages, wanted != box else { return }
    try reflowing.layOut(for: wanted)
    box = wanted
  }
}

/// How far an area is beyond the edge of a page.
private struct PageCut {
  /// Points, 0 if nothing is, and the edge where it is most.
  private(set) var length = 0.0
  private(set) var edge = Loss.Edge.right
  /// True for a ground, which reaches from edge to edge.
  private let isGround: Bool
  /// True if nothing is on the page.
  let isWhole: Bool

  init(of area: Rectangle, on page: PageSize) {
    let (right, bottom) = (area.x + area.width - page.width, area.y + area.height - page.height)
    isGround = area.x <= 0 && right >= 0 || area.y <= 0 && bottom >= 0
    isWhole =
      right >= area.width || bottom >= area.height || -area.x >= area.width
      || -area.y >= area.height
    guard area.width > 0, area.height > 0 else { return }
    for (edge, length) in [
      (Loss.Edge.left, -area.x), (.right, right), (.top, -area.y), (.bottom, bottom),
    ] where length > self.length { (self.length, self.edge) = (length, edge) }
  }

  /// True if somebody would miss it: more than 1 mm, or of a ground more than its bleed of 5 mm.
  var isMissed: Bool { length > Hundredths(isGround ? 500 : 100).points }
}

extension Stamp {
  /// Maps its own page to the rectangle: centered, as large as fits after turning.
  fileprivate func transform(of page: PageSize, into area: Rectangle) -> Transform {
    // PDF's angles are counterclockwise; here y points down.
    let angle = -rotation * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    let width = abs(page.width * cosine) + abs(page.height * sine)
    let height = abs(page.width * sine) + abs(page.height * cosine)
    let scale = min(area.width / width, area.height / height)
    return Transform.translation(-page.width / 2, -page.height / 2)
      .then(.scale(scale, scale))
      .then(Transform(xx: cosine, yx: sine, xy: -sine, yy: cosine))
      .then(.translation(area.x + area.width / 2, area.y + area.height / 2))
  }
}

/// The text of a `text:` stamp: one page of the text's size.
final class TextStamp: Pages {
  private let text: String
  private let extent: Rectangle
  /// The letters' outlines, in points.
  ///
  /// FreeType makes neither masks nor outlines of letters of 2,000 pixels. Files contain them as letters; emoji have no
  /// outlines.
  private let outline: UnsafeMutablePointer<cairo_path_t>?

  let count = 1

  /// Size in points; the stamp is scaled to its rectangle.
  static let em = 72.0
  private static let font = "Sans Bold 72"

  init(_ text: String) throws(Failure) {
    try GraphicsLibraries.text.load()
    self.text = text
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nil)
    let context: OpaquePointer = cairo_create(surface)
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    extent = try TextLayout(text, font: TextStamp.font, on: context).ink
    // cairo's coordinates are multiples of 1/256 pixel.
    cairo_scale(context, 8, 8)
    try TextLayout(text, font: TextStamp.font, on: context).addPath()
    outline = cairo_copy_path(context)
    guard extent.width > 0, extent.height > 0 else {
      throw .document("The text has no visible letters.")
    }
  }

  deinit { cairo_path_destroy(outline) }

  func size(of index: Int) -> PageSize { PageSize(width: extent.width, height: extent.height) }

  func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    cairo_translate(context, -extent.x, -extent.y)
    cairo_set_source_rgb(context, 0, 0, 0)
    guard HairlineStrokes.isEnforced, !text.hasEmoji else {
      return try TextLayout(text, font: TextStamp.font, on: context).draw()
    }
    cairo_append_path(context, outline)
    cairo_fill(context)
  }
}
