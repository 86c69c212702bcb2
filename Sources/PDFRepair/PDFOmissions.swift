internal import CQPDF
internal import PrintModel

/// Looks for content that Poppler leaves out of a PDF, or prints differently from what it specifies, without a message.
struct PDFOmissions {
  private let data: qpdf_data?

  /// Maximum number of pages examined, and of annotations or layers.
  private static let mostPages = 1_000
  private static let mostItems = 5_000

  init(_ data: qpdf_data?) { self.data = data }

  /// A sentence for each kind of content.
  func warnings(count: Int) -> [String] {
    let count = min(count, PDFOmissions.mostPages)
    qpdf_push_inherited_attributes_to_page(data)
    return [
      layers, expressions(count: count), fields(count: count), screenFields(count: count),
      annotations(count: count),
    ].compactMap(\.self)
  }

  // MARK: Annotations

  /// Types of annotations that Poppler only draws if they have this member, even if they contain an appearance
  /// (Annot.cc, 22 to 26).
  static let neededMembers = [
    "Highlight": "QuadPoints", "Underline": "QuadPoints", "Squiggly": "QuadPoints",
    "StrikeOut": "QuadPoints", "Polygon": "Vertices", "PolyLine": "Vertices",
    "FileAttachment": "FS", "Sound": "Sound", "Movie": "Movie",
  ]

  private func annotations(count: Int) -> String? {
    var (left, firstPage, first, budget) = (0, 0, "", PDFOmissions.mostItems)
    for page in 0..<count {
      for annotation in items(key(qpdf_get_page_n(data, page), "/Annots")) where budget > 0 {
        budget -= 1
        guard let lack = lack(of: annotation) else { continue }
        if left == 0 { (firstPage, first) = (page + 1, lack) }
        left += 1
      }
    }
    guard left > 0 else { return nil }
    return left == 1
      ? "An annotation on page \(firstPage) is left out: the PDF has a picture of it, but no \(first)."
      : "\(left) annotations, the first on page \(firstPage), are left out: the PDF has pictures of them, but no "
        + "\(first)."
  }

  /// The missing member because of which an annotation is left out.
  private func lack(of annotation: qpdf_oh) -> String? {
    guard PDFObjects.isPrinted(annotation, data),
      qpdf_oh_is_null(data, key(key(annotation, "/AP"), "/N")) == 0
    else { return nil }
    let type = key(annotation, "/Subtype")
    let needed = PDFOmissions.neededMembers.first { isName(type, "/\($0.key)") }
    return needed.flatMap {
      qpdf_oh_is_null(data, key(annotation, "/\($0.value)")) != 0 ? $0.value : nil
    }
  }

  // MARK: Form fields

  /// Fields with a value and without an appearance that the form does not list: Poppler only creates appearances for
  /// the form's fields (ISO 32000-1 §12.7.2).
  private func fields(count: Int) -> String? {
    let root = qpdf_get_root(data)
    let listed = Set(items(key(key(root, "/AcroForm"), "/Fields")).map(number)).subtracting([0])
    let (left, firstPage) = fields(count: count) { field in
      PDFObjects.isPrinted(field, data)
        && qpdf_oh_is_null(data, key(key(field, "/AP"), "/N")) != 0 && !isListed(field, listed)
    }
    guard left > 0 else { return nil }
    return left == 1
      ? "A form field on page \(firstPage) is left out: the PDF has a value for it, but no appearance."
      : "\(left) form fields, the first on page \(firstPage), are left out: the PDF has values for them, but no "
        + "appearances."
  }

  /// Fields with a value that are shown on a screen, but not printed (§12.5.3): programs that fill in forms forget the
  /// Print flag.
  private func screenFields(count: Int) -> String? {
    let (left, firstPage) = fields(count: count) { field in
      // Invisible is 1, Hidden 2, Print 4, NoView 32.
      qpdf_oh_get_int_value(data, key(field, "/F")) & 39 == 0
    }
    guard left > 0 else { return nil }
    return left == 1
      ? "A form field with a value, on page \(firstPage), is not printed: the PDF has it on the screen only."
      : "\(left) form fields with values, the first on page \(firstPage), are not printed: the PDF has them on the "
        + "screen only."
  }

  /// Number of fields that have a value and match `isWanted`, and the page of the first one.
  private func fields(count: Int, _ isWanted: (qpdf_oh) -> Bool) -> (Int, firstPage: Int) {
    var (found, firstPage, budget) = (0, 0, PDFOmissions.mostItems)
    for page in 0..<count {
      for annotation in items(key(qpdf_get_page_n(data, page), "/Annots")) where budget > 0 {
        budget -= 1
        guard isName(key(annotation, "/Subtype"), "/Widget"), isWanted(annotation),
          hasValue(annotation)
        else { continue }
        if found == 0 { firstPage = page + 1 }
        found += 1
      }
    }
    return (found, firstPage)
  }

  /// True for a text or a choice with a value: buttons are only drawn by their appearances.
  private func hasValue(_ field: qpdf_oh) -> Bool {
    let type = inherited(field, "/FT")
    guard isName(type, "/Tx") || isName(type, "/Ch") else { return false }
    let value = inherited(field, "/V")
    if qpdf_oh_is_array(data, value) != 0 { return qpdf_oh_get_array_n_items(data, value) > 0 }
    guard qpdf_oh_is_string(data, value) != 0 else { return qpdf_oh_is_stream(data, value) != 0 }
    return qpdf_oh_get_utf8_value(data, value).map { $0.pointee != 0 } ?? false
  }

  /// A member of a field, or of the nearest ancestor that has it (§12.7.3.1).
  private func inherited(_ field: qpdf_oh, _ name: String) -> qpdf_oh {
    for ancestor in ancestors(of: field) {
      let value = key(ancestor, name)
      if qpdf_oh_is_null(data, value) == 0 { return value }
    }
    return qpdf_oh_new_null(data)
  }

  private func isListed(_ field: qpdf_oh, _ listed: Set<Int32>) -> Bool {
    ancestors(of: field).contains { listed.contains(number($0)) }
  }

  private func ancestors(of field: qpdf_oh) -> [qpdf_oh] {
    var all = [field]
    while all.count < 16, qpdf_oh_is_dictionary(data, key(all[all.count - 1], "/Parent")) != 0 {
      all.append(key(all[all.count - 1], "/Parent"))
    }
    return all
  }

  // MARK: Layers

  /// Layers whose state for printing differs from that on the screen (ISO 32000-1 §8.11.4.4): like most readers except
  /// Acrobat, Poppler draws what the screen shows.
  private var layers: String? {
    let properties = key(qpdf_get_root(data), "/OCProperties")
    let usual = key(properties, "/D")
    let isOffByDefault = isName(key(usual, "/BaseState"), "/OFF")
    let on = Set(items(key(usual, "/ON")).map(number))
    let off = Set(items(key(usual, "/OFF")).map(number))
    var others: Set<Int32> = []
    for event in items(key(usual, "/AS")) where isName(key(event, "/Event"), "/Print") {
      for layer in items(key(event, "/OCGs")) {
        let state = key(key(key(layer, "/Usage"), "/Print"), "/PrintState")
        guard qpdf_oh_is_name(data, state) != 0 else { continue }
        let isShown = isOffByDefault ? on.contains(number(layer)) : !off.contains(number(layer))
        if isShown != isName(state, "/ON") { others.insert(number(layer)) }
      }
    }
    guard !others.isEmpty else { return nil }
    return
      (others.count == 1 ? "A layer is" : "\(others.count) layers are")
      + " printed as shown on the screen, though the PDF says otherwise for paper."
  }

  /// Content shown or hidden by a layer's expression (ISO 32000-1 §8.11.2.2), which Poppler ignores.
  private func expressions(count: Int) -> String? {
    var budget = PDFOmissions.mostItems
    for page in 0..<count where budget > 0 {
      let resources = key(qpdf_get_page_n(data, page), "/Resources")
      let properties = values(key(resources, "/Properties"))
      let objects = values(key(resources, "/XObject")).map { object in
        key(qpdf_oh_is_stream(data, object) != 0 ? qpdf_oh_get_dict(data, object) : object, "/OC")
      }
      budget -= properties.count + objects.count
      if (properties + objects).contains(where: { qpdf_oh_is_array(data, key($0, "/VE")) != 0 }) {
        return
          "Layers on page \(page + 1) may be printed that should not be, or left out: the PDF combines them by an "
          + "expression."
      }
    }
    return nil
  }

  // MARK: Members

  private func key(_ object: qpdf_oh, _ name: String) -> qpdf_oh {
    qpdf_oh_get_key_if_dict(data, object, name)
  }

  private func items(_ object: qpdf_oh) -> [qpdf_oh] {
    guard qpdf_oh_is_array(data, object) != 0 else { return [] }
    let count = min(Int(qpdf_oh_get_array_n_items(data, object)), PDFOmissions.mostItems)
    return (0..<count).map { qpdf_oh_get_array_item(data, object, Int32($0)) }
  }

  private func values(_ object: qpdf_oh) -> [qpdf_oh] {
    guard qpdf_oh_is_dictionary(data, object) != 0 else { return [] }
    var names: [String] = []
    qpdf_oh_begin_dict_key_iter(data, object)
    while names.count < PDFOmissions.mostItems, qpdf_oh_dict_more_keys(data) != 0,
      let name = qpdf_oh_dict_next_key(data)
    {
      names.append(String(cString: name))
    }
    return names.map { key(object, $0) }
  }

  private func isName(_ object: qpdf_oh, _ name: String) -> Bool {
    qpdf_oh_is_name_and_equals(data, object, name) != 0
  }

  /// The object's number; 0 for a direct object.
  private func number(_ object: qpdf_oh) -> Int32 { qpdf_oh_get_object_id(data, object) }
}
