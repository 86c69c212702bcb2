internal import CCairo
internal import CGLib
internal import CSVG
package import DocumentBytes
internal import Drawing
internal import Glibc
internal import LateLibraries
internal import LibraryPatches
package import PrintModel

/// An SVG drawing, plain or compressed (svgz): one page of vectors, drawn by librsvg.
///
/// librsvg itself limits what it reads (elements, nesting, repeated references). It loads pictures from the drawing's
/// folder and below, and nothing from the network.
package final class SVGPages: Pages {
  private let handle: UnsafeMutablePointer<RsvgHandle>
  private let page: PageSize
  /// It has colors that mix with those below: not with the paper's (Compositing 1 §2.3).
  private let isMixed: Bool

  package let count = 1
  private var losses = LossNotes()

  /// Maximum length of an uncompressed drawing: more is an attack.
  private static let longest = 64 << 20

  /// - `folder`: the folder of the drawing's pictures; nil: none.
  /// - `isInner`: the drawing is a picture in another one.
  /// - `lossesOf`: what would be missing of a picture in it.
  package init(
    _ file: MappedFile, folder: String?, isInner: Bool = false,
    lossesOf: @escaping (MappedFile) -> [Loss]
  ) throws(Failure) {
    try GraphicsLibraries.svg.load()
    let text = SVGText.spread(SVGText.mended(try SVGPages.unpacked(file.bytes)))
    handle = try text.withUnsafeBufferPointer { (text) throws(Failure) in
      try SVGPages.handle(UnsafeRawBufferPointer(text), folder)
    }
    isMixed = text.withUnsafeBytes { $0.contains("mix-blend-mode") }
    // A CSS pixel is 1/96 inch.
    rsvg_handle_set_dpi(handle, 96)
    page = SVGPages.size(of: handle)
    text.withUnsafeBytes {
      var links = SVGLinks(text: $0, folder: folder, isInner: isInner, lossesOf: lossesOf)
      for loss in links.losses() { losses.add(loss) }
    }
    // A collection of symbols, of which other documents show some.
    var ink = RsvgRectangle()
    if text.withUnsafeBytes({ $0.contains("<symbol") }),
      rsvg_handle_get_geometry_for_element(handle, nil, &ink, nil, nil) != 0, ink.width <= 0
    {
      losses.add(Loss(.content, "The drawing shows nothing: its symbols are not used in it."))
    }
    // librsvg (2.54) ends the process at some of these: let it happen before anything is printed, so that `check`
    // reports it.
    if text.withUnsafeBytes({ $0.contains("feTile") }) {
      try tryOut(pixels: 100, by: 100 / page.width, 100 / page.height)
    }
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

  private static func handle(
    _ text: UnsafeRawBufferPointer, _ folder: String?
  ) throws(Failure) -> UnsafeMutablePointer<RsvgHandle> {
    let stream = g_memory_input_stream_new_from_data(text.baseAddress, text.count, nil)
    defer { if let stream { g_object_unref(UnsafeMutableRawPointer(stream)) } }
    // librsvg loads files beside this one, which need not exist.
    let base = folder.flatMap { g_file_new_for_path("\($0)/drawing.svg") }
    defer { if let base { g_object_unref(UnsafeMutableRawPointer(base)) } }
    var problem: UnsafeMutablePointer<GError>?
    guard
      let handle = rsvg_handle_new_from_stream_sync(
        stream, base, RSVG_HANDLE_FLAGS_NONE, nil, &problem)
    else { throw failure(problem) }
    return handle
  }

  /// The drawing's text, in memory of its own.
  private static func unpacked(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B]) else {
      guard bytes.count <= longest else { throw tooLong }
      return Array(bytes)
    }
    var text: [UInt8] = []
    // An array that grows would exist twice.
    text.reserveCapacity(longest)
    var isTooLong = false
    let problem = inflate(bytes, .gzip, pieces: 1 << 18) { piece in
      isTooLong = text.count + piece.count > longest
      if !isTooLong { text += piece }
      return !isTooLong
    }.problem
    if isTooLong { throw tooLong }
    if let problem { throw failure(problem) }
    return text
  }

  private static var tooLong: Failure {
    Failure.document(
      "The drawing is longer than \(longest >> 20) MB; save it as a PDF or a picture.")
  }

  private static func failure(_ problem: UnsafeMutablePointer<GError>?) -> Failure {
    defer { if let problem { g_error_free(problem) } }
    return failure(problem?.pointee.message.map { String(cString: $0) } ?? "")
  }

  private static func failure(_ words: String) -> Failure {
    let why = ProblemWords.sentence(words) ?? "it is malformed"
    return .document("The drawing can't be read: \(why).")
  }

  /// The size in points: from width and height, or the viewBox, or the drawn area.
  private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> PageSize {
    func points(_ width: Double, _ height: Double) -> PageSize? {
      guard width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
      return PageSize(width: width * 0.75, height: height * 0.75)
    }
    var (width, height) = (0.0, 0.0)
    if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0,
      let size = points(width, height)
    {
      return size
    }
    var (hasWidth, hasHeight, hasBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
    var (first, second) = (RsvgLength(), RsvgLength())
    var box = RsvgRectangle()
    rsvg_handle_get_intrinsic_dimensions(
      handle, &hasWidth, &first, &hasHeight, &second, &hasBox, &box)
    if hasBox != 0, box.width > 0, box.height > 0 {
      // A width or height alone keeps the box's aspect ratio.
      let (across, down) = (pixels(first), pixels(second))
      let scale = across.map { $0 / box.width } ?? down.map { $0 / box.height } ?? 1
      if let size = points(box.width * scale, box.height * scale) { return size }
    }
    var ink = RsvgRectangle()
    if rsvg_handle_get_geometry_for_element(handle, nil, &ink, nil, nil) != 0,
      let size = points(ink.width, ink.height)
    {
      return size
    }
    return PageSize(width: 225, height: 112.5)  // 300 × 150 pixels, CSS' size for what has none
  }

  /// A length in pixels, 96 per inch (CSS Values 3 §6.2); nil for a relative length.
  private static func pixels(_ length: RsvgLength) -> Double? {
    let units: [RsvgUnit.RawValue: Double] = [
      RSVG_UNIT_PX.rawValue: 1, RSVG_UNIT_IN.rawValue: 96, RSVG_UNIT_CM.rawValue: 96 / 2.54,
      RSVG_UNIT_MM.rawValue: 96 / 25.4, RSVG_UNIT_PT.rawValue: 96.0 / 72,
      RSVG_UNIT_PC.rawValue: 16,
    ]
    return units[length.unit.rawValue].map { length.length * $0 }
  }

  package func takeLosses() -> [Loss] { losses.take() }

  package func size(of index: Int) -> PageSize { page }

  package func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    if matrix.xx > 0, matrix.yy > 0, matrix.xy == 0, matrix.yx == 0 {
      try render(on: context)
    } else {
      try drawTurned(by: matrix, on: context)
    }
  }

  /// Draws upright on a separate surface, as large as it will be seen, and draws that on the turned context.
  ///
  /// librsvg (2.54) measures its layers (opacity, masks, filters) along the context's axes: turned ones result in a
  /// negative width, which is an error, or in none, which is an empty page.
  private func drawTurned(
    by matrix: cairo_matrix_t, on context: OpaquePointer
  ) throws(Failure) {
    let across = (matrix.xx * matrix.xx + matrix.yx * matrix.yx).squareRoot()
    let down = (matrix.xy * matrix.xy + matrix.yy * matrix.yy).squareRoot()
    guard across > 0, down > 0, across.isFinite, down.isFinite else { return }
    var extents = cairo_rectangle_t(
      x: 0, y: 0, width: (page.width * across).rounded(.up),
      height: (page.height * down).rounded(.up))
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
    let upright: OpaquePointer = cairo_create(surface)
    defer {
      cairo_destroy(upright)
      cairo_surface_destroy(surface)
    }
    cairo_set_antialias(upright, cairo_get_antialias(context))
    let options = cairo_font_options_create()
    cairo_get_font_options(context, options)
    cairo_set_font_options(upright, options)
    cairo_font_options_destroy(options)
    cairo_scale(upright, across, down)
    try render(on: upright)
    cairo_scale(context, 1 / across, 1 / down)
    cairo_set_source_surface(context, surface, 0, 0)
    cairo_paint(context)
  }

  private func render(on context: OpaquePointer) throws(Failure) {
    // In CSS pixels: librsvg scales a drawing to another viewport, but not the clip of its root.
    var viewport = RsvgRectangle(x: 0, y: 0, width: page.width / 0.75, height: page.height / 0.75)
    var problem: UnsafeMutablePointer<GError>?
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_scale(context, 0.75, 0.75)
    if isMixed { cairo_push_group(context) }
    defer {
      if isMixed {
        cairo_pop_group_to_source(context)
        cairo_paint(context)
      }
    }
    try HairlineStrokes.leavingFlatFills { () throws(Failure) in
      guard rsvg_handle_render_document(handle, context, &viewport, &problem) != 0 else {
        throw SVGPages.failure(problem)
      }
    }
  }
}
