internal import CPixbuf  // GError, which both modules have
internal import CPoppler
internal import Glibc
internal import PrintModel

/// A PDF, read by Poppler.
final class PDFPages: Pages {
  private let document: OpaquePointer
  let count: Int
  let image: DocumentInfo.Image? = nil

  init(_ descriptor: Int32) throws(Failure) {
    try GraphicsLibraries.pdf.load()
    // Poppler closes what it is given.
    let copy = dup(descriptor)
    guard copy >= 0 else { throw Failure(.fault, "No file descriptor is left.") }
    var problem: UnsafeMutablePointer<GError>?
    guard let document = poppler_document_new_from_fd(copy, nil, &problem) else {
      throw PDFPages.failure(problem)
    }
    self.document = document
    count = Int(poppler_document_get_n_pages(document))
    guard count > 0 else { throw Failure(.document, "The PDF has no pages.") }
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(document)) }

  var title: String? {
    guard let text = poppler_document_get_title(document) else { return nil }
    defer { g_free(text) }
    let title = String(cString: text)
    return title.isEmpty ? nil : title
  }

  func size(of index: Int) throws(Failure) -> PageSize {
    try withPage(index) { page throws(Failure) in
      var size = PageSize(width: 0, height: 0)
      poppler_page_get_size(page, &size.width, &size.height)
      guard size.width >= 1, size.height >= 1, size.width.isFinite, size.height.isFinite else {
        throw Failure(.document, "Page \(index + 1) of the PDF has no size.")
      }
      // Poppler's sums leave 595.2760000000001; a thousandth of a point is nothing.
      return PageSize(
        width: (size.width * 1000).rounded() / 1000, height: (size.height * 1000).rounded() / 1000)
    }
  }

  func draw(_ index: Int, on context: OpaquePointer) throws(Failure) {
    try withPage(index) { page in poppler_page_render_for_printing(page, context) }
  }

  private func withPage<Result>(
    _ index: Int, _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let page = poppler_document_get_page(document, Int32(clamping: index)) else {
      throw Failure(.document, "Page \(index + 1) of the PDF can't be read.")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    return try body(page)
  }

  private static func failure(_ problem: UnsafeMutablePointer<GError>?) -> Failure {
    defer { if let problem { g_error_free(problem) } }
    guard let problem else { return Failure(.document, "The PDF can't be read.") }
    if problem.pointee.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue) {
      return Failure(.document, "The PDF is protected by a password.")
    }
    return Failure(
      .document, "The PDF is malformed: \(String(cString: problem.pointee.message)).")
  }
}
