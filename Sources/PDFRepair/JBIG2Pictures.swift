internal import CJBIG2
internal import DocumentBytes
internal import LateLibraries

/// Pictures in JBIG2 (ITU-T T.88, ISO 32000-1 §7.4.7) that Poppler can't decode, replaced by bits decoded with
/// jbig2dec.
///
/// Poppler (22 to 26) fails at halftones that skip, at symbols without width and at symbols whose bits are not packed;
/// then it draws nothing, and only logs a message.
package struct JBIG2Pictures {
  /// Bytes of decoded pictures that may still be inserted: QPDF keeps them in memory until the file is written.
  private var budget = 64 << 20
  /// Maximum size of a compressed picture, in bytes.
  private static let longest = 32 << 20

  /// True when a file may contain such pictures: their dictionaries are not compressed.
  package static func mayBe(in file: UnsafeRawBufferPointer) -> Bool {
    file.contains("/JBIG2Decode")
  }

  /// Replaces all pictures that jbig2dec can decode, on this page and the following ones, then on the previous ones, as
  /// far as the budget goes.
  ///
  /// The others stay as they are.
  mutating func decode(in file: PDFFile, from index: Int) {
    guard (try? GraphicsLibraries.jbig2.load()) != nil else { return }
    var drawn = DrawnStreams()
    for page in Array(index..<file.pageCount) + Array(0..<index) where budget > 0 {
      for picture in drawn.new(on: file.page(page)) where picture["Subtype"].name == "Image" {
        decode(picture)
      }
    }
  }

  private mutating func decode(_ picture: PDFObject) {
    func only(_ name: String) -> PDFObject? {
      let all = picture[name].oneOrAll
      return all.count == 1 ? all[0] : nil
    }
    let (width, height) = (picture["Width"].integer, picture["Height"].integer)
    guard only("Filter")?.name == "JBIG2Decode", (1...65_535).contains(width),
      (1...65_535).contains(height), (width + 7) / 8 * height <= budget,
      let packed = picture.data(atMost: JBIG2Pictures.longest, isPacked: true)
    else { return }
    budget -= (width + 7) / 8 * height
    let globals = only("DecodeParms")?["JBIG2Globals"].data(atMost: JBIG2Pictures.longest)
    guard let bits = JBIG2Pictures.bits(of: packed, globals ?? [], width, height) else { return }
    picture.replaceData(with: bits)
  }

  /// The picture's rows of whole bytes, where 1 is white, as in DeviceGray; nil: jbig2dec can't decode all of it,
  /// either.
  ///
  /// Areas outside the picture are white.
  static func bits(
    of picture: [UInt8], _ globals: [UInt8], _ width: Int, _ height: Int
  ) -> [UInt8]? {
    // jbig2dec waits for missing data, without an error.
    guard isWhole(picture) else { return nil }
    let hasFailed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    hasFailed.initialize(to: false)
    defer { hasFailed.deallocate() }
    var shared: OpaquePointer?
    if !globals.isEmpty {
      guard let reader = open(nil, hasFailed) else { return nil }
      jbig2_data_in(reader, globals, globals.count)
      shared = jbig2_make_global_ctx(reader)
    }
    defer { if let shared { jbig2_global_ctx_free(shared) } }
    guard let reader = open(shared, hasFailed) else { return nil }
    defer { jbig2_ctx_free(reader) }
    guard jbig2_data_in(reader, picture, picture.count) >= 0 else { return nil }
    // Many PDFs contain no end of page.
    guard let page = jbig2_page_out(reader) ?? completed(reader) else { return nil }
    defer { jbig2_release_page(reader, page) }
    guard let pixels = page.pointee.data, !hasFailed.pointee else { return nil }
    let (stride, rows) = (Int(page.pointee.stride), min(height, Int(page.pointee.height)))
    let length = (width + 7) / 8
    var bits = [UInt8](repeating: 0xFF, count: length * height)
    for row in 0..<rows {
      for place in 0..<min(length, stride) {
        bits[row * length + place] = ~pixels[row * stride + place]
      }
    }
    return bits
  }

  private static func completed(_ reader: OpaquePointer) -> UnsafeMutablePointer<Jbig2Image>? {
    jbig2_complete_page(reader) >= 0 ? jbig2_page_out(reader) : nil
  }

  /// nil when the library's version differs from its header's, and when memory runs out.
  private static func open(
    _ shared: OpaquePointer?, _ hasFailed: UnsafeMutablePointer<Bool>
  ) -> OpaquePointer? {
    jbig2_ctx_new_imp(
      nil, JBIG2_OPTIONS_EMBEDDED, shared,
      { hasFailed, _, severity, _ in
        if severity == JBIG2_SEVERITY_FATAL {
          hasFailed?.assumingMemoryBound(to: Bool.self).pointee = true
        }
      }, hasFailed, JBIG2_VERSION_MAJOR, JBIG2_VERSION_MINOR)
  }

  /// True when the last segment ends with the data, or is followed only by a line ending (T.88 §7.2).
  static func isWhole(_ data: [UInt8]) -> Bool {
    var place = 0
    func number(_ count: Int) -> Int? {
      guard place + count <= data.count else { return nil }
      defer { place += count }
      return data[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    while place + 3 < data.count {
      guard let segment = number(4), let flags = number(1), let few = number(1) else {
        return false
      }
      var others = few >> 5
      if others == 7 {
        place -= 1
        guard let many = number(4) else { return false }
        others = many & 0x1FFF_FFFF
        place += (others + 8) / 8
      }
      place += others * (segment <= 256 ? 1 : segment <= 65_536 ? 2 : 4)
      place += flags & 0x40 == 0 ? 1 : 4
      guard let length = number(4) else { return false }
      // A region of unknown length has an end marker of its own.
      if length == 0xFFFF_FFFF { return true }
      place += length
      guard place <= data.count else { return false }
    }
    return true
  }
}
