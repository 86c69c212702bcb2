internal import CCairo
package import Drawing
internal import Glibc
package import PrintModel

/// An opened stamp: a document of its own, drawn on the pages of another.
package final class OpenStamp {
  private let stamp: Stamp
  private let pages: any Pages
  /// Size of its file.
  package let byteCount: Int
  /// The box for which text was last laid out.
  private var box: PageBox?
  private var losses = LossNotes()

  package var isBelow: Bool { stamp.isBelow }

  /// See `Document`.
  package func takeRedraw() -> Bool { pages.takeRedraw() }

  /// See `Document`.
  package func takeLosses() -> [Loss] {
    losses.take() + pages.takeLosses().map { $0.of("--\(stamp.optionName) \(stamp.name)") }
  }

  /// A stamp from its file, opened with `pages`, or from its text if there is none.
  ///
  /// - `byteCount`: the size of the file.
  package init(_ stamp: Stamp, _ pages: (any Pages)?, byteCount: Int) throws(Failure) {
    self.stamp = stamp
    self.byteCount = byteCount
    if let pages {
      self.pages = pages
    } else {
      guard case .text(let text) = stamp.source else {
        throw Failure(.fault, "The file did not reach the worker.")
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
    noteRest(after: page, of: count, at: position)
    let own = try pages.size(of: index)
    cairo_save(context)
    defer { cairo_restore(context) }
    // A rectangle may extend beyond the page.
    cairo_rectangle(context, 0, 0, size.width, size.height)
    cairo_clip(context)
    if stamp.opacity < 1 { cairo_push_group(context) }
    cairo_save(context)
    applyTransform(stamp.transform(of: own, into: area), to: context)
    cairo_rectangle(context, 0, 0, own.width, own.height)
    cairo_clip(context)
    do throws(Failure) {
      try pages.draw(index, on: context)
    } catch {
      throw stamp.naming(error)
    }
    cairo_restore(context)
    if stamp.opacity < 1 {
      cairo_pop_group_to_source(context)
      cairo_paint_with_alpha(context, stamp.opacity)
    }
  }

  /// Notes text that neither fits its rectangle nor has a further page to go on.
  private func noteRest(after page: Int, of count: Int, at position: Int) {
    guard pages is any ReflowingPages, pages.count > position + 1 else { return }
    let isLast = !(page + 1..<max(count, page + 1)).contains {
      stamp.pages.position(of: $0, in: count) != nil
    }
    guard isLast else { return }
    losses.add(
      Loss(
        .textCut, page: page + 1,
        "--\(stamp.optionName) \(stamp.name): its text is longer than its rectangle, and is cut off on page "
          + "\(page + 1)."))
  }

  /// Lays out text for the size of its rectangle.
  private func layOut(for wanted: PageBox) throws(Failure) {
    guard let reflowing = pages as? any ReflowingPages, wanted != box else { return }
    try reflowing.layOut(for: wanted)
    box = wanted
  }
}

extension Stamp {
  /// The failure with the stamp's name, to tell it from one of the document.
  package func naming(_ failure: Failure) -> Failure {
    failure.of("--\(optionName) \(name)")
  }

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
