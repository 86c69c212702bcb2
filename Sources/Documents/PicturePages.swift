internal import CPoppler
internal import PrintModel

/// A picture, read by gdk-pixbuf's loaders: one page.
///
/// A JPEG is told by its markers and decoded only when it is drawn, since most printers read it as it
/// is. Any other picture is decoded at once, so that a broken one is refused before a printer is asked.
final class PicturePages: Pages {
  private let file: MappedFile
  private let resolution: Resolution
  private(set) var image: DocumentInfo.Image?
  private var surface: OpaquePointer?

  let count = 1
  let title: String? = nil

  init(_ descriptor: Int32, _ mediaType: String) throws(Failure) {
    file = try MappedFile(descriptor)
    if mediaType == DocumentFormat.jpeg {
      let header = try JPEGHeader(file.bytes)
      let isTurned = header.orientation >= 5
      resolution = header.resolution ?? PicturePages.usualResolution
      image = DocumentInfo.Image(
        width: isTurned ? header.height : header.width,
        height: isTurned ? header.width : header.height,
        jpeg: DocumentInfo.JPEG(
          isBaseline: header.isBaseline, components: header.components,
          hasProfile: header.hasProfile, orientation: header.orientation,
          octets: file.bytes.count))
    } else {
      resolution = PicturePages.usualResolution
      let surface = try decoded()
      image = DocumentInfo.Image(
        width: Int(cairo_image_surface_get_width(surface)),
        height: Int(cairo_image_surface_get_height(surface)))
    }
  }

  deinit { if let surface { cairo_surface_destroy(surface) } }

  /// What a picture without a word on its size is taken for.
  private static let usualResolution = Resolution(96)

  func size(of index: Int) -> PageSize {
    PageSize(
      width: Double(image?.width ?? 1) * 72 / Double(resolution.x),
      height: Double(image?.height ?? 1) * 72 / Double(resolution.y))
  }

  func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    let surface = try decoded()
    cairo_scale(context, 72 / Double(resolution.x), 72 / Double(resolution.y))
    cairo_set_source_surface(context, surface, 0, 0)
    // GOOD averages when it shrinks and interpolates when it enlarges; PAD keeps the edges from
    // fading into the white around them.
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    cairo_rectangle(
      context, 0, 0, Double(cairo_image_surface_get_width(surface)),
      Double(cairo_image_surface_get_height(surface)))
    cairo_fill(context)
  }

  private func decoded() throws(Failure) -> OpaquePointer {
    if let surface { return surface }
    let pixbuf = try Pixbuf(decoding: file.bytes)
    let made = try pixbuf.surface()
    surface = made
    return made
  }
}
