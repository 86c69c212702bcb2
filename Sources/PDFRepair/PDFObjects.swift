internal import LateLibraries
package import PrintModel

/// The objects of a PDF as read by QPDF, for properties that Poppler's interface does not expose.
package final class PDFObjects {
  private let file: PDFFile

  /// nil when QPDF can't read a file that Poppler may have repaired.
  package init?(_ bytes: UnsafeRawBufferPointer, password: String?) throws(Failure) {
    try GraphicsLibraries.pdfObjects.load()
    guard let file = try? PDFFile(bytes, password: password) else { return nil }
    self.file = file
  }

  /// The number of pages that hang on the page tree, whatever it states: Poppler ends at the stated number.
  package var pageCount: Int { file.pageCount }

  /// The unit of each of `count` pages, in points (ISO 32000-1 §14.11.2.1, UserUnit); empty when all are points.
  ///
  /// Drawings larger than 5 m have it. No version of Poppler in a distribution reads it.
  package func units(count: Int) -> [Double] {
    let units = (0..<count).map { index in
      defer { file.releaseObjects() }
      let unit = file.page(index)["UserUnit"].number ?? 1
      return unit.isFinite && unit > 0 ? unit : 1
    }
    return units.allSatisfy { $0 == 1 } ? [] : units
  }

  /// Passes a page with all its attributes to `body`, which must keep no object.
  package func withPage<Result>(_ index: Int, _ body: (PDFObject) -> Result) -> Result {
    file.inheritAttributes()
    defer { file.releaseObjects() }
    return body(file.page(index))
  }

  /// Content that Poppler leaves out of the document, or prints differently: see `PDFOmissions`.
  package var losses: [Loss] {
    defer { file.releaseObjects() }
    return PDFOmissions(file).losses
  }

  /// Types of annotations that Poppler only draws if they have this member, even if they contain an appearance
  /// (Annot.cc, 22 to 26).
  package static let neededMembers = [
    "Highlight": "QuadPoints", "Underline": "QuadPoints", "Squiggly": "QuadPoints",
    "StrikeOut": "QuadPoints", "Polygon": "Vertices", "PolyLine": "Vertices",
    "FileAttachment": "FS", "Sound": "Sound", "Movie": "Movie",
  ]

  /// Types of annotations that Poppler draws by their other members if they have no appearance (measured with
  /// Poppler 22.12).
  package static let markups: Set = [
    "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline",
    "Squiggly",
    "StrikeOut", "Ink", "Stamp",
  ]

  /// True if fields or annotations have to be repaired before Poppler draws them: see `SharedFields` and
  /// `FieldAppearances`.
  package var hasBadFields: Bool {
    defer { file.releaseObjects() }
    return SharedFields.areTooMany(in: file) || FieldAppearances.areUnusable(in: file)
  }

  /// False when a page is meant to be blank: it has no annotation, and a short content without any painting operator.
  package func mayDraw(_ index: Int) -> Bool {
    withPage(index) { page in
      let contents = page["Contents"].oneOrAll
      return !page["Annots"].items(atMost: 1).isEmpty || contents.count > 16
        || contents.contains { $0.isStream && $0.mayPaint }
    }
  }

  /// Operators that leave marks (ISO 32000-1 Table 51): paths and shadings, text, pictures and forms.
  private static let painting = Set(
    "S s f F f* B B* b b* sh Tj TJ ' \" BI Do".split(separator: " ").map(String.init))

  static func mayPaint(_ content: [UInt8]) -> Bool {
    var isFound = false
    content.withUnsafeBytes {
      ContentToken.forEach(in: $0) { token, _ in
        if case .word(let word) = token { isFound = painting.contains(word) }
        return !isFound
      }
    }
    return isFound
  }

  /// Passes a page to `body` as a file of its own, with its printable annotations, and without flags that hide them on a
  /// screen; nil: QPDF can't write it.
  ///
  /// This changes the objects in memory.
  package func extract<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    file.inheritAttributes()
    defer { file.releaseObjects() }
    let page = file.page(index)
    keepPrinted(page)
    var states = UnbalancedGraphicsStates()
    states.repair(page)
    let copy = PDFFile()
    guard copy.add(page) else { return nil }
    // Keep hidden layers hidden, and the fonts of form fields.
    let form = file.root["AcroForm"]
    if form.isDictionary {
      // Poppler makes the appearances of fields that the form lists; others would bring their pages along.
      form["Fields"] = file.new(page["Annots"].items().filter { $0["Subtype"].name == "Widget" })
    }
    copy.copyCatalog(["OCProperties", "AcroForm"], of: file)
    guard let bytes = copy.written() else { return nil }
    return try body(bytes)
  }

  /// Removes annotations that are not to be printed according to their flags (ISO 32000-1 §12.5.3): Splash only checks
  /// the flags for the screen.
  private func keepPrinted(_ page: PDFObject) {
    guard page["Annots"].isArray else { return }
    let printed = page["Annots"].items(atMost: .max).filter(\.isPrintedAnnotation)
    for annotation in printed { annotation["F"] = file.new("4") }
    page["Annots"] = file.new(printed)
  }
}
