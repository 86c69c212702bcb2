internal import CPixbuf
internal import CPoppler
internal import PrintModel

/// A decoded picture, as it is stored.
final class Pixbuf {
  private let pixbuf: OpaquePointer

  /// Decodes a whole file of any format that gdk-pixbuf has a loader for. The size is checked before
  /// memory for the pixels is asked for.
  init(decoding bytes: UnsafeRawBufferPointer, _ mediaType: String) throws(Failure) {
    try GraphicsLibraries.pictures.load()
    guard let loader = Pixbuf.loader(for: mediaType) else { throw Pixbuf.failure(nil, mediaType) }
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    let size = SizeCheck(most: PictureLimits.loaded(bytes.count))
    size.watch(loader)
    var problem: UnsafeMutablePointer<GError>?
    let isWritten = gdk_pixbuf_loader_write(
      loader, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count), &problem)
    // After a failed write the loader must still be closed, and says nothing new.
    var last: UnsafeMutablePointer<GError>?
    let isClosed = gdk_pixbuf_loader_close(loader, &last)
    problem = problem ?? last
    if size.isTooLarge { throw Failure(.document, "The picture is too large: \(size.words).") }
    guard isWritten != 0, isClosed != 0, let decoded = gdk_pixbuf_loader_get_pixbuf(loader) else {
      throw Pixbuf.failure(problem, mediaType)
    }
    pixbuf = decoded
    g_object_ref(UnsafeMutableRawPointer(decoded))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }

  var width: Int { Int(gdk_pixbuf_get_width(pixbuf)) }
  var height: Int { Int(gdk_pixbuf_get_height(pixbuf)) }

  /// By name for what has no signature of its own (TGA); every other format is told by its first bytes.
  private static func loader(
    for mediaType: String
  ) -> UnsafeMutablePointer<GdkPixbufLoader>? {
    DocumentFormat.isNamedPicture(mediaType)
      ? gdk_pixbuf_loader_new_with_mime_type(mediaType, nil) : gdk_pixbuf_loader_new()
  }

  /// The pixels in sRGB, transparent parts on white.
  ///
  /// - Parameter embedded: the file's ICC profile, where it is known; else the loader's word counts.
  func bitmap(profile embedded: UnsafeRawBufferPointer? = nil) throws(Failure) -> Bitmap {
    let (width, height) = (width, height)
    guard let source = gdk_pixbuf_read_pixels(pixbuf) else { throw Pixbuf.failure(nil, "") }
    let channels = Int(gdk_pixbuf_get_n_channels(pixbuf))
    let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    let bitmap = try Bitmap.fitting(width, height)
    let profile: ColorProfile?
    if let embedded {
      profile = try Pixbuf.profile(embedded)
    } else {
      profile = try handedOnProfile()
    }
    let row = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
    defer { row.deallocate() }
    var reduction = Reduction(to: bitmap, width: width)
    for y in 0..<height {
      Pixbuf.copy(source + y * stride, channels, to: row, width)
      profile?.convert(row, width: width)
      if channels == 4 { Pixbuf.layOnWhite(source + y * stride, row, width) }
      reduction.add(row, isLast: y == height - 1)
    }
    return bitmap
  }

  /// The same pixels as `onWhite`, with what is transparent taken off the white again.
  func transparent(_ onWhite: Bitmap) throws(Failure) -> Bitmap {
    guard gdk_pixbuf_get_n_channels(pixbuf) == 4, let source = gdk_pixbuf_read_pixels(pixbuf) else {
      return onWhite
    }
    let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    // Alpha as a gray picture, reduced as the colours were.
    let alpha = try Bitmap.fitting(width, height)
    let line = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
    defer { line.deallocate() }
    var reduction = Reduction(to: alpha, width: width)
    for y in 0..<height {
      for column in 0..<width { line[column] = UInt32(source[y * stride + column * 4 + 3]) }
      reduction.add(line, isLast: y == height - 1)
    }
    let made = try Bitmap(
      width: onWhite.width, height: onWhite.height, factor: onWhite.factor, hasAlpha: true)
    try made.write { row, y in
      let (colours, opacities) = (onWhite.row(y), alpha.row(y))
      for column in 0..<made.width {
        let (colour, opacity) = (colours[column], opacities[column] & 0xFF)
        let white = 255 - opacity
        func inked(_ value: UInt32) -> UInt32 {
          min(opacity, max(white, value & 0xFF) - white)
        }
        row[column] =
          opacity << 24 | inked(colour >> 16) << 16 | inked(colour >> 8) << 8 | inked(colour)
      }
    }
    return made
  }

  /// The embedded profile, which loaders hand on in base64.
  private func handedOnProfile() throws(Failure) -> ColorProfile? {
    guard let text = gdk_pixbuf_get_option(pixbuf, "icc-profile") else { return nil }
    var count: gsize = 0
    guard let data = g_base64_decode(text, &count) else { return nil }
    defer { g_free(data) }
    return try Pixbuf.profile(UnsafeRawBufferPointer(start: data, count: Int(count)))
  }

  /// A gray picture has its profile, and three channels here.
  private static func profile(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> ColorProfile? {
    if let profile = try ColorProfile(bytes, from: .rgb) { return profile }
    return try ColorProfile(bytes, from: .gray)
  }

  /// RGB or RGBA bytes to xRGB words.
  private static func copy(
    _ source: UnsafePointer<UInt8>, _ channels: Int, to target: UnsafeMutablePointer<UInt32>,
    _ width: Int
  ) {
    for column in 0..<width {
      let pixel = source + column * channels
      target[column] = UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
    }
  }

  /// Lays converted pixels on white by the alpha of `source`, RGBA.
  private static func layOnWhite(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt32>, _ width: Int
  ) {
    for column in 0..<width {
      let alpha = UInt32(source[column * 4 + 3])
      guard alpha < 255 else { continue }
      let pixel = target[column]
      func onWhite(_ value: UInt32) -> UInt32 {
        ((value & 0xFF) * alpha + 255 * (255 - alpha) + 127) / 255
      }
      target[column] = onWhite(pixel >> 16) << 16 | onWhite(pixel >> 8) << 8 | onWhite(pixel)
    }
  }

  private static func failure(
    _ problem: UnsafeMutablePointer<GError>?, _ mediaType: String
  ) -> Failure {
    defer { if let problem { g_error_free(problem) } }
    if let package = DocumentFormat.pictureLoader(of: mediaType),
      let error = problem?.pointee, error.domain == gdk_pixbuf_error_quark(),
      error.code == Int32(GDK_PIXBUF_ERROR_UNKNOWN_TYPE.rawValue)
    {
      return Failure(
        .document,
        "The picture can't be read: gdk-pixbuf has no loader for \(mediaType) here. Install \(package)."
      )
    }
    // libheif's loader says nothing to its caller.
    let why = problem.flatMap { $0.pointee.message }.map { String(cString: $0) }
    return Failure(
      .document, "The picture can't be read: \(why ?? "it is damaged, or ends too early").")
  }
}

/// Learns a picture's size from its loader before the pixels have memory, and shrinks what is too large
/// to nothing. It lives for one decoding, on one thread.
private final class SizeCheck {
  private let most: Int
  private var width = 0
  private var height = 0

  init(most: Int) { self.most = most }

  var isTooLarge: Bool { width * height > most }
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
