internal import CPixbuf
internal import CTurboJPEG
import CGLib
import Glibc
import TestSupport

/// A picture file for one test, written byte by byte, with features that gdk-pixbuf can't write.
struct PictureFile {
  var width: Int
  var height: Int
  /// The number of bytes per pixel: red, green, blue and alpha; gray, and alpha in TIFF; or four inks.
  var channels: Int
  var pixels: [UInt8]
  /// True if the four channels are cyan, magenta, yellow and black, 255 for full ink.
  var isInk = false
  /// TIFF's kind of the last channel: 0 is of no stated meaning, 2 is an opacity.
  var extraSample = 2
  /// The EXIF orientation.
  var orientation: Int?
  var profile: [UInt8] = []
  /// The resolution in dots per inch.
  var resolution: Int?

  /// Creates a picture of one color.
  init(width: Int = 24, height: Int = 16, color: [UInt8]) {
    self.width = width
    self.height = height
    channels = color.count
    pixels = (0..<width * height).flatMap { _ in color }
  }

  /// Creates a white picture of 24 × 16 pixels with squares in the corners: red, green, blue and black, in reading
  /// order.
  ///
  /// It is stored so that `orientation` turns it upright (EXIF 2.3 §4.6.4).
  init(cornersTurned orientation: Int) {
    let (across, down) = (24, 16)
    func seen(_ x: Int, _ y: Int) -> [UInt8] {
      switch (x < 6, x >= across - 6, y < 6, y >= down - 6) {
      case (true, _, true, _): [255, 0, 0]
      case (_, true, true, _): [0, 255, 0]
      case (true, _, _, true): [0, 0, 255]
      case (_, true, _, true): [0, 0, 0]
      default: [255, 255, 255]
      }
    }
    self.init(
      width: orientation >= 5 ? down : across, height: orientation >= 5 ? across : down,
      color: [0, 0, 0])
    self.orientation = orientation
    pixels = (0..<height).flatMap { row in
      (0..<width).flatMap { column -> [UInt8] in
        // The position of the file's row 0 and column 0 in the upright picture.
        switch orientation {
        case 2: seen(across - 1 - column, row)
        case 3: seen(across - 1 - column, down - 1 - row)
        case 4: seen(column, down - 1 - row)
        case 5: seen(row, column)
        case 6: seen(across - 1 - row, column)
        case 7: seen(across - 1 - row, down - 1 - column)
        case 8: seen(row, down - 1 - column)
        default: seen(column, row)
        }
      }
    }
  }

  /// An EXIF block that only contains an orientation.
  private var exif: [UInt8] {
    guard let orientation else { return [] }
    return Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
      + [UInt8(orientation), 0, 0, 0, 0, 0, 0, 0]
  }
}

func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

/// Concatenates arrays: long sums of arrays take the compiler a long time.
func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

// MARK: - PNG

extension PictureFile {
  /// - `depth`: 8 or 16 bits; with 16, every byte is stored twice.
  func png(depth: Int = 8) -> [UInt8] {
    let kind: UInt8 = [1: 0, 3: 2, 4: 6][channels] ?? 0
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += PNGFile.chunk("IHDR", big(width, 4) + big(height, 4) + [UInt8(depth), kind, 0, 0, 0])
    if !profile.isEmpty {
      file += PNGFile.chunk("iCCP", Array("test\0\0".utf8) + PNGFile.stored(profile))
    }
    if let resolution {
      let metre = Int((Double(resolution) / 0.0254).rounded())
      file += PNGFile.chunk("pHYs", big(metre, 4) + big(metre, 4) + [1])
    }
    if orientation != nil { file += PNGFile.chunk("eXIf", exif) }
    let lines = (0..<height).flatMap { y -> [UInt8] in
      let line = pixels[y * width * channels..<(y + 1) * width * channels]
      return [0] + (depth == 16 ? line.flatMap { [$0, $0] } : Array(line))
    }
    return file + PNGFile.chunk("IDAT", PNGFile.stored(lines)) + PNGFile.chunk("IEND", [])
  }
}

enum PNGFile {
  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + body
    var check: UInt32 = 0xFFFF_FFFF
    for byte in named {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
    }
    return big(body.count, 4) + named + big(Int(~check), 4)
  }

  /// Returns a deflate stream without compression (RFC 1950, RFC 1951).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: max(1, bytes.count), by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      file += [block.endIndex == bytes.count ? 1 : 0] + little(block.count, 2)
      file += little(~block.count, 2) + block
    }
    var (one, two): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      one = (one + UInt32(byte)) % 65_521
      two = (two + one) % 65_521
    }
    return file + big(Int(two << 16 | one), 4)
  }
}

// MARK: - JPEG

extension PictureFile {
  /// - `isAdobe`: true to mark four inks as Adobe's, which are stored inverted.
  func jpeg(isAdobe: Bool = true) throws -> [UInt8] {
    guard let encoder = tjInitCompress() else { throw Missing("an encoder of JPEG") }
    defer { tjDestroy(encoder) }
    var data: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let formats: [Int: TJPF] = [1: TJPF_GRAY, 3: TJPF_RGB, 4: TJPF_CMYK]
    let kind = channels == 1 ? TJSAMP_GRAY : TJSAMP_444
    let status = tjCompress2(
      encoder, pixels, Int32(width), 0, Int32(height),
      Int32((formats[channels] ?? TJPF_RGB).rawValue),
      &data, &count, Int32(kind.rawValue), 95, 0)
    guard status == 0, let data else { throw Missing("a JPEG file") }
    defer { tjFree(data) }
    var file = Array(UnsafeBufferPointer(start: data, count: Int(count)))
    if !isAdobe, let place = file.firstRange(of: [0xFF, 0xEE]) {
      file.removeSubrange(place.lowerBound..<place.lowerBound + 2 + Int(file[place.upperBound + 1]))
    }
    if let resolution, let place = file.firstRange(of: Array("JFIF\0".utf8))?.upperBound {
      file.replaceSubrange(
        place + 2..<place + 7, with: [1] + big(resolution, 2) + big(resolution, 2))
    }
    var segments: [UInt8] = []
    func segment(_ marker: UInt8, _ body: [UInt8]) {
      segments += [0xFF, marker] + big(body.count + 2, 2) + body
    }
    if orientation != nil { segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    // Stored in two parts, the second first.
    let half = profile.count / 2
    if !profile.isEmpty {
      let name = Array("ICC_PROFILE\0".utf8)
      segment(0xE2, joined(name, [2, 2], Array(profile[half...])))
      segment(0xE2, joined(name, [1, 2], Array(profile[..<half])))
    }
    return joined(Array(file[..<2]), segments, Array(file[2...]))
  }
}

// MARK: - TIFF

extension PictureFile {
  func tiff() -> [UInt8] { PictureFile.tiff([self]) }

  /// Returns a little-endian file of several pages, each a single strip without compression.
  static func tiff(_ pages: [PictureFile]) -> [UInt8] {
    var file = Array("II*\0".utf8) + [0, 0, 0, 0]
    var link = 4
    for page in pages {
      let strip = file.count
      file += page.pixels
      let profile = file.count
      file += page.profile
      let bits = file.count
      file += (0..<4).flatMap { _ in little(8, 2) }
      let density = file.count
      file += little(page.resolution ?? 72, 4) + little(1, 4)
      if file.count % 2 == 1 { file.append(0) }
      var tags: [(tag: Int, type: Int, count: Int, value: Int)] = [
        (256, 4, 1, page.width), (257, 4, 1, page.height),
        (258, 3, page.channels, page.channels == 1 ? 8 : page.channels == 2 ? 0x8_0008 : bits),
        (259, 3, 1, 1), (262, 3, 1, page.isInk ? 5 : page.channels < 3 ? 1 : 2), (273, 4, 1, strip),
        (274, 3, 1, page.orientation ?? 1), (277, 3, 1, page.channels), (278, 4, 1, page.height),
        (279, 4, 1, page.pixels.count),
      ]
      if page.resolution != nil {
        tags += [(282, 5, 1, density), (283, 5, 1, density), (296, 3, 1, 2)]
      }
      if page.channels % 2 == 0 && !page.isInk { tags.append((338, 3, 1, page.extraSample)) }
      if !page.profile.isEmpty { tags.append((34_675, 7, page.profile.count, profile)) }
      file.replaceSubrange(link..<link + 4, with: little(file.count, 4))
      file += little(tags.count, 2)
      for tag in tags {
        file +=
          little(tag.tag, 2) + little(tag.type, 2) + little(tag.count, 4) + little(tag.value, 4)
      }
      link = file.count
      file += [0, 0, 0, 0]
    }
    return file
  }
}

// MARK: - WebP

extension PictureFile {
  /// Encodes it as lossless WebP, in the extended format with chunks for metadata.
  ///
  /// - `canvas`: that of an animation, of which it is the first picture, at an even place.
  func webp(
    on canvas: (width: Int, height: Int, x: Int, y: Int)? = nil
  ) throws -> [UInt8] {
    let simple = try encoded("webp", options: ["quality": "100"])
    var picture = Array(simple[12...])
    let flags: UInt8 =
      (profile.isEmpty ? 0 : 0x20) | (orientation == nil ? 0 : 0x08) | (canvas == nil ? 0 : 0x02)
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      joined(Array(name.utf8), little(body.count, 4), body, body.count % 2 == 1 ? [0] : [])
    }
    let size = little(width - 1, 3) + little(height - 1, 3)
    var extended = [flags, 0, 0, 0] + size
    if let canvas {
      extended = [flags, 0, 0, 0] + little(canvas.width - 1, 3) + little(canvas.height - 1, 3)
      let place = little(canvas.x / 2, 3) + little(canvas.y / 2, 3)
      picture =
        chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunk("ANMF", place + size + [100, 0, 0, 0] + picture)
    }
    let body = joined(
      Array("WEBP".utf8), chunk("VP8X", extended), profile.isEmpty ? [] : chunk("ICCP", profile),
      picture, orientation == nil ? [] : chunk("EXIF", exif))
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  /// Encodes it with gdk-pixbuf's own writer.
  private func encoded(_ type: String, options: [String: String]) throws -> [UInt8] {
    guard let pixbuf = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, Int32(width), Int32(height)),
      let target = gdk_pixbuf_get_pixels(pixbuf)
    else { throw Missing("a picture") }
    defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
    let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    for y in 0..<height {
      for index in 0..<3 * width { target[y * stride + index] = pixels[y * 3 * width + index] }
    }
    var keys = options.keys.map { strdup($0) } + [nil]
    var values = options.keys.map { strdup(options[$0] ?? "") } + [nil]
    defer { (keys + values).forEach { free($0) } }
    var buffer: UnsafeMutablePointer<gchar>?
    var count: gsize = 0
    guard
      gdk_pixbuf_save_to_bufferv(pixbuf, &buffer, &count, type, &keys, &values, nil) != 0,
      let buffer
    else { throw Missing("a picture as \(type): webp-pixbuf-loader") }
    defer { g_free(buffer) }
    return UnsafeBufferPointer(start: buffer, count: Int(count)).map { UInt8(bitPattern: $0) }
  }
}
