internal import PrintModel

/// Looks for content that Poppler leaves out of a PDF, or prints differently from what it specifies, without a message.
struct PDFOmissions {
  private let file: PDFFile
  private let all: [PageAnnotation]

  /// Maximum number of layers examined, and of the members of a list.
  private static let mostItems = 5_000

  init(_ file: PDFFile) {
    self.file = file
    file.inheritAttributes()
    all = file.annotations
  }

  /// Each kind of content.
  var losses: [Loss] {
    [form, portfolio, layers, expressions, screenFields, annotations].compactMap(\.self)
  }

  // MARK: Other documents inside

  /// A form in XFA that only Adobe's programs lay out (ISO 32000-1 §12.7.8); one with fields of its own is printed as
  /// these look.
  private var form: Loss? {
    let form = file.root["AcroForm"]
    guard !form["XFA"].isNull, file.root["NeedsRendering"].isTrue || items(form["Fields"]).isEmpty
    else { return nil }
    return Loss(
      .cover,
      "The PDF is an XFA form, of which only the page for programs that can't show it is printed: print the form with "
        + "Adobe Reader.")
  }

  /// The files in a portfolio (ISO 32000-1 §12.3.5), of which only the cover has pages; nil if there are none.
  private var portfolio: Loss? {
    let files = file.root["Names"]["EmbeddedFiles"]
    guard file.root["Collection"].isDictionary,
      !items(files["Names"]).isEmpty || !items(files["Kids"]).isEmpty
    else { return nil }
    return Loss(
      .cover,
      "The PDF is a portfolio of files, of which only its cover is printed: save the files in it, and print these."
    )
  }

  // MARK: Annotations

  private var annotations: Loss? {
    var first: String?
    return annotations(.annotation) { annotation in
      guard let lack = lack(of: annotation) else { return false }
      first = first ?? lack
      return true
    } warning: { left, page in
      let (its, pictures) = left == 1 ? ("it", "a picture") : ("them", "pictures")
      return
        (left == 1
        ? "An annotation on page \(page) is"
        : "\(left) annotations, the first on page \(page), are")
        + " left out: the PDF has "
        + (first.map {
          $0.isEmpty ? "no usable picture of \(its)." : "\(pictures) of \(its), but no \($0)."
        } ?? "")
    }
  }

  /// The loss of annotations that match `isWanted`, of their number and of the page of the first one; nil: none does.
  private func annotations(
    _ reason: Loss.Reason, where isWanted: (PDFObject) -> Bool,
    warning: (_ left: Int, _ page: Int) -> String
  ) -> Loss? {
    let wanted = all.filter { isWanted($0.annotation) }
    return wanted.first.map {
      Loss(reason, page: $0.page + 1, warning(wanted.count, $0.page + 1))
    }
  }

  /// Types of annotations whose appearance is no content of the page, or that `fields` has.
  private static let others: Set = ["Widget", "Link", "Popup"]

  /// The missing member because of which an annotation is left out; empty if it lacks an appearance that can be used.
  private func lack(of annotation: PDFObject) -> String? {
    guard annotation.isPrintedAnnotation, !annotation["AP"].isNull,
      let kind = annotation["Subtype"].name, !PDFOmissions.others.contains(kind)
    else { return nil }
    guard annotation.hasUsableAppearance else { return annotation["Rect"].isBox ? "" : nil }
    return PDFObjects.neededMembers[kind].flatMap { annotation[$0].isNull ? $0 : nil }
  }

  // MARK: Form fields

  /// Fields with a value that are shown on a screen, but not printed (§12.5.3): programs that fill in forms forget the
  /// Print flag.
  private var screenFields: Loss? {
    // Invisible is 1, Hidden 2, Print 4, NoView 32.
    return annotations(.field) {
      $0["F"].integer & 39 == 0 && $0.isFieldWithValue
    } warning: { left, page in
      left == 1
        ? "A form field with a value, on page \(page), is not printed: the PDF has it on the screen only."
        : "\(left) form fields with values, the first on page \(page), are not printed: the PDF has them on the "
          + "screen only."
    }
  }

  // MARK: Layers

  /// Layers whose state for printing differs from that on the screen (ISO 32000-1 §8.11.4.4): like most readers except
  /// Acrobat, Poppler draws what the screen shows.
  private var layers: Loss? {
    let usual = file.root["OCProperties"]["D"]
    let isOffByDefault = usual["BaseState"].name == "OFF"
    let on = Set(items(usual["ON"]).map(\.id))
    let off = Set(items(usual["OFF"]).map(\.id))
    var others: Set<Int32> = []
    for event in items(usual["AS"]) where event["Event"].name == "Print" {
      for layer in items(event["OCGs"]) {
        guard let state = layer["Usage"]["Print"]["PrintState"].name else { continue }
        let isShown = isOffByDefault ? on.contains(layer.id) : !off.contains(layer.id)
        if isShown != (state == "ON") { others.insert(layer.id) }
      }
    }
    guard !others.isEmpty else { return nil }
    return Loss(
      .layer,
      (others.count == 1 ? "A layer is" : "\(others.count) layers are")
        + " printed as shown on the screen, though the PDF says otherwise for paper.")
  }

  /// Content shown or hidden by a layer's expression (ISO 32000-1 §8.11.2.2), which Poppler ignores.
  private var expressions: Loss? {
    guard file.root["OCProperties"].isDictionary else { return nil }
    var budget = PDFOmissions.mostItems
    for page in 0..<file.pageCount where budget > 0 {
      let resources = file.page(page)["Resources"]
      let layers = resources["Properties"].values() + resources["XObject"].values().map { $0["OC"] }
      budget -= layers.count
      if layers.contains(where: { $0["VE"].isArray }) {
        return Loss(
          .layer, page: page + 1,
          "Layers on page \(page + 1) may be printed that should not be, or left out: the PDF combines them by an "
            + "expression.")
      }
    }
    return nil
  }

  private func items(_ object: PDFObject) -> [PDFObject] {
    object.items(atMost: PDFOmissions.mostItems)
  }
}
