internal import CQPDF
internal import PrintModel

/// The unit in which each page of a PDF measures: 1 is a point (ISO 32000-1 §14.11.2.1, UserUnit). Drawings
/// larger than 5 m have it. Poppler reads it in no version that distributions ship; QPDF does.
enum UserUnits {
  /// One number for each of `count` pages; empty when all are points.
  static func read(
    _ file: UnsafeRawBufferPointer, password: String?, count: Int
  ) throws(Failure) -> [Double] {
    // The key stands in the file, or in an object stream, where nothing is seen from outside.
    guard file.contains("/UserUnit") || file.contains("/ObjStm") else { return [] }
    try GraphicsLibraries.pdfObjects.load()
    var data: qpdf_data? = qpdf_init()
    defer { qpdf_cleanup(&data) }
    qpdf_silence_errors(data)
    qpdf_set_suppress_warnings(data, 1)
    let base = file.assumingMemoryBound(to: CChar.self).baseAddress
    let status = qpdf_read_memory(data, "document", base, UInt64(file.count), password)
    // What QPDF can't read Poppler may have mended: its pages are measured in points then.
    guard status & QPDF_ERRORS == 0, Int(qpdf_get_num_pages(data)) == count else { return [] }
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
}
