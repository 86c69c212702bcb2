internal import CQPDF
internal import Glibc
internal import PrintModel

/// Looks through what a page reaches (resources, annotations for paper) for what Poppler draws wrong on cairo, and
/// right with Splash.
///
/// These are colored glyphs of Type 3 fonts (emoji, as written by Google Docs and Chrome), blending with bare paper or
/// in groups that are not isolated, knockout groups, soft masks with a transfer function or of a shading, shadings by a
/// function or a mesh, some between two circles, tiles that overlap, pictures whose colors are premultiplied with a
/// matte, translucent pictures with a stencil mask, and colors of no device.
///
/// A page with more objects than are searched needs Splash, too.
struct SplashScan {
  private let data: qpdf_data?
  /// Forms already searched; direct objects have no number.
  private var seen: Set<Place> = []
  /// Type 3 fonts by number, which pages share, and whether they are colored.
  private(set) var fonts: [Int32: Bool]
  /// Number of meshes of triangles with colors from a function, and of the vertices of others.
  ///
  /// See `Triangles`.
  private var functionMeshes = 0
  private var vertices = 0
  /// Number of soft masks with a transfer function.
  private var transfers = 0
  /// True if it blends with the page in a way that Splash draws incorrectly, and cairo only where paper shows through.
  private var blendsWithPaint = false
  /// Pictures with a stencil mask, and opacities: cairo draws such a picture as if it were opaque.
  private var (hasStencils, isTranslucent) = (false, false)
  /// Number of dictionary members and array elements that may still be read.
  private var budget = 20_000

  /// - `fonts`: known results for the document's Type 3 fonts.
  init(_ data: qpdf_data?, fonts: [Int32: Bool] = [:]) {
    self.data = data
    self.fonts = fonts
  }

  /// The backdrop to blend with.
  private enum Backdrop: Hashable {
    /// A page is an isolated group, whether it states that or not: it is blended with nothing, and then put on paper
    /// (ISO 32000-1 §11.4.7).
    ///
    /// cairo blends with white, which is the same for modes that darken, but has no effect or the opposite one for
    /// others.
    case page
    /// Everything below a group that is not isolated, which cairo ignores.
    case group
    /// Nothing, which cairo draws correctly.
    case isolated
  }

  /// A form on a backdrop: a form on two backdrops is searched twice.
  private struct Place: Hashable {
    var form: Int32
    var backdrop: Backdrop
  }

  mutating func finds(on page: qpdf_oh) -> Bool {
    if isTrue(key(key(page, "/Group"), "/K")) { return true }
    if finds(in: key(page, "/Resources"), on: .page, depth: 0) { return true }
    for annotation in items(key(page, "/Annots")) where finds(inAnnotation: annotation) {
      return true
    }
    if budget <= 0 { return true }
    if blendsWithPaint, !hasBackground(page) { return true }
    if hasStencils, isTranslucent { return true }
    if (1...SplashScan.mostTransfers).contains(transfers) { return true }
    return functionMeshes + vertices > 0 && functionMeshes <= Triangles.mostFunctionMeshes
      && vertices <= Triangles.mostVertices
  }

  /// Limits on meshes of triangles: both renderers draw them correctly, but each is slow in its own way.
  ///
  /// cairo takes a third of a microsecond for each pixel of a mesh (a page of it at 600 dpi: 11 s). Splash takes
  /// milliseconds for a triangle, and for a mesh with colors from a function as long as for the page (316 of them, on a
  /// page of a book: 12 s at 300 dpi, 78 s at 600 dpi, where cairo takes 4 s).
  private enum Triangles {
    static let mostFunctionMeshes = 12
    static let mostVertices = 2_000
  }

  /// Maximum number of soft masks with a transfer function: Splash takes 20 ms for each on a page at 100 dpi (800 of
  /// them, on a page by Chrome: more than 18 s, where cairo takes 4 s).
  private static let mostTransfers = 16

  private mutating func finds(in resources: qpdf_oh, on backdrop: Backdrop, depth: Int) -> Bool {
    guard depth < 16, budget > 0 else { return true }
    for state in values(key(resources, "/ExtGState")) {
      if blends(state, with: backdrop) { return true }
      let opacity = key(state, "/ca")
      if qpdf_oh_is_number(data, opacity) != 0, qpdf_oh_get_numeric_value(data, opacity) < 1 {
        isTranslucent = true
      }
      let mask = key(state, "/SMask")
      guard qpdf_oh_is_dictionary(data, mask) != 0 else { continue }
      let transfer = key(mask, "/TR")
      if qpdf_oh_is_null(data, transfer) == 0, !isName(transfer, "/Identity") { transfers += 1 }
      let own = key(dictionary(key(mask, "/G")), "/Resources")
      if !values(key(own, "/Shading")).isEmpty { return true }
      if finds(inForm: key(mask, "/G"), of: resources, on: .isolated, depth: depth) { return true }
    }
    for space in values(key(resources, "/ColorSpace")) where isOfNoDevice(space) { return true }
    for shading in values(key(resources, "/Shading")) where isRich(shading) { return true }
    for pattern in values(key(resources, "/Pattern")) {
      if isRich(key(dictionary(pattern), "/Shading")) || overlaps(pattern) { return true }
      if finds(inForm: pattern, of: resources, on: backdrop, depth: depth) { return true }
    }
    for font in values(key(resources, "/Font")) where isColored(font) { return true }
    for object in values(key(resources, "/XObject")) {
      let members = dictionary(object)
      // Premultiplied with the matte (ISO 32000-1 §11.6.5.3), which cairo ignores.
      if qpdf_oh_is_array(data, key(dictionary(key(members, "/SMask")), "/Matte")) != 0 {
        return true
      }
      if qpdf_oh_is_stream(data, key(members, "/Mask")) != 0 { hasStencils = true }
      if isName(key(members, "/Subtype"), "/Form"),
        finds(inForm: object, of: resources, on: backdrop, depth: depth)
      {
        return true
      }
    }
    return false
  }

  /// - `others`: the resources of the object that draws the form, which it uses if it has none of its own (ISO 32000-1
  ///   §7.8.3).
  private mutating func finds(
    inForm form: qpdf_oh, of others: qpdf_oh, on backdrop: Backdrop, depth: Int
  ) -> Bool {
    guard isNew(form, on: backdrop) else { return false }
    let members = dictionary(form)
    let group = key(members, "/Group")
    var backdrop = backdrop
    if qpdf_oh_is_dictionary(data, group) != 0 {
      if isTrue(key(group, "/K")) { return true }
      backdrop = isTrue(key(group, "/I")) ? .isolated : .group
    }
    let own = key(members, "/Resources")
    let resources = qpdf_oh_is_dictionary(data, own) != 0 ? own : others
    return finds(in: resources, on: backdrop, depth: depth + 1)
  }

  /// Searches an annotation's appearances, one for each of its states (ISO 32000-1 §12.5.5).
  ///
  /// Poppler draws an appearance directly on the page, whether it is a group or not.
  private mutating func finds(inAnnotation annotation: qpdf_oh) -> Bool {
    guard PDFObjects.isPrinted(annotation, data) else { return false }
    let normal = key(key(annotation, "/AP"), "/N")
    let all = qpdf_oh_is_stream(data, normal) != 0 ? [normal] : values(normal)
    for appearance in all where isNew(appearance, on: .page) {
      if finds(in: key(dictionary(appearance), "/Resources"), on: .page, depth: 1) { return true }
    }
    return false
  }

  /// True for a form that was not searched yet.
  private mutating func isNew(_ form: qpdf_oh, on backdrop: Backdrop) -> Bool {
    guard qpdf_oh_is_stream(data, form) != 0 else { return false }
    let number = qpdf_oh_get_object_id(data, form)
    return number == 0 || seen.insert(Place(form: number, backdrop: backdrop)).inserted
  }

  // MARK: Colors

  /// Modes other than Normal and its synonym Compatible (ISO 32000-1 §11.3.5).
  private static let blendModes: Set<String> = [
    "/Multiply", "/Screen", "/Overlay", "/Darken", "/Lighten", "/ColorDodge", "/ColorBurn",
    "/HardLight", "/SoftLight", "/Difference", "/Exclusion", "/Hue", "/Saturation", "/Color",
    "/Luminosity",
  ]

  /// True when a graphics state blends in a way that cairo draws incorrectly.
  private mutating func blends(_ state: qpdf_oh, with backdrop: Backdrop) -> Bool {
    guard backdrop != .isolated else { return false }
    let mode = key(state, "/BM")
    // In a list, the first mode that a reader supports applies (ISO 32000-1 Table 58).
    let names = qpdf_oh_is_array(data, mode) != 0 ? items(mode) : [mode]
    let known = names.compactMap { name($0) }
      .first { $0 == "/Normal" || $0 == "/Compatible" || SplashScan.blendModes.contains($0) }
    guard let known, SplashScan.blendModes.contains(known) else { return false }
    if backdrop == .page, SplashScan.rightOnPaint.contains(known) {
      blendsWithPaint = true
      return false
    }
    return backdrop == .group || known != "/Multiply" && known != "/Darken"
  }

  /// Modes that cairo draws like mutool and gs (Poppler 22.12), and Splash in other colors.
  private static let rightOnPaint: Set<String> = [
    "/ColorBurn", "/ColorDodge", "/Hue", "/Saturation",
  ]

  private mutating func hasBackground(_ page: qpdf_oh) -> Bool {
    let crop = key(page, "/CropBox")
    let box = items(qpdf_oh_is_array(data, crop) != 0 ? crop : key(page, "/MediaBox"))
      .map { qpdf_oh_get_numeric_value(data, $0) }
    guard box.count == 4 else { return false }
    var contents = [key(page, "/Contents")]
    if qpdf_oh_is_array(data, contents[0]) != 0 { contents = items(contents[0]) }
    // A background is drawn in the first streams.
    let start = contents.prefix(4).map { bytes(of: $0) }
    return OpaqueBackdrop.isPainted(
      by: Array(start.joined(separator: [10])),
      over: Rectangle(
        x: min(box[0], box[2]), y: min(box[1], box[3]), width: abs(box[2] - box[0]),
        height: abs(box[3] - box[1])))
  }

  private func bytes(of stream: qpdf_oh) -> [UInt8] {
    guard qpdf_oh_is_stream(data, stream) != 0,
      qpdf_oh_get_int_value(data, key(dictionary(stream), "/Length")) < 16 << 20
    else { return [] }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    qpdf_oh_get_stream_data(data, stream, qpdf_dl_generalized, nil, &bytes, &count)
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: min(count, 64 << 10)))
  }

  /// True for a color named None, which leaves no mark (ISO 32000-1 §8.6.6.4); cairo gets its alternate color.
  private mutating func isOfNoDevice(_ space: qpdf_oh) -> Bool {
    guard qpdf_oh_is_array(data, space) != 0, qpdf_oh_get_array_n_items(data, space) > 1 else {
      return false
    }
    let colorants = qpdf_oh_get_array_item(data, space, 1)
    switch name(qpdf_oh_get_array_item(data, space, 0)) {
    case "/Separation": return isName(colorants, "/None")
    case "/DeviceN":
      let names = items(colorants)
      return !names.isEmpty && names.allSatisfy { isName($0, "/None") }
    default: return false
    }
  }

  /// True for a tile that is larger than its steps: cairo draws a line in its pattern as a plain one.
  private mutating func overlaps(_ pattern: qpdf_oh) -> Bool {
    let members = dictionary(pattern)
    let box = items(key(members, "/BBox")).map { qpdf_oh_get_numeric_value(data, $0) }
    guard box.count == 4, qpdf_oh_is_number(data, key(members, "/XStep")) != 0 else { return false }
    return SplashScan.overlaps(
      box, qpdf_oh_get_numeric_value(data, key(members, "/XStep")),
      qpdf_oh_get_numeric_value(data, key(members, "/YStep")))
  }

  /// - `box`: a tile's sides.
  static func overlaps(_ box: [Double], _ across: Double, _ down: Double) -> Bool {
    abs(box[2] - box[0]) > abs(across) * 1.01 || abs(box[3] - box[1]) > abs(down) * 1.01
  }

  /// True for a shading by a function or patches, types 1, 6 and 7 (ISO 32000-1 §8.7.4.5), and some radial ones.
  ///
  /// Triangles, types 4 and 5, are counted.
  private mutating func isRich(_ shading: qpdf_oh) -> Bool {
    let members = dictionary(shading)
    let type = key(members, "/ShadingType")
    guard qpdf_oh_is_integer(data, type) != 0 else { return false }
    let number = qpdf_oh_get_int_value(data, type)
    if number == 4 || number == 5 { count(triangles: members) }
    return number == 1 || number >= 6 || number == 3 && narrows(members)
  }

  /// True for a shading from a larger circle to a smaller one that cairo draws wrong: one that continues at one end only,
  /// or whose smaller circle is not within the larger one (ISO 32000-1 §8.7.4.5.4).
  private mutating func narrows(_ radial: qpdf_oh) -> Bool {
    let circles = items(key(radial, "/Coords")).map { qpdf_oh_get_numeric_value(data, $0) }
    guard circles.count == 6, circles[2] > circles[5] else { return false }
    let ends = items(key(radial, "/Extend")).map { isTrue($0) }
    let distance = hypot(circles[3] - circles[0], circles[4] - circles[1])
    return Set(ends).count > 1 || distance > circles[2] - circles[5]
  }

  private mutating func count(triangles members: qpdf_oh) {
    if qpdf_oh_is_null(data, key(members, "/Function")) == 0 {
      functionMeshes += 1
    } else {
      // A vertex takes about eight bytes, half of that when compressed.
      let length = qpdf_oh_get_int_value(data, key(members, "/Length"))
      vertices += 1 + Int(min(max(0, length), 1 << 30)) / 4
    }
  }

  // MARK: Glyphs

  /// True for a Type 3 font with a glyph that has its own colors (d0, ISO 32000-1 §9.6.5).
  private mutating func isColored(_ font: qpdf_oh) -> Bool {
    guard isName(key(font, "/Subtype"), "/Type3") else { return false }
    let number = qpdf_oh_get_object_id(data, font)
    if number != 0, let known = fonts[number] { return known }
    let isColored = values(key(font, "/CharProcs")).contains { hasColors($0) }
    // If the budget is used up, some glyphs were not read.
    if number != 0, isColored || budget > 0 { fonts[number] = isColored }
    return isColored
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
    var content = UnsafeBufferPointer(start: bytes, count: min(count, 256 << 10))[...]
    while let next = content.first, next <= 32 || next == UInt8(ascii: "%") {
      content = next <= 32 ? content.dropFirst() : content.drop { $0 != 10 && $0 != 13 }
    }
    let words = content.split(whereSeparator: { $0 <= 32 }).lazy
    guard words.prefix(8).contains(where: { $0.elementsEqual("d0".utf8) }) else { return false }
    var isPicture = false
    for word in words {
      if isPicture {
        // A stencil has the color of the text (ISO 32000-1 §8.9.7).
        let last = word.split(separator: UInt8(ascii: "/")).last
        if let last, ["IM", "ImageMask"].contains(where: { last.elementsEqual($0.utf8) }) {
          isPicture = false
        } else if word.elementsEqual("ID".utf8) {
          return true
        }
      } else if word.elementsEqual("BI".utf8) {
        isPicture = true
      } else if SplashScan.coloring.contains(where: { word.elementsEqual($0.utf8) }) {
        return true
      }
    }
    return false
  }

  /// Operators that set a color, or draw something with colors.
  private static let coloring = [
    "rg", "g", "k", "sc", "scn", "RG", "G", "K", "SC", "SCN", "Do", "sh",
  ]

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

  private func name(_ object: qpdf_oh) -> String? {
    guard qpdf_oh_is_name(data, object) != 0 else { return nil }
    return qpdf_oh_get_name(data, object).map { String(cString: $0) }
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

  private mutating func items(_ object: qpdf_oh) -> [qpdf_oh] {
    guard qpdf_oh_is_array(data, object) != 0 else { return [] }
    let count = min(max(0, Int(qpdf_oh_get_array_n_items(data, object))), max(0, budget))
    budget -= count
    return (0..<count).map { qpdf_oh_get_array_item(data, object, Int32($0)) }
  }
}
