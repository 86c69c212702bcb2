/// The streams that pages draw: forms, tiles, soft masks, glyphs, and pictures with their masks.
struct DrawnStreams {
  /// Streams and fonts already found.
  private var seen: Set<Int32> = []
  private static let deepest = 16

  /// Those of a page and of its annotations that were not on an earlier page.
  mutating func new(on page: PDFObject) -> [PDFObject] {
    var found: [PDFObject] = []
    look(below: page, 0, &found)
    for annotation in page["Annots"].items() {
      let face = annotation["AP"]["N"]
      // A single appearance, or one for each state.
      for face in face.isStream ? [face] : face.values() { look(at: face, 0, &found) }
    }
    return found
  }

  private mutating func look(below holder: PDFObject, _ depth: Int, _ found: inout [PDFObject]) {
    guard depth < DrawnStreams.deepest else { return }
    let resources = holder["Resources"]
    for object in ["XObject", "Pattern"].flatMap({ resources[$0].values() })
      + resources["ExtGState"].values().map({ $0["SMask"]["G"] })
    {
      look(at: object, depth + 1, &found)
    }
    for font in resources["Font"].values() where font["CharProcs"].isDictionary && isNew(font) {
      for glyph in font["CharProcs"].values() { look(at: glyph, depth + 1, &found) }
      look(below: font, depth + 1, &found)
    }
  }

  private mutating func look(at object: PDFObject, _ depth: Int, _ found: inout [PDFObject]) {
    guard object.isStream, isNew(object) else { return }
    found.append(object)
    look(below: object, depth, &found)
    for mask in ["SMask", "Mask"] { look(at: object[mask], depth + 1, &found) }
  }

  /// True for an object that was not found yet; direct objects have no number.
  private mutating func isNew(_ object: PDFObject) -> Bool {
    object.id == 0 || seen.insert(object.id).inserted
  }
}
