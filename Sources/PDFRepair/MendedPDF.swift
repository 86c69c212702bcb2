internal import CQPDF
internal import DocumentBytes
internal import Glibc
internal import LateLibraries
package import PrintModel

/// A damaged PDF as QPDF writes it: with the references that it finds in the file, and the pages that hang on
/// its tree, whatever the tree says of their number; or without what Poppler ends pages at, fonts that it can't
/// read and fields that the form repeats, and with the bits of pictures that it can't decode.
package final class MendedPDF {
  private var data: qpdf_data?
  /// The new file, which this object owns.
  package let bytes: UnsafeRawBufferPointer
  /// True when `RebuiltReferences` found the objects: parts of the document may be missing.
  package let isRebuilt: Bool

  /// Rewriting a larger file takes more memory than a page may use.
  package static let longest = 48 << 20

  /// A file that Poppler can't read, with what QPDF finds in it, or else what `RebuiltReferences` does; nil when neither
  /// can do it.
  ///
  /// Exit 65 as `init`.
  package static func made(
    from file: UnsafeRawBufferPointer, password: String?
  ) throws(Failure) -> MendedPDF? {
    if let made = try MendedPDF(file, password: password) { return made }
    guard file.count <= longest, let rebuilt = RebuiltReferences.file(for: file) else { return nil }
    return try rebuilt.withUnsafeBufferPointer { bytes throws(Failure) in
      try MendedPDF(UnsafeRawBufferPointer(bytes), password: nil, isRebuilt: true)
    }
  }

  /// nil when QPDF can't do it.
  ///
  /// Throws exit 65 when QPDF reports that a password is missing: Poppler mistakes some files' encryption for damage.
  ///
  /// - `index`: a page whose content Poppler can't draw: see `UnmatchedRestores`, `JBIG2Pictures` and
  ///   `DamagedFonts`.
  /// - `fonts`: names that pages use, and for which there is no font.
  package init?(
    _ file: UnsafeRawBufferPointer, password: String?, forPage index: Int? = nil,
    fonts: [String] = [], isRebuilt: Bool = false
  ) throws(Failure) {
    self.isRebuilt = isRebuilt
    guard file.count <= MendedPDF.longest else { return nil }
    try GraphicsLibraries.pdfObjects.load()
    var source: qpdf_data? = MendedPDF.quiet()
    defer { qpdf_cleanup(&source) }
    let base = file.assumingMemoryBound(to: CChar.self).baseAddress
    guard
      qpdf_read_memory(source, "document", base, UInt64(file.count), password) & QPDF_ERRORS == 0
    else {
      if qpdf_get_error_code(source, qpdf_get_error(source)) == qpdf_e_password {
        throw ProtectedPDF.failure(file, hasPassword: password != nil)
      }
      return nil
    }
    guard !MendedPDF.isGuessed(source, from: file) else { return nil }
    let count = qpdf_get_num_pages(source)
    guard count > 0 else { return nil }
    data = MendedPDF.quiet()
    if let index {
      qpdf_push_inherited_attributes_to_page(source)
      if JBIG2Pictures.mayBe(in: file) {
        var pictures = JBIG2Pictures(source)
        pictures.decode(from: index, of: Int(count))
      }
      var restores = UnmatchedRestores(source)
      let damaged = DamagedFonts(source)
      for index in 0..<Int(count) {
        let page = qpdf_get_page_n(source, index)
        MendedPDF.keepStreams(of: page, source)
        restores.remove(from: page)
        damaged.add(fonts, to: page)
      }
      damaged.removeFiles()
    }
    guard MendedPDF.write(source, count, to: data), let written = qpdf_get_buffer(data) else {
      qpdf_cleanup(&data)
      return nil
    }
    bytes = UnsafeRawBufferPointer(start: written, count: qpdf_get_buffer_length(data))
  }

  deinit { if data != nil { qpdf_cleanup(&data) } }

  /// Takes out of a page's list of contents what is no stream: Poppler draws nothing of such a page.
  private static func keepStreams(of page: qpdf_oh, _ data: qpdf_data?) {
    let all = qpdf_oh_get_key(data, page, "/Contents")
    guard qpdf_oh_is_array(data, all) != 0 else { return }
    let items = (0..<qpdf_oh_get_array_n_items(data, all)).map {
      qpdf_oh_get_array_item(data, all, $0)
    }
    let streams = items.filter { qpdf_oh_is_stream(data, $0) != 0 }
    guard streams.count < items.count else { return }
    let kept = qpdf_oh_new_array(data)
    for stream in streams { qpdf_oh_append_item(data, kept, stream) }
    qpdf_oh_replace_key(data, page, "/Contents", kept)
  }

  /// True for a file without a trailer whose objects QPDF had to look for.
  ///
  /// QPDF 11 refuses such a file. QPDF 12 guesses, and gives blank pages where contents are missing.
  private static func isGuessed(_ data: qpdf_data?, from file: UnsafeRawBufferPointer) -> Bool {
    guard !file.contains("trailer") else { return false }
    while qpdf_more_warnings(data) != 0 {
      let words = qpdf_get_error_message_detail(data, qpdf_next_warning(data))
      if words.map({ String(cString: $0).contains("reconstruct") }) == true { return true }
    }
    return false
  }

  private static func quiet() -> qpdf_data? {
    let data = qpdf_init()
    qpdf_silence_errors(data)
    qpdf_set_suppress_warnings(data, 1)
    return data
  }

  private static func write(_ source: qpdf_data?, _ count: Int32, to copy: qpdf_data?) -> Bool {
    guard qpdf_empty_pdf(copy) & QPDF_ERRORS == 0 else { return false }
    qpdf_push_inherited_attributes_to_page(source)
    var fields = SharedFields(source)
    fields.removeRepeated()
    for index in 0..<Int(count) {
      let page = qpdf_get_page_n(source, index)
      guard qpdf_add_page(copy, source, page, QPDF_FALSE) & QPDF_ERRORS == 0 else { return false }
    }
    // Keep hidden layers hidden, and the fonts of form fields.
    for key in ["/OCProperties", "/AcroForm", "/PageLabels"] {
      let value = qpdf_oh_get_key(source, qpdf_get_root(source), key)
      guard qpdf_oh_is_dictionary(source, value) != 0 else { continue }
      let indirect = qpdf_make_indirect_object(source, value)
      qpdf_oh_replace_key(
        copy, qpdf_get_root(copy), key, qpdf_oh_copy_foreign_object(copy, source, indirect))
    }
    return qpdf_init_write_memory(copy) & QPDF_ERRORS == 0
      && qpdf_write(copy) & QPDF_ERRORS == 0
  }
}
