internal import CQPDF
internal import Glibc

/// Finds Q operators of a content stream without a matching q (ISO 32000-1 §8.4.2).
///
/// Poppler ends a page at the first one, only reports that in its log (`PopplerLog`), and draws nothing after it; other
/// readers ignore it.
struct UnmatchedRestores {
  private let data: qpdf_data?
  /// Forms, fonts and glyphs already searched.
  private var seen: Set<Int32> = []
  /// Bytes of one page's content that may still be unpacked.
  private var budget = UnmatchedRestores.most
  private static let most = 64 << 20

  init(_ data: qpdf_data?) { self.data = data }

  /// Removes them from a page's content, from the forms, tiles, masks and glyphs that it draws, and from its
  /// annotations.
  mutating func remove(from page: qpdf_oh) {
    budget = Self.most
    let contents = qpdf_oh_get_key_if_dict(data, page, "/Contents")
    let isOne = qpdf_oh_is_stream(data, contents) != 0
    // Together, they are one content (§7.8.2).
    var all: [UInt8] = []
    for index in 0..<(isOne ? 1 : items(contents)) {
      let stream = isOne ? contents : qpdf_oh_get_array_item(data, contents, Int32(index))
      guard let bytes = unpacked(stream) else { return }
      all += bytes + [UInt8(ascii: "\n")]
    }
    if let mended = UnmatchedRestores.mended(all) {
      let stream = qpdf_oh_new_stream(data)
      replace(stream, mended)
      qpdf_oh_replace_key(data, page, "/Contents", stream)
    }
    remove(below: page, depth: 0)
    let annotations = qpdf_oh_get_key_if_dict(data, page, "/Annots")
    for index in 0..<items(annotations) {
      let annotation = qpdf_oh_get_array_item(data, annotations, Int32(index))
      let faces = qpdf_oh_get_key_if_dict(data, annotation, "/AP")
      let face = qpdf_oh_get_key_if_dict(data, faces, "/N")
      // A single appearance, or one for each state.
      if qpdf_oh_is_stream(data, face) != 0 {
        remove(fromForm: face, depth: 0)
      } else {
        for state in values(face) { remove(fromForm: state, depth: 0) }
      }
    }
  }

  private mutating func remove(below holder: qpdf_oh, depth: Int) {
    let resources = qpdf_oh_get_key_if_dict(data, holder, "/Resources")
    guard depth < 16 else { return }
    for kind in ["/XObject", "/Pattern"] {
      for object in values(qpdf_oh_get_key_if_dict(data, resources, kind)) {
        remove(fromForm: object, depth: depth + 1)
      }
    }
    for state in values(qpdf_oh_get_key_if_dict(data, resources, "/ExtGState")) {
      let mask = qpdf_oh_get_key_if_dict(data, state, "/SMask")
      remove(fromForm: qpdf_oh_get_key_if_dict(data, mask, "/G"), depth: depth + 1)
    }
    for font in values(qpdf_oh_get_key_if_dict(data, resources, "/Font")) {
      let glyphs = qpdf_oh_get_key_if_dict(data, font, "/CharProcs")
      guard qpdf_oh_is_dictionary(data, glyphs) != 0, isNew(font) else { continue }
      for glyph in values(glyphs) where isNew(glyph) { removeThose(of: glyph) }
      remove(below: font, depth: depth + 1)
    }
  }

  private func values(_ objects: qpdf_oh) -> [qpdf_oh] {
    names(in: objects).map { qpdf_oh_get_key(data, objects, $0) }
  }

  private func names(in objects: qpdf_oh) -> [String] {
    guard qpdf_oh_is_dictionary(data, objects) != 0 else { return [] }
    var names: [String] = []
    qpdf_oh_begin_dict_key_iter(data, objects)
    while names.count < 5_000, qpdf_oh_dict_more_keys(data) != 0,
      let name = qpdf_oh_dict_next_key(data)
    {
      names.append(String(cString: name))
    }
    return names
  }

  /// Removes them from the content of a form or a tile; ignores pictures.
  private mutating func remove(fromForm form: qpdf_oh, depth: Int) {
    guard qpdf_oh_is_stream(data, form) != 0, isNew(form) else { return }
    let members = qpdf_oh_get_dict(data, form)
    let type = qpdf_oh_get_key(data, members, "/Subtype")
    let isTile = qpdf_oh_has_key(data, members, "/PatternType") != 0
    guard isTile || qpdf_oh_is_name_and_equals(data, type, "/Form") != 0 else { return }
    removeThose(of: form)
    remove(below: members, depth: depth)
  }

  private mutating func removeThose(of content: qpdf_oh) {
    if let bytes = unpacked(content), let mended = UnmatchedRestores.mended(bytes) {
      replace(content, mended)
    }
  }

  /// True for an object that was not searched yet; direct objects have no number.
  private mutating func isNew(_ object: qpdf_oh) -> Bool {
    let number = qpdf_oh_get_object_id(data, object)
    return number == 0 || seen.insert(number).inserted
  }

  private func items(_ contents: qpdf_oh) -> Int {
    guard qpdf_oh_is_array(data, contents) != 0 else { return 0 }
    return min(10_000, Int(qpdf_oh_get_array_n_items(data, contents)))
  }

  private mutating func unpacked(_ stream: qpdf_oh) -> [UInt8]? {
    guard qpdf_oh_is_stream(data, stream) != 0 else { return [] }
    let length = qpdf_oh_get_key(data, qpdf_oh_get_dict(data, stream), "/Length")
    guard qpdf_oh_get_int_value(data, length) <= budget else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    var (count, isUnpacked) = (0, QPDF_FALSE)
    let status = qpdf_oh_get_stream_data(
      data, stream, qpdf_dl_generalized, &isUnpacked, &bytes, &count)
    defer { free(bytes) }
    guard status & QPDF_ERRORS == 0, isUnpacked != 0, count <= budget else { return nil }
    budget -= count
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func replace(_ stream: qpdf_oh, _ bytes: [UInt8]) {
    let null = qpdf_oh_new_null(data)
    qpdf_oh_replace_stream_data(data, stream, bytes, bytes.count, null, null)
  }

  // MARK: Content

  /// The content with spaces in place of unmatched operators; nil: there are none.
  static func mended(_ content: [UInt8]) -> [UInt8]? {
    var operators = ContentOperators(content)
    var (saved, mended) = (0, content)
    var isChanged = false
    while let (word, end) = operators.next() {
      if word.count == 1, word.first == UInt8(ascii: "q") { saved += 1 }
      guard word.count == 1, word.first == UInt8(ascii: "Q") else { continue }
      if saved > 0 {
        saved -= 1
      } else {
        mended[end - 1] = UInt8(ascii: " ")
        isChanged = true
      }
    }
    return isChanged ? mended : nil
  }
}

/// The operators of a content stream, one after another (ISO 32000-1 §7.8.2).
struct ContentOperators {
  private let content: [UInt8]
  private var place = 0

  init(_ content: [UInt8]) { self.content = content }

  /// The next operator, or other word that is not a number, and its end; nil at the end.
  mutating func next() -> (word: ArraySlice<UInt8>, end: Int)? {
    while place < content.count {
      switch content[place] {
      case UInt8(ascii: "%"): skip { $0 != 10 && $0 != 13 }
      case UInt8(ascii: "("): skipString()
      case UInt8(ascii: "<"):
        place += 1
        if place < content.count, content[place] != UInt8(ascii: "<") {
          skip { $0 != UInt8(ascii: ">") }
        }
        place += 1
      case UInt8(ascii: "/"):
        place += 1
        skip(while: ContentOperators.isRegular)
      case let byte where ContentOperators.isRegular(byte):
        let start = place
        skip(while: ContentOperators.isRegular)
        // A number may directly precede an operator.
        let word = content[start..<place].drop { ContentOperators.number.contains($0) }
        if word.elementsEqual("ID".utf8) { skipPicture() }
        if !word.isEmpty { return (word, word.endIndex) }
      default: place += 1
      }
    }
    return nil
  }

  private static let number = Array("+-.0123456789".utf8)
  private static let delimiters = Array("()<>[]{}/%".utf8)

  private static func isRegular(_ byte: UInt8) -> Bool { byte > 32 && !delimiters.contains(byte) }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while place < content.count, isSkipped(content[place]) { place += 1 }
  }

  private mutating func skipString() {
    var depth = 0
    while place < content.count {
      switch content[place] {
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      place += 1
      if depth == 0 { return }
    }
  }

  /// Skips the data of an inline picture, which ends at EI between spaces (§8.9.7).
  private mutating func skipPicture() {
    var end = place + 1
    while end + 2 < content.count {
      let isEnd =
        content[end] <= 32 && content[end + 1] == UInt8(ascii: "E")
        && content[end + 2] == UInt8(ascii: "I")
      if isEnd, end + 3 >= content.count || content[end + 3] <= 32 {
        place = end + 3
        return
      }
      end += 1
    }
    place = content.count
  }
}
