internal import CQPDF
internal import Glibc
internal import LateLibraries
package import PrintModel

/// The objects of a PDF as read by QPDF, for properties that Poppler's interface does not expose.
package final class PDFObjects {
  private var data: qpdf_data?
  private var needs: [Int: Bool] = [:]
  /// See `SplashScan`.
  private var fonts: [Int32: Bool] = [:]

  /// nil when QPDF can't read a file that Poppler may have repaired.
  package init?(_ file: UnsafeRawBufferPointer, password: String?, count: Int) throws(Failure) {
    try GraphicsLibraries.pdfObjects.load()
    data = qpdf_init()
    qpdf_silence_errors(data)
    qpdf_set_suppress_warnings(data, 1)
    let base = file.assumingMemoryBound(to: CChar.self).baseAddress
    let status = qpdf_read_memory(data, "document", base, UInt64(file.count), password)
    guard status & QPDF_ERRORS == 0, Int(qpdf_get_num_pages(data)) == count else {
      qpdf_cleanup(&data)
      return nil
    }
  }

  deinit { if data != nil { qpdf_cleanup(&data) } }

  /// The unit of each of `count` pages, in points (ISO 32000-1 §14.11.2.1, UserUnit); empty when all are points.
  ///
  /// Drawings larger than 5 m have it. No version of Poppler in a distribution reads it.
  package func units(count: Int) -> [Double] {
    var units: [Double] = []
    for index in 0..<count {
      let page = qpdf_get_page_n(data, index)
      let unit = qpdf_oh_get_key(data, page, "/UserUnit")
      let value = qpdf_oh_is_number(data, unit) != 0 ? qpdf_oh_get_numeric_value(data, unit) : 1
      units.append(value.isFinite && value > 0 ? value : 1)
      qpdf_oh_release_all(data)
    }
    return units.allSatisfy { $0 == 1 } ? [] : units
  }

  /// True when a page contains something that cairo can't draw.
  package func needsSplash(_ index: Int) -> Bool {
    if let known = needs[index] { return known }
    qpdf_push_inherited_attributes_to_page(data)
    var scan = SplashScan(data, fonts: fonts)
    let isNeeded = scan.finds(on: qpdf_get_page_n(data, index))
    fonts = scan.fonts
    qpdf_oh_release_all(data)
    needs[index] = isNeeded
    return isNeeded
  }

  /// Warnings about content that Poppler leaves out of a document of `count` pages, or prints differently: see
  /// `PDFOmissions`.
  package func omissions(count: Int) -> [String] {
    defer { qpdf_oh_release_all(data) }
    return PDFOmissions(data).warnings(count: count)
  }

  /// See `SharedFields`.
  package var sharesTooManyFields: Bool {
    defer { qpdf_oh_release_all(data) }
    var fields = SharedFields(data)
    return fields.areTooMany
  }

  /// False when a page is meant to be blank: it has no annotation, and a short content without any painting operator
  /// (ISO 32000-1 Table 51).
  package func mayDraw(_ index: Int) -> Bool {
    qpdf_push_inherited_attributes_to_page(data)
    defer { qpdf_oh_release_all(data) }
    let page = qpdf_get_page_n(data, index)
    let annotations = qpdf_oh_get_key(data, page, "/Annots")
    if qpdf_oh_is_array(data, annotations) != 0, qpdf_oh_get_array_n_items(data, annotations) > 0 {
      return true
    }
    let contents = qpdf_oh_get_key(data, page, "/Contents")
    guard qpdf_oh_is_array(data, contents) != 0 else { return mayPaint(contents) }
    let count = qpdf_oh_get_array_n_items(data, contents)
    return count > 16
      || (0..<count).contains { mayPaint(qpdf_oh_get_array_item(data, contents, $0)) }
  }

  private func mayPaint(_ content: qpdf_oh) -> Bool {
    guard qpdf_oh_is_stream(data, content) != 0 else { return false }
    let length = qpdf_oh_get_key_if_dict(data, qpdf_oh_get_dict(data, content), "/Length")
    guard (0...4096).contains(qpdf_oh_get_int_value(data, length)) else { return true }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = qpdf_oh_get_stream_data(data, content, qpdf_dl_generalized, nil, &bytes, &count)
    defer { free(bytes) }
    guard status & QPDF_ERRORS == 0, count <= 64 << 10 else { return true }
    return PaintingOperators.mayBe(in: UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Passes a page to `body` as a file of its own, with its printable annotations, and without flags that hide them on a
  /// screen; nil: QPDF can't write it.
  ///
  /// This changes the objects in memory.
  package func extract<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    qpdf_push_inherited_attributes_to_page(data)
    let page = qpdf_get_page_n(data, index)
    keepPrinted(page)
    var restores = UnmatchedRestores(data)
    restores.remove(from: page)
    var copy: qpdf_data? = qpdf_init()
    defer {
      qpdf_cleanup(&copy)
      qpdf_oh_release_all(data)
    }
    qpdf_silence_errors(copy)
    qpdf_set_suppress_warnings(copy, 1)
    guard qpdf_empty_pdf(copy) & QPDF_ERRORS == 0,
      qpdf_add_page(copy, data, page, QPDF_TRUE) & QPDF_ERRORS == 0
    else { return nil }
    // Keep hidden layers hidden, and the fonts of form fields.
    for key in ["/OCProperties", "/AcroForm"] {
      let value = qpdf_oh_get_key(data, qpdf_get_root(data), key)
      guard qpdf_oh_is_dictionary(data, value) != 0 else { continue }
      qpdf_oh_remove_key(data, value, "/Fields")
      let indirect = qpdf_make_indirect_object(data, value)
      qpdf_oh_replace_key(
        copy, qpdf_get_root(copy), key, qpdf_oh_copy_foreign_object(copy, data, indirect))
    }
    guard qpdf_init_write_memory(copy) & QPDF_ERRORS == 0, qpdf_write(copy) & QPDF_ERRORS == 0,
      let bytes = qpdf_get_buffer(copy)
    else { return nil }
    return try body(
      UnsafeRawBufferPointer(start: bytes, count: qpdf_get_buffer_length(copy)))
  }

  /// Removes annotations that are not to be printed according to their flags (ISO 32000-1 §12.5.3): Splash only checks
  /// the flags for the screen.
  private func keepPrinted(_ page: qpdf_oh) {
    let all = qpdf_oh_get_key(data, page, "/Annots")
    guard qpdf_oh_is_array(data, all) != 0 else { return }
    let printed = qpdf_oh_new_array(data)
    for index in 0..<qpdf_oh_get_array_n_items(data, all) {
      let annotation = qpdf_oh_get_array_item(data, all, index)
      guard PDFObjects.isPrinted(annotation, data) else { continue }
      qpdf_oh_replace_key(data, annotation, "/F", qpdf_oh_new_integer(data, 4))
      qpdf_oh_append_item(data, printed, annotation)
    }
    qpdf_oh_replace_key(data, page, "/Annots", printed)
  }

  /// True for an annotation that is printed according to its flags.
  static func isPrinted(_ annotation: qpdf_oh, _ data: qpdf_data?) -> Bool {
    let flags = qpdf_oh_get_int_value(data, qpdf_oh_get_key_if_dict(data, annotation, "/F"))
    // Hidden is 2, Print 4, NoView 32.
    return flags & 2 == 0 && flags & 4 != 0
  }
}
