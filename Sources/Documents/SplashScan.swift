internal import CQPDF
internal import Glibc

/// Looks through a page's resources for what Poppler draws wrong on cairo, and right with Splash: colored
/// glyphs of Type 3 fonts (emoji, as Google Docs and Chrome write them), blending in groups that are not
/// isolated, or on a page that is a group, knockout groups, soft masks with a transfer function or of a shading, and
/// shadings by a function or a mesh.
struct SplashScan {
  private let data: qpdf_data?
  /// Objects that were looked at; those that stand in another have no number.
  private var seen: Set<Int32> = []
  /// Shadings by a mesh of triangles: those whose color is a function's, and the vertices of the others.
  ///
  /// See `Triangles`.
  private var functionMeshes = 0
  private var vertices = 0
  /// Dictionaries that may still be looked at.
  private var budget = 5_000

  init(_ data: qpdf_data?) { self.data = data }

  mutating func finds(on page: qpdf_oh) -> Bool {
    let group = key(page, "/Group")
    let resources = key(page, "/Resources")
    return isTrue(key(group, "/K"))
      || qpdf_oh_is_dictionary(data, group) != 0 && blendsWithPaper(resources)
      || finds(in: resources, isInGroup: false, depth: 0)
      || functionMeshes + vertices > 0 && functionMeshes <= Triangles.mostFunctionMeshes
        && vertices <= Triangles.mostVertices
  }

  /// Meshes of triangles are drawn right by both, and each is slow in its own way: cairo takes a third of a
  /// microsecond for each pixel of a mesh (a page of it at 600 dpi: 11 s), Splash milliseconds for a triangle, and for
  /// a mesh colored by a function as long as for the page (316 of them, on a page of a book: 12 s at 300 dpi, 78 s at
  /// 600, where cairo takes 4 s).
  private enum Triangles {
    static let mostFunctionMeshes = 12
    static let mostVertices = 2_000
  }

  /// A page that is a group is blended with nothing, and then put on paper (ISO 32000-1 §11.4.7): cairo blends with
  /// white, which is the same for what darkens, and nothing at all or the opposite for the rest.
  private mutating func blendsWithPaper(_ resources: qpdf_oh) -> Bool {
    values(key(resources, "/ExtGState")).contains { state in
      let mode = key(state, "/BM")
      return qpdf_oh_is_name(data, mode) != 0
        && !["/Normal", "/Compatible", "/Multiply", "/Darken"].contains {
          isName(mode, $0)
        }
    }
  }

  /// - `isInGroup`: what is drawn with these lies in a group that is not isolated.
  private mutating func finds(in resources: qpdf_oh, isInGroup: Bool, depth: Int) -> Bool {
    guard depth < 16, budget > 0 else { return false }
    for state in values(key(resources, "/ExtGState")) {
      let mode = key(state, "/BM")
      if isInGroup, qpdf_oh_is_name(data, mode) != 0, !isName(mode, "/Normal"),
        !isName(mode, "/Compatible")
      {
        return true
      }
      let mask = key(state, "/SMask")
      guard qpdf_oh_is_dictionary(data, mask) != 0 else { continue }
      let transfer = key(mask, "/TR")
      if qpdf_oh_is_null(data, transfer) == 0, !isName(transfer, "/Identity") { return true }
      let resources = key(dictionary(key(mask, "/G")), "/Resources")
      if !values(key(resources, "/Shading")).isEmpty { return true }
      if finds(inForm: key(mask, "/G"), isInGroup: false, depth: depth) { return true }
    }
    for shading in values(key(resources, "/Shading")) where isRich(shading) { return true }
    for pattern in values(key(resources, "/Pattern")) {
      if isRich(key(dictionary(pattern), "/Shading")) { return true }
      if finds(inForm: pattern, isInGroup: isInGroup, depth: depth) { return true }
    }
    for font in values(key(resources, "/Font")) where isColored(font) { return true }
    for object in values(key(resources, "/XObject")) {
      if isName(key(dictionary(object), "/Subtype"), "/Form"),
        finds(inForm: object, isInGroup: isInGroup, depth: depth)
      {
        return true
      }
    }
    return false
  }

  private mutating func finds(inForm form: qpdf_oh, isInGroup: Bool, depth: Int) -> Bool {
    guard qpdf_oh_is_stream(data, form) != 0 else { return false }
    let number = qpdf_oh_get_object_id(data, form)
    // A form that stands in a group and elsewhere is looked at twice.
    guard number == 0 || seen.insert(isInGroup ? -number : number).inserted else { return false }
    let members = dictionary(form)
    let group = key(members, "/Group")
    var isInGroup = isInGroup
    if qpdf_oh_is_dictionary(data, group) != 0 {
      if isTrue(key(group, "/K")) { return true }
      isInGroup = !isTrue(key(group, "/I"))
    }
    return finds(in: key(members, "/Resources"), isInGroup: isInGroup, depth: depth + 1)
  }

  /// By a function or patches: types 1, 6 and 7 (ISO 32000-1 §8.7.4.5).
  ///
  /// Triangles, types 4 and 5, are counted.
  private mutating func isRich(_ shading: qpdf_oh) -> Bool {
    let members = dictionary(shading)
    let type = key(members, "/ShadingType")
    guard qpdf_oh_is_integer(data, type) != 0 else { return false }
    let number = qpdf_oh_get_int_value(data, type)
    if number == 4 || number == 5 { count(triangles: members) }
    return number == 1 || number >= 6
  }

  private mutating func count(triangles members: qpdf_oh) {
    if qpdf_oh_is_null(data, key(members, "/Function")) == 0 {
      functionMeshes += 1
    } else {
      // A vertex takes some eight bytes, and is packed to half of that.
      let length = qpdf_oh_get_int_value(data, key(members, "/Length"))
      vertices += 1 + Int(min(max(0, length), 1 << 30)) / 4
    }
  }

  /// A Type 3 font with a glyph that has colors of its own (d0, ISO 32000-1 §9.6.5).
  private mutating func isColored(_ font: qpdf_oh) -> Bool {
    guard isName(key(font, "/Subtype"), "/Type3") else { return false }
    let number = qpdf_oh_get_object_id(data, font)
    guard number == 0 || seen.insert(number).inserted else { return false }
    return values(key(font, "/CharProcs")).prefix(32).contains { hasColors($0) }
  }

  /// True when a glyph sets colors, or draws a picture or another form.
  private func hasColors(_ glyph: qpdf_oh) -> Bool {
    guard qpdf_oh_is_stream(data, glyph) != 0,
      qpdf_oh_get_int_value(data, key(dictionary(glyph), "/Length")) < 64 << 10
    else { return false }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    qpdf_oh_get_stream_data(data, glyph, qpdf_dl_generalized, nil, &bytes, &count)
    guard let bytes else { return false }
    defer { free(bytes) }
    let words = UnsafeBufferPointer(start: bytes, count: min(count, 256 << 10))
      .split(whereSeparator: { $0 <= 32 }).lazy
    guard words.prefix(8).contains(where: { $0.elementsEqual("d0".utf8) }) else { return false }
    return words.contains { word in
      ["rg", "g", "k", "sc", "scn", "RG", "G", "K", "SC", "SCN", "Do", "sh"].contains {
        word.elementsEqual($0.utf8)
      }
    }
  }

  // MARK: Members

  /// A dictionary's member, or null.
  private func key(_ object: qpdf_oh, _ name: String) -> qpdf_oh {
    qpdf_oh_get_key_if_dict(data, object, name)
  }

  /// A stream's dictionary, or the object itself.
  private func dictionary(_ object: qpdf_oh) -> qpdf_oh {
    qpdf_oh_is_stream(data, object) != 0 ? qpdf_oh_get_dict(data, object) : object
  }

  private func isName(_ object: qpdf_oh, _ name: String) -> Bool {
    qpdf_oh_is_name_and_equals(data, object, name) != 0
  }

  private func isTrue(_ object: qpdf_oh) -> Bool {
    qpdf_oh_is_bool(data, object) != 0 && qpdf_oh_get_bool_value(data, object) != 0
  }

  private mutating func values(_ object: qpdf_oh) -> [qpdf_oh] {
    guard qpdf_oh_is_dictionary(data, object) != 0 else { return [] }
    var names: [String] = []
    qpdf_oh_begin_dict_key_iter(data, object)
    while budget > 0, qpdf_oh_dict_more_keys(data) != 0, let name = qpdf_oh_dict_next_key(data) {
      budget -= 1
      names.append(String(cString: name))
    }
    return names.map { key(object, $0) }
  }
}
