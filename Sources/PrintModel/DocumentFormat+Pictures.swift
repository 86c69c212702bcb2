// Pictures, recognized by their first bytes and by their names.

extension DocumentFormat {
  package static let tiff = "image/tiff"
  package static let svg = "image/svg+xml"
  /// JPEG 2000: a JP2 file, or only a codestream.
  package static let jpeg2000 = "image/jp2"
  package static let appleIcon = "image/x-icns"

  /// Returns the media type of a picture by its first bytes.
  package static func picture(_ head: [UInt8]) -> String? {
    for (magic, type) in signatures where head.starts(with: magic) { return type }
    if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    if head.dropFirst(4).starts(with: Array("ftyp".utf8)) { return isoMedia(head) }
    // P1 to P6, then white space (netpbm's formats).
    if head.count > 2, head[0] == 0x50, (0x31...0x36).contains(head[1]),
      [0x09, 0x0A, 0x0D, 0x20, 0x23].contains(head[2])
    {
      return "image/x-portable-anymap"
    }
    return nil
  }

  /// Returns the type of a file in ISO's media format by its brands: AVIF and HEIF are pictures, others are videos.
  private static func isoMedia(_ head: [UInt8]) -> String? {
    let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let brands = head.prefix(min(max(length, 12), 256)).dropFirst(8)
    var types: Set<String> = []
    for start in stride(from: brands.startIndex, to: brands.endIndex - 3, by: 4) {
      switch String(decoding: brands[start..<start + 4], as: UTF8.self) {
      case "avif", "avis": types.insert("image/avif")
      case "heic", "heix", "heim", "heis", "hevc", "mif1", "msf1": types.insert("image/heif")
      default: break
      }
    }
    return types.contains("image/avif") ? "image/avif" : types.first
  }

  /// Returns the type of a picture that is recognized by its name, not by its content.
  static func picture(named name: String) -> String? {
    let name = name.lowercased()
    let types = [
      "tga": "image/x-tga", "xbm": "image/x-xbitmap", "svgz": svg, "svg.gz": svg, "svg": svg,
    ]
    return types.first { name.hasSuffix(".\($0.key)") }?.value
  }

  /// Every picture that is drawn without a converter, and the library that reads it.
  ///
  /// XPM and XBM are excluded: gdk-pixbuf's loaders for them write temporary files, and a process that reads documents
  /// must not write anything.
  package static let pictures: KeyValuePairs = [
    jpeg: "libjpeg-turbo", tiff: "libtiff", svg: "librsvg", png: "libpng", "image/gif": "giflib",
    "image/bmp": "airprint", "image/webp": "libwebp", "image/heif": "libheif",
    "image/avif": "libheif", "image/vnd.microsoft.icon": "gdk-pixbuf", jpeg2000: "Poppler",
    appleIcon: "gdk-pixbuf", "image/x-portable-anymap": "airprint",
    "image/x-tga": "gdk-pixbuf, by the suffix .tga",
    "image/jxl": "gdk-pixbuf with libjxl-gdk-pixbuf",
  ]

  /// Returns true for a type that is recognized only by a file's name.
  package static func isNamedPicture(_ type: String) -> Bool {
    type == "image/x-tga"
  }

  private static let signatures: [(magic: [UInt8], type: String)] = [
    ([0xFF, 0xD8, 0xFF], jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], png),
    (Array("GIF8".utf8), "image/gif"),
    (Array("BM".utf8), "image/bmp"),
    ([0x49, 0x49, 0x2A, 0x00], tiff),
    ([0x4D, 0x4D, 0x00, 0x2A], tiff),
    // BigTIFF
    ([0x49, 0x49, 0x2B, 0x00], tiff),
    ([0x4D, 0x4D, 0x00, 0x2B], tiff),
    ([0x00, 0x00, 0x01, 0x00], "image/vnd.microsoft.icon"),
    (Array("icns".utf8), appleIcon),
    ([0x00, 0x00, 0x00, 0x0C] + Array("jP  ".utf8), jpeg2000),
    ([0xFF, 0x4F, 0xFF, 0x51], jpeg2000),
    (Array("/* XPM */".utf8), "image/x-xpixmap"),
    ([0xFF, 0x0A], "image/jxl"),
    ([0x00, 0x00, 0x00, 0x0C] + Array("JXL ".utf8), "image/jxl"),
  ]
}
