internal import Glibc
internal import PDFRepair
internal import PrintModel

/// The choice between Poppler's two renderers, by what a page reaches: resources, and annotations for paper.
///
/// cairo draws most pages, and Splash those that have something that cairo draws wrong; each is a `SplashReason`.
struct RendererChoice {
  /// Forms already searched; direct objects have no number.
  private var seen: Set<Place> = []
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

  /// The reason for which Splash must draw a page; nil: there is none in its objects.
  static func reason(on page: PDFObject) -> SplashReason? {
    var choice = RendererChoice()
    return choice.reason(on: page)
  }

  private mutating func reason(on page: PDFObject) -> SplashReason? {
    if page["Group"]["K"].isTrue { return .knockoutGroup }
    if let reason = reason(in: page["Resources"], on: .page, depth: 0) { return reason }
    for annotation in items(page["Annots"]) {
      if let reason = reason(inAnnotation: annotation) { return reason }
    }
    if budget <= 0 { return .manyObjects }
    if blendsWithPaint, !hasBackground(page) { return .blendMode }
    if hasStencils, isTranslucent { return .stencilMask }
    if (1...RendererChoice.mostTransfers).contains(transfers) { return .transferFunction }
    let isQuick =
      functionMeshes <= Triangles.mostFunctionMeshes && vertices <= Triangles.mostVertices
    return functionMeshes + vertices > 0 && isQuick ? .shading : nil
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

  private mutating func reason(
    in resources: PDFObject, on backdrop: Backdrop, depth: Int
  ) -> SplashReason? {
    guard depth < 16, budget > 0 else { return .manyObjects }
    for state in values(resources["ExtGState"]) {
      if blends(state, with: backdrop) { return .blendMode }
      if let opacity = state["ca"].number, opacity < 1 { isTranslucent = true }
      let mask = state["SMask"]
      guard mask.isDictionary else { continue }
      if !mask["TR"].isNull, mask["TR"].name != "Identity" { transfers += 1 }
      if !values(mask["G"]["Resources"]["Shading"]).isEmpty { return .shadedMask }
      if let reason = reason(inForm: mask["G"], of: resources, on: .isolated, depth: depth) {
        return reason
      }
    }
    for space in values(resources["ColorSpace"]) where isOfNoDevice(space) { return .noInk }
    for shading in values(resources["Shading"]) where isRich(shading) { return .shading }
    for pattern in values(resources["Pattern"]) {
      if isRich(pattern["Shading"]) { return .shading }
      if overlaps(pattern) { return .overlappingTiles }
      if let reason = reason(inForm: pattern, of: resources, on: backdrop, depth: depth) {
        return reason
      }
    }
    for object in values(resources["XObject"]) {
      // Premultiplied with the matte (ISO 32000-1 §11.6.5.3), which cairo ignores.
      if object["SMask"]["Matte"].isArray { return .matte }
      if object["Mask"].isStream { hasStencils = true }
      guard object["Subtype"].name == "Form" else { continue }
      if let reason = reason(inForm: object, of: resources, on: backdrop, depth: depth) {
        return reason
      }
    }
    return nil
  }

  /// - `others`: the resources of the object that draws the form, which it uses if it has none of its own (ISO 32000-1
  ///   §7.8.3).
  private mutating func reason(
    inForm form: PDFObject, of others: PDFObject, on backdrop: Backdrop, depth: Int
  ) -> SplashReason? {
    guard isNew(form, on: backdrop) else { return nil }
    let group = form["Group"]
    var backdrop = backdrop
    if group.isDictionary {
      if group["K"].isTrue { return .knockoutGroup }
      backdrop = group["I"].isTrue ? .isolated : .group
    }
    let own = form["Resources"]
    return reason(in: own.isDictionary ? own : others, on: backdrop, depth: depth + 1)
  }

  /// Searches an annotation's appearances, one for each of its states (ISO 32000-1 §12.5.5).
  ///
  /// Poppler draws an appearance directly on the page, whether it is a group or not.
  private mutating func reason(inAnnotation annotation: PDFObject) -> SplashReason? {
    guard annotation.isPrintedAnnotation else { return nil }
    let normal = annotation["AP"]["N"]
    for appearance in normal.isStream ? [normal] : values(normal)
    where isNew(appearance, on: .page) {
      if let reason = reason(in: appearance["Resources"], on: .page, depth: 1) { return reason }
    }
    return nil
  }

  /// True for a form that was not searched yet.
  private mutating func isNew(_ form: PDFObject, on backdrop: Backdrop) -> Bool {
    guard form.isStream else { return false }
    return form.id == 0 || seen.insert(Place(form: form.id, backdrop: backdrop)).inserted
  }

  // MARK: Colors

  /// Modes other than Normal and its synonym Compatible (ISO 32000-1 §11.3.5).
  private static let blendModes: Set<String> = [
    "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn",
    "HardLight", "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color",
    "Luminosity",
  ]

  /// True when a graphics state blends in a way that cairo draws incorrectly.
  private mutating func blends(_ state: PDFObject, with backdrop: Backdrop) -> Bool {
    guard backdrop != .isolated else { return false }
    // In a list, the first mode that a reader supports applies (ISO 32000-1 Table 58).
    let mode = state["BM"]
    let known = (mode.isArray ? items(mode) : [mode]).compactMap(\.name)
      .first { $0 == "Normal" || $0 == "Compatible" || RendererChoice.blendModes.contains($0) }
    guard let known, RendererChoice.blendModes.contains(known) else { return false }
    if backdrop == .page, RendererChoice.rightOnPaint.contains(known) {
      blendsWithPaint = true
      return false
    }
    return backdrop == .group || known != "Multiply" && known != "Darken"
  }

  /// Modes that cairo draws like mutool and gs (Poppler 22.12), and Splash in other colors.
  private static let rightOnPaint: Set<String> = [
    "ColorBurn", "ColorDodge", "Hue", "Saturation",
  ]

  private func hasBackground(_ page: PDFObject) -> Bool {
    let box = (page["CropBox"].isArray ? page["CropBox"] : page["MediaBox"]).numbers
    guard box.count == 4 else { return false }
    // A background is drawn in the first streams.
    let start = page["Contents"].oneOrAll.prefix(4).map {
      ($0.data(atMost: 16 << 20) ?? []).prefix(64 << 10)
    }
    return OpaqueBackdrop.isPainted(
      by: Array(start.joined(separator: [10])),
      over: Rectangle(
        x: min(box[0], box[2]), y: min(box[1], box[3]), width: abs(box[2] - box[0]),
        height: abs(box[3] - box[1])))
  }

  /// True for a color named None, which leaves no mark (ISO 32000-1 §8.6.6.4); cairo gets its alternate color.
  private mutating func isOfNoDevice(_ space: PDFObject) -> Bool {
    let parts = space.items(atMost: 2)
    guard parts.count == 2 else { return false }
    switch parts[0].name {
    case "Separation": return parts[1].name == "None"
    case "DeviceN":
      let names = items(parts[1])
      return !names.isEmpty && names.allSatisfy { $0.name == "None" }
    default: return false
    }
  }

  /// True for a tile that is larger than its steps: cairo draws a line in its pattern as a plain one.
  private func overlaps(_ pattern: PDFObject) -> Bool {
    let box = pattern["BBox"].numbers
    guard box.count == 4, let across = pattern["XStep"].number else { return false }
    let down = pattern["YStep"].number ?? 0
    return abs(box[2] - box[0]) > abs(across) * 1.01 || abs(box[3] - box[1]) > abs(down) * 1.01
  }

  /// True for a shading by a function or patches, types 1, 6 and 7 (ISO 32000-1 §8.7.4.5), and some radial ones.
  ///
  /// Triangles, types 4 and 5, are counted.
  private mutating func isRich(_ shading: PDFObject) -> Bool {
    let type = shading["ShadingType"].integer
    if type == 4 || type == 5 { count(triangles: shading) }
    return type == 1 || type >= 6 || type == 3 && narrows(shading)
  }

  /// True for a shading from a larger circle to a smaller one that cairo draws wrong: one that continues at one end only,
  /// or whose smaller circle is not within the larger one (ISO 32000-1 §8.7.4.5.4).
  private func narrows(_ radial: PDFObject) -> Bool {
    let circles = radial["Coords"].numbers
    guard circles.count == 6, circles[2] > circles[5] else { return false }
    let ends = radial["Extend"].items(atMost: 2).map(\.isTrue)
    let distance = hypot(circles[3] - circles[0], circles[4] - circles[1])
    return Set(ends).count > 1 || distance > circles[2] - circles[5]
  }

  private mutating func count(triangles mesh: PDFObject) {
    if !mesh["Function"].isNull {
      functionMeshes += 1
    } else {
      // A vertex takes about eight bytes, half of that when compressed.
      vertices += 1 + min(max(0, mesh["Length"].integer), 1 << 30) / 4
    }
  }

  // MARK: Members

  private mutating func values(_ object: PDFObject) -> [PDFObject] {
    let values = object.values(atMost: max(0, budget))
    budget -= values.count
    return values
  }

  private mutating func items(_ object: PDFObject) -> [PDFObject] {
    let items = object.items(atMost: max(0, budget))
    budget -= items.count
    return items
  }
}
