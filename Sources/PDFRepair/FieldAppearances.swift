package import PrintModel

/// Appearances of filled-in form fields and of annotations that show nothing: programs fill in the value, and leave the
/// picture of it empty (OpenPrinting/libcupsfilters#246).
///
/// Poppler makes an appearance if there is none at all, not if there is one that can't be used. Of several, one for each
/// state, it draws none if they stand in an object of their own (22.12).
enum FieldAppearances {
  /// True if Poppler would leave out an annotation, a field's value, or its border.
  static func areUnusable(in file: PDFFile) -> Bool {
    annotations(of: file).contains {
      $0.hasDistantStates || $0.isShown && !$0["AP"].isNull && !$0.hasUsableAppearance
        || $0.lacksBorder
    }
  }

  /// Removes these appearances, or moves them to where Poppler draws them, and states the usual border.
  static func repair(in file: PDFFile) {
    for annotation in annotations(of: file) {
      if annotation.hasDistantStates { annotation["AP"]["N"] = annotation["AP"]["N"].directCopy }
      if annotation.isShown, !annotation.hasUsableAppearance { annotation.remove("AP") }
      if annotation.lacksBorder { annotation["BS"] = file.new("<< /W 1 >>") }
    }
  }

  private static func annotations(of file: PDFFile) -> [PDFObject] {
    file.annotations.map(\.annotation).filter(\.isPrintedAnnotation)
  }
}

/// A printed field with a value, and its place on the page as that is printed: shares of the page's sides, from its top
/// left corner.
package struct FilledField {
  package var place: Rectangle
  package var isButton: Bool
}

extension PDFObjects {
  /// The fields of a page whose values should be seen.
  package func filledFields(on index: Int) -> [FilledField] {
    withPage(index) { page in
      let boxes = ["MediaBox", "CropBox"].compactMap { page[$0].rectangle }
      guard let box = boxes.last.map({ $0.intersection(boxes[0]) }) else { return [] }
      return page["Annots"].items(atMost: 5_000).compactMap { field in
        guard field.isPrintedAnnotation, field.isFieldWithValue, field["OC"].isNull,
          let its = field["Rect"].rectangle
        else { return nil }
        var place = Rectangle(
          x: (its.x - box.x) / box.width, y: (box.y + box.height - its.y - its.height) / box.height,
          width: its.width / box.width, height: its.height / box.height)
        for _ in 0..<((page["Rotate"].integer / 90 % 4) + 4) % 4 {
          place = Rectangle(
            x: 1 - place.y - place.height, y: place.x, width: place.height, height: place.width)
        }
        return FilledField(place: place, isButton: field.isButton)
      }
    }
  }
}

/// An annotation, and the number of its page, from 0.
typealias PageAnnotation = (page: Int, annotation: PDFObject)

extension PDFFile {
  /// Maximum number of annotations examined: each takes 30 µs and 3 kB (measured).
  ///
  /// A page takes 3 µs, less than QPDF took to find it.
  private static let mostAnnotations = 5_000

  /// The annotations of all pages, in their order.
  var annotations: [PageAnnotation] {
    var found: [PageAnnotation] = []
    for index in 0..<pageCount where found.count < PDFFile.mostAnnotations {
      let its = page(index)["Annots"].items(atMost: PDFFile.mostAnnotations - found.count)
      found += its.map { (index, $0) }
    }
    return found
  }
}

extension PDFObject {
  /// True for the place of a text or a choice with a value, or of a button that is on.
  var isFieldWithValue: Bool {
    guard self["Subtype"].name == "Widget", self["Rect"].isBox else { return false }
    if isButton { return !["Off", nil].contains(self["AS"].name) }
    guard ["Tx", "Ch"].contains(inherited("FT")?.name), let value = inherited("V")
    else { return false }
    return !value.items(atMost: 1).isEmpty || value.isStream
      || (value.text ?? value.name)?.contains { !$0.isWhitespace } == true
  }

  /// True for what shows something also without an appearance of its own.
  fileprivate var isShown: Bool { isFieldWithValue || isMarkup }

  /// True if its appearances, one for each state, are an object of their own.
  ///
  /// Any other object there may contain the annotation, and a copy of it would have no end.
  fileprivate var hasDistantStates: Bool {
    let all = self["AP"]["N"]
    return all.isDictionary && all.id != 0 && all.values().allSatisfy(\.isStream)
  }

  /// True if a border is a point wide because nothing else is stated (§12.5.4), of an appearance that Poppler makes:
  /// it takes that for none.
  fileprivate var lacksBorder: Bool {
    self["Subtype"].name == "Widget" && !self["MK"]["BC"].items(atMost: 1).isEmpty
      && self["BS"].isNull && self["Border"].isNull
      && (self["AP"].isNull || file.root["AcroForm"]["NeedAppearances"].isTrue)
  }

  fileprivate var isButton: Bool { inherited("FT")?.name == "Btn" }

  /// True for an annotation other than a field that Poppler draws without an appearance.
  var isMarkup: Bool { self["Subtype"].name.map(PDFObjects.markups.contains) ?? false }

  /// True if it has a normal appearance with a box that, for a value, paints anything (ISO 32000-1 §8.10.2, §12.5.5).
  var hasUsableAppearance: Bool {
    guard !hasDistantStates else { return false }
    let all = self["AP"]["N"]
    let state = self["AS"].name ?? "Off"
    // What is off may show nothing.
    if all.isDictionary, state == "Off" { return !isFieldWithValue }
    let appearance = all.isDictionary ? all[state] : all
    guard appearance.isStream, appearance["BBox"].isBox else { return false }
    return !isFieldWithValue || isButton || appearance.mayPaint
  }

  /// True for a rectangle that is not empty.
  var isBox: Bool { rectangle != nil }

  fileprivate var rectangle: Rectangle? {
    let sides = items(atMost: 4).compactMap(\.number)
    guard sides.count == 4, sides[0] != sides[2], sides[1] != sides[3] else { return nil }
    return Rectangle(
      x: min(sides[0], sides[2]), y: min(sides[1], sides[3]), width: abs(sides[2] - sides[0]),
      height: abs(sides[3] - sides[1]))
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
