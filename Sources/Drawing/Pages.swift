// Drawing: what pages of any kind are drawn on. It uses cairo, and knows no kind of document. What cairo creates is there
// even if memory runs out, and then has a status that says so.

internal import CCairo
package import PrintModel

/// The pages of one kind of document.
///
/// What they draw on is a cairo context, which stays inside the modules that draw.
package protocol Pages: AnyObject {
  var count: Int { get }
  var title: String? { get }
  /// Set when the document is a picture.
  var image: DocumentInfo.Image? { get }
  /// True when a password was needed to open them.
  var isLocked: Bool { get }
  /// True when a page is drawn as pixels, at the resolution of the canvas.
  func isDrawnAsPixels(_ index: Int) -> Bool
  /// True when a page certainly has no colors.
  func isBlack(_ index: Int) -> Bool
  /// Points, as shown.
  func size(of index: Int) throws(Failure) -> PageSize
  /// The page's size, and its label if it has one.
  func page(_ index: Int) throws(Failure) -> DocumentInfo.Page
  /// Draws a page; the context's user space is points, origin top left of the page.
  func draw(_ index: Int, on context: OpaquePointer) throws(Failure)
  /// What was found missing since the last call: when the document was opened, laid out or drawn.
  func takeLosses() -> [Loss]
  /// True when a page must be drawn again; each call resets this.
  func takeRedraw() -> Bool
}

extension Pages {
  package var title: String? { nil }
  package var image: DocumentInfo.Image? { nil }
  package var isLocked: Bool { false }
  package func isDrawnAsPixels(_ index: Int) -> Bool { false }
  package func isBlack(_ index: Int) -> Bool { false }
  package func takeLosses() -> [Loss] { [] }
  package func takeRedraw() -> Bool { false }

  package func page(_ index: Int) throws(Failure) -> DocumentInfo.Page {
    DocumentInfo.Page(size: try size(of: index))
  }

  /// Draws the first page into a square of `pixels` that is discarded, so that what is wrong with it is found before
  /// anything is printed.
  package func tryOut(pixels: Int, by across: Double, _ down: Double) throws(Failure) {
    let canvas = try Canvas(width: pixels, height: pixels)
    let context: OpaquePointer = cairo_create(canvas.surface)
    defer { cairo_destroy(context) }
    cairo_scale(context, across, down)
    try draw(0, on: context)
  }
}

/// Pages without a size of their own: text takes the paper's.
package protocol ReflowingPages: Pages {
  func layOut(for box: PageBox) throws(Failure)
}

/// Maps what is drawn on a cairo context from now on.
package func applyTransform(_ transform: Transform, to context: OpaquePointer) {
  var matrix = cairo_matrix_t(
    xx: transform.xx, yx: transform.yx, xy: transform.xy, yy: transform.yy, x0: transform.x0,
    y0: transform.y0)
  cairo_transform(context, &matrix)
}
