internal import CJBIG2
internal import CQPDF
internal import DocumentBytes
internal import Glibc
internal import LateLibraries

/// Pictures in JBIG2 (ITU-T T.88, ISO 32000-1 §7.4.7) that Poppler can't decode, replaced by bits decoded with
/// jbig2dec.
///
/// Poppler (22 to 26) fails at halftones that skip, at symbols without width and at symbols whose bits are not packed;
/// then it draws nothing, and only logs a message.
package struct JBIG2Pictures {
  private let data: qpdf_data?

  /// Bytes of decoded pictures that may still be inserted: QPDF keeps them in memory until the file is written.
  private var budget = 64 << 20
  /// Pictures and forms that were already examined.
  private var seen: Set<Int32> = []
  private static let mostObjects = 10_000
  /// Maximum size of a compressed picture, in bytes.
  private static let longest = 32 << 20

  init(_ data: qpdf_data?) { self.data = data }

  /// True when a file may contain such pictures: their dictionaries are not compressed.
  package static func mayBe(in file: UnsafeRawBufferPointer) -> Bool {
    file.contains("/JBIG2Decode")
  }

  /// Replaces all pictures that jbig2dec can decode, on this page and the following ones, then on the previous ones, as
  /// far as the budget goes.
  ///
  /// The others stay as they are.
  mutating func decode(from index: Int, of count: Int) {
    guard (try? GraphicsLibraries.jbig2.load()) != nil else { return }
    for page in Array(index..<count) + Array(0..<index) where budget > 0 {
      decode(below: qpdf_get_page_n(data, page), depth: 0)
    }
  }

  private mutating func decode(below holder: qpdf_oh, depth: Int) {
    let resources = qpdf_oh_get_key_if_dict(data, holder, "/Resources")
    guard depth < 16 else { return }
    for kind in ["/XObject", "/Pattern"] {
      let objects = qpdf_oh_get_key_if_dict(data, resources, kind)
      guard qpdf_oh_is_dictionary(data, objects) != 0 else { continue }
      var names: [String] = []
      qpdf_oh_begin_dict_key_iter(data, objects)
      while names.count < 1_000, qpdf_oh_dict_more_keys(data) != 0,
        let name = qpdf_oh_dict_next_key(data)
      {
        names.append(String(cString: name))
      }
      for name in names { look(at: qpdf_oh_get_key(data, objects, name), depth: depth) }
    }
  }

  /// Decodes a picture and its masks, or the pictures in a form.
  private mutating func look(at object: qpdf_oh, depth: Int) {
    guard budget > 0, qpdf_oh_is_stream(data, object) != 0, seen.count < JBIG2Pictures.mostObjects,
      seen.insert(qpdf_oh_get_object_id(data, object)).inserted
    else { return }
    let members = qpdf_oh_get_dict(data, object)
    guard
      qpdf_oh_is_name_and_equals(data, qpdf_oh_get_key(data, members, "/Subtype"), "/Image") != 0
    else { return decode(below: members, depth: depth + 1) }
    decode(object, members)
    for mask in ["/SMask", "/Mask"] {
      look(at: qpdf_oh_get_key(data, members, mask), depth: depth + 1)
    }
  }

  private mutating func decode(_ picture: qpdf_oh, _ members: qpdf_oh) {
    let filter = only(qpdf_oh_get_key(data, members, "/Filter"))
    guard qpdf_oh_is_name_and_equals(data, filter, "/JBIG2Decode") != 0 else { return }
    let width = Int(qpdf_oh_get_int_value(data, qpdf_oh_get_key(data, members, "/Width")))
    let height = Int(qpdf_oh_get_int_value(data, qpdf_oh_get_key(data, members, "/Height")))
    guard (1...65_535).contains(width), (1...65_535).contains(height),
      (width + 7) / 8 * height <= budget, let packed = bytes(of: picture, qpdf_dl_none)
    else { return }
    budget -= (width + 7) / 8 * height
    let parameters = only(qpdf_oh_get_key(data, members, "/DecodeParms"))
    let globals = bytes(
      of: qpdf_oh_get_key_if_dict(data, parameters, "/JBIG2Globals"), qpdf_dl_generalized)
    guard let bits = JBIG2Pictures.bits(of: packed, globals ?? [], width, height) else { return }
    let null = qpdf_oh_new_null(data)
    qpdf_oh_replace_stream_data(data, picture, bits, bits.count, null, null)
  }

  /// A value, or the only element of an array.
  private func only(_ value: qpdf_oh) -> qpdf_oh {
    qpdf_oh_is_array(data, value) != 0 && qpdf_oh_get_array_n_items(data, value) == 1
      ? qpdf_oh_get_array_item(data, value, 0) : value
  }

  private func bytes(of stream: qpdf_oh, _ level: qpdf_stream_decode_level_e) -> [UInt8]? {
    guard qpdf_oh_is_stream(data, stream) != 0 else { return nil }
    let length = qpdf_oh_get_key(data, qpdf_oh_get_dict(data, stream), "/Length")
    guard qpdf_oh_get_int_value(data, length) <= JBIG2Pictures.longest else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = qpdf_oh_get_stream_data(data, stream, level, nil, &bytes, &count)
    defer { free(bytes) }
    guard status & QPDF_ERRORS == 0, count <= JBIG2Pictures.longest else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
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
