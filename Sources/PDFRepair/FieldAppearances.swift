/// Appearances of filled-in form fields that show nothing: programs fill in the value, and leave the picture of it empty
/// (OpenPrinting/libcupsfilters#246).
///
/// Poppler makes an appearance from the value if a field has none at all, not if it has one that can't be used.
enum FieldAppearances {
  /// Maximum number of annotations examined.
  private static let most = 5_000

  /// True if Poppler would leave out a field's value.
  static func areUnusable(in file: PDFFile) -> Bool {
    fields(of: file).contains { !$0["AP"].isNull && !$0.hasUsableAppearance }
  }

  /// Removes these appearances.
  static func removeUnusable(in file: PDFFile) {
    for field in fields(of: file) where !field.hasUsableAppearance { field.remove("AP") }
  }

  private static func fields(of file: PDFFile) -> some Sequence<PDFObject> {
    guard file.root["AcroForm"].isDictionary else { return [PDFObject]() }
    var found: [PDFObject] = []
    var budget = most
    for index in 0..<file.pageCount where budget > 0 {
      let annotations = file.page(index)["Annots"].items(atMost: budget)
      budget -= annotations.count
      found += annotations.filter { $0.isPrintedAnnotation && $0.isFieldWithValue }
    }
    return found
  }
}

extension PDFObject {
  /// True for the place of a text or a choice with a value: buttons are only drawn by their appearances.
  var isFieldWithValue: Bool {
    guard self["Subtype"].name == "Widget", ["Tx", "Ch"].contains(inherited("FT")?.name),
      let value = inherited("V")
    else { return false }
    return !value.items(atMost: 1).isEmpty || value.isStream || value.text?.isEmpty == false
  }

  /// True if it has a normal appearance with a box that paints anything (ISO 32000-1 §8.10.2, §12.5.5).
  var hasUsableAppearance: Bool {
    let appearance = self["AP"]["N"]
    guard appearance.isStream, appearance["BBox"].items(atMost: 4).count == 4 else { return false }
    return appearance.mayPaint
  }

  /// False for the data of a stream that leaves no mark.
  ///
  /// A long one paints something, and a damaged one is left to Poppler.
  var mayPaint: Bool {
    guard let content = data(atMost: 4_096), content.count <= 64 << 10 else { return true }
    return PDFObjects.mayPaint(content)
  }

  /// A member of a field, or of the nearest ancestor that has it (§12.7.3.1).
  private func inherited(_ name: String) -> PDFObject? {
    withAncestors.lazy.map { $0[name] }.first { !$0.isNull }
  }

  /// A field, its parent, and so on.
  var withAncestors: [PDFObject] {
    var all = [self]
    while all.count < 16, case let parent = all[all.count - 1]["Parent"], parent.isDictionary {
      all.append(parent)
    }
    return all
  }
}
