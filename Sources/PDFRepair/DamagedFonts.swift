internal import CQPDF
internal import DocumentBytes
internal import Glibc

/// Fonts of a PDF with which Poppler draws no letter: those whose data can't be unpacked to its end (ISO 32000-1 §9.9),
/// and names that are missing from a page's resources.
///
/// Other readers take another font for them, as Poppler does where it is told of one.
struct DamagedFonts {
  private let data: qpdf_data?
  private static let mostObjects: Int32 = 100_000
  private static let symbols = [
    "ZaDb": "/BaseFont /ZapfDingbats", "Symb": "/BaseFont /Symbol", "Symbol": "/BaseFont /Symbol",
    "ZapfDingbats": "/BaseFont /ZapfDingbats",
  ]

  init(_ data: qpdf_data?) { self.data = data }

  /// Gives a page those of `names` that it has no font for: Helvetica, or the symbols that Acrobat's names stand for.
  ///
  /// What the page draws may use them, too.
  func add(_ names: [String], to page: qpdf_oh) {
    guard !names.isEmpty else { return }
    let resources = dictionary("/Resources", of: page)
    let fonts = dictionary("/Font", of: resources)
    for name in names where qpdf_oh_has_key(data, fonts, "/" + name) == 0 {
      let font =
        DamagedFonts.symbols[name] ?? "/BaseFont /Helvetica /Encoding /WinAnsiEncoding"
      qpdf_oh_replace_key(
        data, fonts, "/" + name, qpdf_oh_parse(data, "<< /Type /Font /Subtype /Type1 \(font) >>"))
    }
  }

  /// A member that is a dictionary, and is made when there is none.
  private func dictionary(_ key: String, of holder: qpdf_oh) -> qpdf_oh {
    let known = qpdf_oh_get_key(data, holder, key)
    if qpdf_oh_is_dictionary(data, known) != 0 { return known }
    qpdf_oh_replace_key(data, holder, key, qpdf_oh_new_dictionary(data))
    return qpdf_oh_get_key(data, holder, key)
  }

  /// Removes font files that are cut off; several descriptors may have the same one.
  func removeFiles() {
    var known: [Int32: Bool] = [:]
    let size = qpdf_oh_get_int_value(data, qpdf_oh_get_key(data, qpdf_get_trailer(data), "/Size"))
    for number in 1..<max(2, min(Int32(clamping: size), Self.mostObjects)) {
      let object = qpdf_get_object_by_id(data, number, 0)
      defer { qpdf_oh_release(data, object) }
      guard qpdf_oh_is_dictionary(data, object) != 0 else { continue }
      for key in ["/FontFile", "/FontFile2", "/FontFile3"]
      where qpdf_oh_has_key(data, object, key) != 0 {
        let file = qpdf_oh_get_key_if_dict(data, object, key)
        let number = qpdf_oh_get_object_id(data, file)
        let isDamaged = known[number] ?? isDamaged(file)
        known[number] = isDamaged
        if isDamaged { qpdf_oh_remove_key(data, object, key) }
      }
    }
  }

  private func isDamaged(_ file: qpdf_oh) -> Bool {
    guard qpdf_oh_is_stream(data, file) != 0 else { return false }
    let members = qpdf_oh_get_dict(data, file)
    guard
      qpdf_oh_is_name_and_equals(
        data, qpdf_oh_get_key_if_dict(data, members, "/Filter"), "/FlateDecode") != 0
    else { return false }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = qpdf_oh_get_stream_data(data, file, qpdf_dl_none, nil, &bytes, &count)
    defer { free(bytes) }
    guard status & QPDF_ERRORS == 0 else { return false }
    let unpacked = InflatedStream(
      UnsafeRawBufferPointer(start: bytes, count: count), atMost: 64 << 20)
    // What comes behind the font itself is nothing to a reader.
    let length = qpdf_oh_get_int_value(data, qpdf_oh_get_key_if_dict(data, members, "/Length1"))
    return !unpacked.isWhole && (length <= 0 || unpacked.bytes.count < length)
  }
}
