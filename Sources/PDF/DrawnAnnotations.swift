internal import CCairo
internal import CGLib
internal import CPoppler
internal import PDFRepair
internal import PrintModel

/// The annotations of a page of Poppler's.
enum DrawnAnnotations {
  static func forEach(of page: OpaquePointer, _ body: (OpaquePointer) -> Void) {
    let all = poppler_page_get_annot_mapping(page)
    defer { poppler_page_free_annot_mapping(all) }
    var next = all
    while let item = next {
      let mapping = item.pointee.data?.assumingMemoryBound(to: PopplerAnnotMapping.self)
      if let annotation = mapping?.pointee.annot { body(annotation) }
      next = item.pointee.next
    }
  }

  /// Makes Poppler draw annotations as printed: by the flags Print and Hidden, ignoring NoView, which is for the screen
  /// (ISO 32000-1 §12.5.3).
  static func setPrinted(on page: OpaquePointer) {
    changeFlags(of: page) { flags, _ in
      flags & POPPLER_ANNOT_FLAG_PRINT.rawValue != 0
        ? flags & ~POPPLER_ANNOT_FLAG_NO_VIEW.rawValue : flags | POPPLER_ANNOT_FLAG_HIDDEN.rawValue
    }
  }

  private static func changeFlags(
    of page: OpaquePointer, _ change: (UInt32, PopplerAnnotType) -> UInt32
  ) {
    forEach(of: page) { annotation in
      let flags = poppler_annot_get_flags(annotation).rawValue
      let wanted = change(flags, poppler_annot_get_annot_type(annotation))
      if wanted != flags { poppler_annot_set_flags(annotation, PopplerAnnotFlag(wanted)) }
    }
  }

  // MARK: Fields

  /// The number of `fields` that leave no ink of a value: the page looks the same without them, but for their borders
  /// and their grounds.
  static func count(withoutInk fields: [FilledField], on page: OpaquePointer) -> Int {
    guard let drawn = Picture(of: page) else { return 0 }
    let hidden = POPPLER_ANNOT_FLAG_HIDDEN.rawValue
    var shown: [Bool] = []
    changeFlags(of: page) { flags, kind in
      shown.append(kind == POPPLER_ANNOT_WIDGET && flags & hidden == 0)
      return shown[shown.count - 1] ? flags | hidden : flags
    }
    let empty = Picture(of: page)
    var index = 0
    changeFlags(of: page) { flags, _ in
      defer { index += 1 }
      return index < shown.count && shown[index] ? flags & ~hidden : flags
    }
    guard let empty else { return 0 }
    return fields.count { field in
      guard let place = drawn.inside(field.place) else { return false }
      return !drawn.hasInk(in: place, over: empty, orGround: field.isButton)
    }
  }

  /// A page's pixels, a few hundred thousand.
  private struct Picture {
    let (width, height): (Int, Int)
    let pixels: [UInt32]
    /// Pixels per point.
    let scale: Double

    init?(of page: OpaquePointer) {
      var (across, down) = (0.0, 0.0)
      poppler_page_get_size(page, &across, &down)
      scale = min(1.5, (2_000_000 / max(1, across * down)).squareRoot())
      (width, height) = (max(1, Int(across * scale)), max(1, Int(down * scale)))
      let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
      defer { cairo_surface_destroy(surface) }
      guard let context = cairo_create(surface) else { return nil }
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
      cairo_scale(context, scale, scale)
      poppler_page_render(page, context)
      cairo_destroy(context)
      cairo_surface_flush(surface)
      guard let data = cairo_image_surface_get_data(surface) else { return nil }
      let stride = Int(cairo_image_surface_get_stride(surface))
      pixels = (0..<height).flatMap { [width] row in
        UnsafeRawBufferPointer(start: data + row * stride, count: width * 4)
          .bindMemory(to: UInt32.self)
      }
    }

    /// The pixels within the border of a field; nil: too small to have any, or not on the page.
    func inside(_ place: Rectangle) -> (columns: Range<Int>, rows: Range<Int>)? {
      func span(_ start: Double, _ length: Double, of whole: Int) -> Range<Int> {
        let border = min(2 * scale, length * Double(whole) / 4)
        let first = max(0, (start * Double(whole) + border).rounded(.up))
        let last = min(Double(whole), (start + length) * Double(whole) - border)
        return first < last ? Int(first)..<Int(last) : 0..<0
      }
      let columns = span(place.x, place.width, of: width)
      let rows = span(place.y, place.height, of: height)
      return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
    }

    /// True if a part of a place differs from another picture; `orGround`: or all of it, in one color.
    func hasInk(
      in place: (columns: Range<Int>, rows: Range<Int>), over other: Picture, orGround: Bool
    ) -> Bool {
      var (isChanged, isPlain, isWhole) = (false, true, true)
      let first = pixels[place.rows.lowerBound * width + place.columns.lowerBound]
      for row in place.rows {
        for pixel in place.columns.lowerBound + row * width..<place.columns.upperBound + row * width
        {
          let isSame = pixels[pixel] == other.pixels[pixel]
          isChanged = isChanged || !isSame
          isWhole = isWhole && !isSame
          isPlain = isPlain && pixels[pixel] == first
        }
      }
      return isChanged && (orGround || !isPlain || !isWhole)
    }
  }
}
