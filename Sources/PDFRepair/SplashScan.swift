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
  init(fonts: [Int32: Bool] = [:]) { self.fonts = fonts }

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

  mutating func finds(on page: PDFObject) -> Bool {
    if page["Group"]["K"].isTrue { return true }
    if finds(in: page["Resources"], on: .page, depth: 0) { return true }
    for annotation in items(page["Annots"]) where finds(inAnnotation: annotation) { return true }
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

  private mutating func finds(in resources: PDFObject, on backdrop: Backdrop, depth: Int) -> Bool {
    guard depth < 16, budget > 0 else { return true }
    for state in values(resources["ExtGState"]) {
      if blends(state, with: backdrop) { return true }
      if let opacity = state["ca"].number, opacity < 1 { isTranslucent = true }
      let mask = state["SMask"]
      guard mask.isDictionary else { continue }
      if !mask["TR"].isNull, mask["TR"].name != "Identity" { transfers += 1 }
      if !values(mask["G"]["Resources"]["Shading"]).isEmpty { return true }
      if finds(inForm: mask["G"], of: resources, on: .isolated, depth: depth) { return true }
    }
    for space in values(resources["ColorSpace"]) where isOfNoDevice(space) { return true }
    for shading in values(resources["Shading"]) where isRich(shading) { return true }
    for pattern in values(resources["Pattern"]) {
      if isRich(pattern["Shading"]) || overlaps(pattern) { return true }
      if finds(inForm: pattern, of: resources, on: backdrop, depth: depth) { return true }
    }
    for font in values(resources["Font"]) where isColored(font) { return true }
    for object in values(resources["XObject"]) {
      // Premultiplied with the matte (ISO 32000-1 §11.6.5.3), which cairo ignores.
      if object["SMask"]["Matte"].isArray { return true }
      if object["Mask"].isStream { hasStencils = true }
      if object["Subtype"].name == "Form",
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
    inForm form: PDFObject, of others: PDFObject, on backdrop: Backdrop, depth: Int
  ) -> Bool {
    guard isNew(form, on: backdrop) else { return false }
    let group = form["Group"]
    var backdrop = backdrop
    if group.isDictionary {
      if group["K"].isTrue { return true }
      backdrop = group["I"].isTrue ? .isolated : .group
    }
    let own = form["Resources"]
    return finds(in: own.isDictionary ? own : others, on: backdrop, depth: depth + 1)
  }

  /// Searches an annotation's appearances, one for each of its states (ISO 32000-1 §12.5.5).
  ///
  /// Poppler draws an appearance directly on the page, whether it is a group or not.
  private mutating func finds(inAnnotation annotation: PDFObject) -> Bool {
    guard annotation.isPrintedAnnotation else { return false }
    let normal = annotation["AP"]["N"]
    for appearance in normal.isStream ? [normal] : values(normal)
    where isNew(appearance, on: .page) {
      if finds(in: appearance["Resources"], on: .page, depth: 1) { return true }
    }
    return false
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
      .first { $0 == "Normal" || $0 == "Compatible" || SplashScan.blendModes.contains($0) }
    guard let known, SplashScan.blendModes.contains(known) else { return false }
    if backdrop == .page, SplashScan.rightOnPaint.contains(known) {
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
    return SplashScan.overlaps(box, across, pattern["YStep"].number ?? 0)
  }

  /// - `box`: a tile's sides.
  static func overlaps(_ box: [Double], _ across: Double, _ down: Double) -> Bool {
    abs(box[2] - box[0]) > abs(across) * 1.01 || abs(box[3] - box[1]) > abs(down) * 1.01
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

  // MARK: Glyphs

  /// True for a Type 3 font with a glyph that has its own colors (d0, ISO 32000-1 §9.6.5).
  private mutating func isColored(_ font: PDFObject) -> Bool {
    guard font["Subtype"].name == "Type3" else { return false }
    if font.id != 0, let known = fonts[font.id] { return known }
    let isColored = values(font["CharProcs"]).contains { glyph in
      glyph.data(atMost: 64 << 10).map(SplashScan.hasColors) ?? false
    }
    // If the budget is used up, some glyphs were not read.
    if font.id != 0, isColored || budget > 0 { fonts[font.id] = isColored }
    return isColored
  }

  /// True when a glyph sets colors, or draws a picture or another form.
  private static func hasColors(_ glyph: [UInt8]) -> Bool {
    var (isFirst, isStencil, isColored) = (true, false, false)
    glyph.prefix(256 << 10).withUnsafeBytes {
      ContentToken.forEach(in: $0) { token, _ in
        switch token {
        case .word("d0"): isFirst = false
        // Glyphs of one color begin with d1.
        case .word where isFirst: return false
        case .word("BI"): isStencil = false
        // A stencil has the color of the text (ISO 32000-1 §8.9.7).
        case .name("IM"), .name("ImageMask"): isStencil = true
        case .word("ID"): isColored = !isStencil
        case .word(let word): isColored = coloring.contains(word)
        default: break
        }
        return !isColored
      }
    }
    return isColored
  }

  /// Operators that set a color, or draw something with colors.
  private static let coloring: Set = [
    "rg", "g", "k", "sc", "scn", "RG", "G", "K", "SC", "SCN", "Do", "sh",
  ]

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
