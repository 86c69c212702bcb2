internal import CPixbuf
internal import CPoppler
internal import PrintModel

/// A decoded picture, upright.
final class Pixbuf {
  private let pixbuf: OpaquePointer

  /// More pixels than an A0 sheet at 600 dpi are not a picture but an attack.
  static let mostPixels = 600_000_000

  /// Decodes a whole file of any format that gdk-pixbuf has a loader for, and turns it as its EXIF
  /// orientation says. The size is checked before memory for the pixels is asked for.
  init(decoding bytes: UnsafeRawBufferPointer) throws(Failure) {
    try GraphicsLibraries.pictures.load()
    guard let loader = gdk_pixbuf_loader_new() else { throw Pixbuf.failure(nil) }
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    let size = SizeCheck()
    size.watch(loader)
    var problem: UnsafeMutablePointer<GError>?
    let isWritten = gdk_pixbuf_loader_write(
      loader, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count), &problem)
    // After a failed write the loader must still be closed, and says nothing new.
    var last: UnsafeMutablePointer<GError>?
    let isClosed = gdk_pixbuf_loader_close(loader, &last)
    problem = problem ?? last
    if size.isTooLarge { throw Failure(.document, "The picture is too large: \(size.words).") }
    guard isWritten != 0, isClosed != 0, let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
      let upright = gdk_pixbuf_apply_embedded_orientation(decoded)
    else { throw Pixbuf.failure(problem) }
    pixbuf = upright
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }

  /// The picture as a cairo surface of its own, transparent parts on white; the caller destroys it.
  func surface() throws(Failure) -> OpaquePointer {
    let width = Int(gdk_pixbuf_get_width(pixbuf))
    let height = Int(gdk_pixbuf_get_height(pixbuf))
    guard
      let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
      let target = cairo_image_surface_get_data(surface),
      let source = gdk_pixbuf_read_pixels(pixbuf)
    else { throw Failure(.document, "The picture is too large to be drawn.") }
    let channels = Int(gdk_pixbuf_get_n_channels(pixbuf))
    let sourceStride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    let targetStride = Int(cairo_image_surface_get_stride(surface))
    for row in 0..<height {
      let to = UnsafeMutableRawPointer(target + row * targetStride)
        .bindMemory(to: UInt32.self, capacity: width)
      Pixbuf.copy(source + row * sourceStride, channels, to: to, width)
    }
    cairo_surface_mark_dirty(surface)
    return surface
  }

  /// RGB or RGBA bytes to xRGB words; alpha is laid on white.
  private static func copy(
    _ source: UnsafePointer<UInt8>, _ channels: Int, to target: UnsafeMutablePointer<UInt32>,
    _ width: Int
  ) {
    for column in 0..<width {
      let pixel = source + column * channels
      var red = UInt32(pixel[0])
      var green = UInt32(pixel[1])
      var blue = UInt32(pixel[2])
      if channels == 4 {
        let alpha = UInt32(pixel[3])
        func onWhite(_ value: UInt32) -> UInt32 {
          (value * alpha + 255 * (255 - alpha) + 127) / 255
        }
        red = onWhite(red)
        green = onWhite(green)
        blue = onWhite(blue)
      }
      target[column] = red << 16 | green << 8 | blue
    }
  }

  private static func failure(_ problem: UnsafeMutablePointer<GError>?) -> Failure {
    defer { if let problem { g_error_free(problem) } }
    let why = problem.flatMap { $0.pointee.message }.map { String(cString: $0) }
    return Failure(.document, "The picture can't be read: \(why ?? "it ends too early").")
  }
}

/// Learns a picture's size from its loader before the pixels have memory, and shrinks what is too large
/// to nothing. It lives for one decoding, on one thread.
private final class SizeCheck {
  private var width = 0
  private var height = 0

  var isTooLarge: Bool { width * height > Pixbuf.mostPixels }
  var words: String { "\(width) x \(height) pixels" }

  func watch(_ loader: UnsafeMutablePointer<GdkPixbufLoader>) {
    let callback:
      @convention(c) (
        UnsafeMutablePointer<GdkPixbufLoader>?, Int32, Int32, UnsafeMutableRawPointer?
      ) -> Void = { loader, width, height, data in
        guard let data, let loader else { return }
        let check = Unmanaged<SizeCheck>.fromOpaque(data).takeUnretainedValue()
        check.width = Int(width)
        check.height = Int(height)
        if check.isTooLarge { gdk_pixbuf_loader_set_size(loader, 0, 0) }
      }
    g_signal_connect_data(
      UnsafeMutableRawPointer(loader), "size-prepared", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }
}
