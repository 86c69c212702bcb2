internal import CGLib
internal import CPixbuf
internal import DocumentBytes
internal import Drawing
internal import Glibc
internal import LateLibraries
internal import PrintModel

/// A picture decoded by gdk-pixbuf, which has loaders for formats that no other library here reads.
final class Pixbuf: PictureSource {
  private let pixbuf: OpaquePointer
  private let source: UnsafePointer<UInt8>
  private let channels: Int
  private let stride: Int
  /// True if alpha is ignored.
  private let isOpaque: Bool
  private var next = 0

  /// Decodes a complete file of any format that gdk-pixbuf has a loader for.
  ///
  /// The size is checked before memory for the pixels is allocated.
  init(decoding bytes: UnsafeRawBufferPointer, _ mediaType: String) throws(Failure) {
    try GraphicsLibraries.pictures.load()
    try Pixbuf.checkProcess(mediaType)
    guard let loader = Pixbuf.loader(for: mediaType) else { throw Pixbuf.failure(nil, mediaType) }
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    let size = SizeCheck(most: PictureLimits.loaded(bytes.count))
    size.watch(loader)
    var problem: UnsafeMutablePointer<GError>?
    let isWritten = gdk_pixbuf_loader_write(
      loader, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count), &problem)
    // After a failed write, the loader must still be closed; this reports nothing new.
    var last: UnsafeMutablePointer<GError>?
    let isClosed = gdk_pixbuf_loader_close(loader, &last)
    problem = problem ?? last
    if size.isTooLarge { throw .document("The picture is too large: \(size.words).") }
    guard isWritten != 0, isClosed != 0, let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
      let source = gdk_pixbuf_read_pixels(decoded)
    else { throw Pixbuf.failure(problem, mediaType) }
    pixbuf = decoded
    // The fourth byte of a TGA without attribute bits is not said to be alpha, and is often 0.
    isOpaque =
      DocumentFormat.isNamedPicture(mediaType) && bytes.count >= 18 && bytes[17] & 15 == 0
    self.source = source
    channels = Int(gdk_pixbuf_get_n_channels(decoded))
    stride = Int(gdk_pixbuf_get_rowstride(decoded))
    g_object_ref(UnsafeMutableRawPointer(decoded))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }

  var width: Int { Int(gdk_pixbuf_get_width(pixbuf)) }
  var height: Int { Int(gdk_pixbuf_get_height(pixbuf)) }

  /// Selects the loader by name for formats without a signature (TGA); all others are recognized by their first bytes.
  private static func loader(
    for mediaType: String
  ) -> UnsafeMutablePointer<GdkPixbufLoader>? {
    DocumentFormat.isNamedPicture(mediaType)
      ? gdk_pixbuf_loader_new_with_mime_type(mediaType, nil) : gdk_pixbuf_loader_new()
  }

  var hasAlpha: Bool { channels == 4 && !isOpaque }

  /// The embedded profile, which loaders return in base64.
  var profile: [UInt8] {
    guard let text = gdk_pixbuf_get_option(pixbuf, "icc-profile") else { return [] }
    var count: gsize = 0
    guard let data = g_base64_decode(text, &count) else { return [] }
    defer { g_free(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }

  func readRow(to row: UnsafeMutablePointer<UInt32>) -> Bool {
    guard next < height else { return false }
    let line = source + next * stride
    for column in 0..<width {
      let pixel = line + column * channels
      let alpha: UInt32 = hasAlpha ? UInt32(pixel[3]) : 255
      row[column] =
        alpha << 24 | UInt32(pixel[0]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[2])
    }
    next += 1
    return true
  }

  /// Throws if gdk-pixbuf decodes with glycin, as 2.44 can be built to: glycin starts programs, which workers must not
  /// do.
  private static func checkProcess(_ mediaType: String) throws(Failure) {
    guard dlsym(nil, "gly_loader_new") != nil else { return }
    throw .document(
      "The picture can't be read: gdk-pixbuf decodes \(mediaType) in separate programs here, which can't "
        + "be started behind airprint's walls. Save it as PNG or JPEG.")
  }

  private static func failure(
    _ problem: UnsafeMutablePointer<GError>?, _ mediaType: String
  ) -> Failure {
    defer { if let problem { g_error_free(problem) } }
    // Debian's package with a loader for a type that the library itself does not read.
    let package = "libjxl-gdk-pixbuf"
    if mediaType == "image/jxl",
      let error = problem?.pointee, error.domain == gdk_pixbuf_error_quark(),
      error.code == Int32(GDK_PIXBUF_ERROR_UNKNOWN_TYPE.rawValue)
    {
      return Failure.document(
        "The picture can't be read: gdk-pixbuf has no loader for \(mediaType) here. Install \(package)."
      )
    }
    // libheif's loader returns no message.
    let why = problem.flatMap { $0.pointee.message }.map { String(cString: $0) }
    return DamagedPicture.failure(why)
  }
}

/// Gets a picture's size from its loader before its pixels are allocated, and shrinks it to nothing if it is too large.
///
/// It lives for one decoding, on one thread.
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

/// The color map of a TGA file, made readable for gdk-pixbuf, which ignores its first index, and takes two bytes a color
/// for other colors (2.42).
enum TGAColorMap {
  private static let headLength = 18
  /// An index has one byte.
  private static let mostColors = 256

  /// The same file with three bytes a color, counted from 0.
  ///
  /// nil if the file has no color map, or gdk-pixbuf reads it as it is.
  static func expanded(_ file: UnsafeRawBufferPointer) -> [UInt8]? {
    func number(_ place: Int) -> Int { file.number(at: place, bytes: 2, isLittle: true) }
    guard file.count >= headLength, file[1] == 1, [1, 9].contains(file[2]), file[16] == 8 else {
      return nil
    }
    let (first, count, bits) = (number(3), number(5), Int(file[7]))
    let size = (bits + 7) / 8
    let start = headLength + Int(file[0])
    guard [15, 16, 24, 32].contains(bits), bits < 24 || first > 0,
      start + count * size <= file.count
    else { return nil }
    let colors = min(mostColors, first + count)
    var made = Array(file[..<start])
    made.replaceSubrange(3..<8, with: [0, 0, UInt8(colors & 0xFF), UInt8(colors >> 8), 24])
    for index in 0..<colors {
      let place = start + (index - first) * size
      // Five bits each of red, green and blue, from the highest but one.
      let word = index >= first && size == 2 ? number(place) : 0
      for part in 0..<3 {
        let five = word >> (5 * part) & 0x1F
        made.append(
          index < first ? 0 : size == 2 ? UInt8(five << 3 | five >> 2) : file[place + part])
      }
    }
    return made + file[(start + count * size)...]
  }
}
