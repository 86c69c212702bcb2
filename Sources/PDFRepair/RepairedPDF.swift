internal import DocumentBytes
internal import LateLibraries
package import PrintModel

/// A PDF rewritten by QPDF, because Poppler can't read the original, or draws less of it than there is.
///
/// It has the pages that hang on the page tree, whatever the tree says of their number, no field twice, no appearance of
/// a field that hides its value, and, where a page asks for it, no unmatched operators, damaged fonts or pictures that Poppler can't decode.
package final class RepairedPDF {
  private let file: PDFFile
  /// The new file, which this object owns.
  package let bytes: UnsafeRawBufferPointer
  /// True when `RebuiltReferences` found the objects: parts of the document may be missing.
  package let isRebuilt: Bool
  /// Pages (indices) of whose contents a part is no content, and was left out.
  package private(set) var lacking: [Int] = []

  /// Rewriting a larger file takes more memory than a page may use.
  package static let longest = 48 << 20

  /// A file that Poppler can't read, with what QPDF finds in it, or else what `RebuiltReferences` does; nil when neither
  /// can do it.
  ///
  /// Exit 65 as `init`.
  package static func made(
    from file: UnsafeRawBufferPointer, password: String?
  ) throws(Failure) -> RepairedPDF? {
    if let made = try RepairedPDF(file, password: password) { return made }
    guard file.count <= longest, let rebuilt = RebuiltReferences.file(for: file) else { return nil }
    return try rebuilt.withUnsafeBufferPointer { bytes throws(Failure) in
      try RepairedPDF(UnsafeRawBufferPointer(bytes), password: nil, isRebuilt: true)
    }
  }

  /// nil when QPDF can't do it.
  ///
  /// Throws exit 65 when QPDF reports that a password is missing, and Poppler, which mistakes some files' encryption for
  /// damage, can't read the file.
  ///
  /// - `index`: a page whose content Poppler can't draw: see `UnbalancedGraphicsStates`, `JBIG2Pictures` and
  ///   `DamagedFonts`.
  /// - `fonts`: names that pages use, and for which there is no font.
  package init?(
    _ file: UnsafeRawBufferPointer, password: String?, forPage index: Int? = nil,
    fonts: [String] = [], isRebuilt: Bool = false
  ) throws(Failure) {
    self.isRebuilt = isRebuilt
    guard file.count <= RepairedPDF.longest else { return nil }
    try GraphicsLibraries.pdfObjects.load()
    let source: PDFFile
    do throws(PDFFile.Problem) {
      source = try PDFFile(file, password: password)
    } catch {
      if case .lacksPassword = error, index == nil {
        throw ProtectedPDF.failure(file, hasPassword: password != nil)
      }
      return nil
    }
    // QPDF 11 refuses a file without a trailer. QPDF 12 guesses, and gives blank pages where contents are missing.
    if !file.contains("trailer"), source.takeReconstruction() { return nil }
    guard source.pageCount > 0 else { return nil }
    source.inheritAttributes()
    if let index {
      if JBIG2Pictures.mayBe(in: file) {
        var pictures = JBIG2Pictures()
        pictures.decode(in: source, from: index)
      }
      guard let lacking = RepairedPDF.repairContents(of: source, fonts) else { return nil }
      self.lacking = lacking
    }
    SharedFields.removeRepeated(in: source)
    FieldAppearances.repair(in: source)
    self.file = PDFFile()
    for index in 0..<source.pageCount {
      guard self.file.add(source.page(index)) else { return nil }
    }
    // Keep hidden layers hidden, and the fonts of form fields.
    self.file.copyCatalog(["OCProperties", "AcroForm", "PageLabels"], of: source)
    guard let written = self.file.written() else { return nil }
    // What is missing from the file would be missing from the page, without an error.
    if index != nil, source.hasWarnings { return nil }
    bytes = written
  }

  /// Returns the pages (indices) of whose contents a part is no content; nil if nothing is left of one.
  private static func repairContents(of file: PDFFile, _ fonts: [String]) -> [Int]? {
    var states = UnbalancedGraphicsStates()
    var lacking: [Int] = []
    for index in 0..<file.pageCount {
      let page = file.page(index)
      // Poppler draws nothing of a page whose list of contents has anything but streams.
      let contents = page["Contents"]
      let streams = contents.oneOrAll.filter(\.isStream)
      if streams.count < contents.oneOrAll.count, !contents.isNull || contents.id != 0 {
        guard !streams.isEmpty else { return nil }
        page["Contents"] = file.new(streams)
        lacking.append(index)
      }
      states.repair(page)
      DamagedFonts.add(fonts, to: page)
    }
    DamagedFonts.removeFiles(of: file)
    return lacking
  }
}
