internal import CQPDF
internal import DocumentBytes
package import PrintModel

/// A PDF whose objects QPDF reads, changes and writes.
final class PDFFile {
  let data: qpdf_data? = PDFFile.quiet()

  enum Problem: Error { case isDamaged, lacksPassword }

  /// Reads a file, whose bytes the caller keeps.
  init(_ bytes: UnsafeRawBufferPointer, password: String?) throws(Problem) {
    let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress
    let status = qpdf_read_memory(data, "document", base, UInt64(bytes.count), password)
    guard status & QPDF_ERRORS != 0 else { return }
    let code = qpdf_get_error_code(data, qpdf_get_error(data))
    throw code == qpdf_e_password ? .lacksPassword : .isDamaged
  }

  /// A file without pages.
  init() { qpdf_empty_pdf(data) }

  deinit {
    var data = data
    qpdf_cleanup(&data)
  }

  private static func quiet() -> qpdf_data? {
    let data = qpdf_init()
    qpdf_silence_errors(data)
    qpdf_set_suppress_warnings(data, 1)
    return data
  }

  // MARK: Objects

  var pageCount: Int { Int(qpdf_get_num_pages(data)) }
  var root: PDFObject { PDFObject(self, qpdf_get_root(data)) }
  var trailer: PDFObject { PDFObject(self, qpdf_get_trailer(data)) }

  /// A page with its own attributes; see `inheritAttributes`.
  func page(_ index: Int) -> PDFObject { PDFObject(self, qpdf_get_page_n(data, index)) }

  /// An object by its number, in its first generation; null if there is none.
  func object(_ number: Int32) -> PDFObject {
    PDFObject(self, qpdf_get_object_by_id(data, number, 0))
  }

  /// Gives each page the attributes that it has from the page tree (ISO 32000-1 §7.7.3.4).
  func inheritAttributes() { qpdf_push_inherited_attributes_to_page(data) }

  /// Frees what QPDF keeps for the objects that were handed out, which must not be used any more.
  func releaseObjects() { qpdf_oh_release_all(data) }

  /// True if QPDF had to look for the objects, because their references are damaged; asked once.
  func takeReconstruction() -> Bool {
    while qpdf_more_warnings(data) != 0 {
      let words = qpdf_get_error_message_detail(data, qpdf_next_warning(data))
      if words.map({ String(cString: $0).contains("reconstruct") }) == true { return true }
    }
    return false
  }

  /// True if QPDF found damage in what it has read.
  var hasWarnings: Bool { qpdf_more_warnings(data) != 0 }

  /// A new object in PDF's syntax: `<< /Type /Font >>`.
  func new(_ text: String) -> PDFObject { PDFObject(self, qpdf_oh_parse(data, text)) }

  func new(_ items: [PDFObject]) -> PDFObject {
    let array = qpdf_oh_new_array(data)
    for item in items { qpdf_oh_append_item(data, array, item.handle) }
    return PDFObject(self, array)
  }

  /// A new stream, whose data is not packed.
  func newStream(_ bytes: [UInt8]) -> PDFObject {
    let stream = PDFObject(self, qpdf_oh_new_stream(data))
    stream.replaceData(with: bytes)
    return stream
  }

  // MARK: Writing

  /// Adds a page of another file; false: QPDF can't.
  func add(_ page: PDFObject) -> Bool {
    qpdf_add_page(data, page.file.data, page.handle, QPDF_FALSE) & QPDF_ERRORS == 0
  }

  /// Copies dictionaries of another file's catalog.
  func copyCatalog(_ names: [String], of other: PDFFile) {
    for name in names {
      let value = other.root[name]
      guard value.isDictionary else { continue }
      let indirect = qpdf_make_indirect_object(other.data, value.handle)
      root[name] = PDFObject(self, qpdf_oh_copy_foreign_object(data, other.data, indirect))
    }
  }

  /// The file as it is written, which is valid as long as this object; nil: QPDF can't write it.
  func written() -> UnsafeRawBufferPointer? {
    guard qpdf_init_write_memory(data) & QPDF_ERRORS == 0, qpdf_write(data) & QPDF_ERRORS == 0,
      let bytes = qpdf_get_buffer(data)
    else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: qpdf_get_buffer_length(data))
  }
}

package enum ProtectedPDF {
  /// The failure, exit 65, of a password-protected PDF; `hasPassword`: the given password is wrong.
  package static func failure(_ file: UnsafeRawBufferPointer, hasPassword: Bool) -> Failure {
    // Only the standard security handler has passwords (ISO 32000-1 §7.6.4).
    guard file.contains("/Standard"), !file.contains("/Adobe.PubSec") else {
      return .document(
        "The PDF can be opened only with a certificate, or by a certain program: save a copy without that protection."
      )
    }
    return Failure(
      .documentPassword,
      hasPassword
        ? "The PDF is protected by a password, and the password in --document-password-file does not open "
          + "it: the first line of that file must be the password."
        : "The PDF is protected by a password: give it with --document-password-file FILE.")
  }
}
