internal import CQPDF
internal import Glibc
internal import PrintModel

/// A damaged PDF as rewritten by QPDF.
///
/// It has the references that QPDF finds in the file, and all pages of the page tree, whatever number the tree states.
/// For a page that Poppler can't draw, it is also written without operators at which Poppler ends pages, and with
/// decoded pictures.
final class MendedPDF {
  private var data: qpdf_data?
  /// The new file, which this object owns.
  let bytes: UnsafeRawBufferPointer

  /// Rewriting a larger file takes more memory than a page may use.
  static let longest = 48 << 20

  /// Rewrites a file; nil when QPDF can't read it, either.
  ///
  /// Throws exit 65 when QPDF reports that a password is missing: Poppler mistakes some files' encryption for damage.
  ///
  /// - `index`: a page whose content Poppler can't draw: see `UnmatchedRestores` and `JBIG2Pictures`.
  init?(
    _ file: UnsafeRawBufferPointer, password: String?, forPage index: Int? = nil
  ) throws(Failure) {
    guard file.count <= MendedPDF.longest else { return nil }
    try GraphicsLibraries.pdfObjects.load()
    var source: qpdf_data? = MendedPDF.quiet()
    defer { qpdf_cleanup(&source) }
    let base = file.assumingMemoryBound(to: CChar.self).baseAddress
    guard
      qpdf_read_memory(source, "document", base, UInt64(file.count), password) & QPDF_ERRORS == 0
    else {
      if qpdf_get_error_code(source, qpdf_get_error(source)) == qpdf_e_password {
        throw PDFPages.locked(hasPassword: password != nil)
      }
      return nil
    }
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
      for index in 0..<Int(count) { restores.remove(from: qpdf_get_page_n(source, index)) }
    }
    guard MendedPDF.write(source, count, to: data), let written = qpdf_get_buffer(data) else {
      qpdf_cleanup(&data)
      return nil
    }
    bytes = UnsafeRawBufferPointer(start: written, count: qpdf_get_buffer_length(data))
  }

  deinit { if data != nil { qpdf_cleanup(&data) } }

  private static func quiet() -> qpdf_data? {
    let data = qpdf_init()
    qpdf_silence_errors(data)
    qpdf_set_suppress_warnings(data, 1)
    return data
  }

  private static func write(_ source: qpdf_data?, _ count: Int32, to copy: qpdf_data?) -> Bool {
    guard qpdf_empty_pdf(copy) & QPDF_ERRORS == 0 else { return false }
    qpdf_push_inherited_attributes_to_page(source)
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
