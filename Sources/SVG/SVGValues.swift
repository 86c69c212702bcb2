/// What librsvg (2.54 to 2.60) reads of attributes and styles: another value is not drawn, or something else is.
enum SVGValues {
  enum Accepted {
    case words(String)
    case numbers([Int], from: Double = -.infinity, units: String = "")
    /// What is drawn up to where it can't be read.
    case path
    /// Links, and the elements that they lead to; nil: any.
    case link(to: Set<Substring>? = nil)
    case any
  }

  /// Names in any element, or in one; with the names that are missing, any value has the same effect on paper.
  private static let table: [(names: String, accepted: Accepted)] = [
    // Not implemented: this is how things are without them.
    ("dominant-baseline, alignment-baseline", .words("auto baseline alphabetic no-change")),
    ("word-spacing, font-variation-settings", .words("normal 0")),
    ("transform-origin", .words("0 0px 0%")),
    ("text rotate, tspan rotate", .words("0")),
    ("text textLength, tspan textLength, filter href, inline-size, shape-inside", .words("")),
    ("vector-effect, text-shadow, backdrop-filter, symbol clip-path, symbol mask", .words("none")),
    (
      "rect marker-mid, circle marker-mid, ellipse marker-mid, symbol filter, mask transform",
      .words("none")
    ),
    ("symbol opacity", .words("1")),
    (
      "background, background-color", .words("none transparent white #fff #ffffff rgb(255 255 255)")
    ),
    // Implemented for these.
    ("patternUnits, patternContentUnits", .words("userSpaceOnUse objectBoundingBox")),
    ("primitiveUnits", .words("userSpaceOnUse")),
    ("markerUnits", .words("userSpaceOnUse strokeWidth")),
    ("spreadMethod", .words("pad reflect repeat")),
    ("feComposite operator", .words("over in out atop xor arithmetic")),
    ("feColorMatrix type", .words("matrix saturate hueRotate luminanceToAlpha")),
    ("in, in2", .words("SourceGraphic SourceAlpha BackgroundImage BackgroundAlpha")),
    ("stdDeviation, radius", .numbers([1, 2], from: 0)),
    ("diffuseConstant, specularConstant", .numbers([1], from: 0)),
    ("feOffset dx, feOffset dy, k1, k2, k3, k4, surfaceScale, specularExponent", .numbers([1])),
    ("feColorMatrix values", .numbers([1, 20])),
    ("radialGradient r, radialGradient fr", .numbers([1], from: 0, units: "%")),
    ("markerWidth, markerHeight, refX, refY", .numbers([1], units: "px")),
    ("stop offset", .numbers([1], units: "%")),
    ("path d, points", .path),
    ("linearGradient href", .link(to: ["linearGradient", "radialGradient"])),
    ("radialGradient href", .link(to: ["linearGradient", "radialGradient"])),
    ("pattern href", .link(to: ["pattern"])),
    ("use href, image href, feImage href, ?xml-stylesheet href", .link()),
    ("fill, stroke, filter, mask, clip-path", .link()),
    ("marker, marker-start, marker-mid, marker-end", .link()),
    ("color, stop-color, flood-color, lighting-color, opacity, fill-opacity, d", .any),
    ("stroke-opacity, stop-opacity, flood-opacity, stroke-width, stroke-dasharray", .any),
    ("transform, gradientTransform, patternTransform, font, font-size, x, y, r", .any),
    ("cx, cy, rx, ry, width, height, display, visibility, stroke-dashoffset", .any),
  ]

  private static let all = Dictionary(
    table.flatMap { line in
      line.names.split(separator: ",").map { (String($0.drop { $0 == " " }), line.accepted) }
    }, uniquingKeysWith: { first, _ in first })

  /// Those of colors, transforms and filters, in small letters.
  private static let functions: Set<Substring> = Set(
    """
    url rgb rgba hsl hsla icc-color matrix translate translatex translatey scale scalex scaley rotate skewx skewy \
    blur drop-shadow grayscale hue-rotate opacity saturate sepia
    """.split { " \n".contains($0) })

  /// nil if any value does as much.
  static func accepted(_ name: String, of element: String) -> Accepted? {
    all["\(element) \(name)"] ?? all[name]
  }

  /// True for a value with an entity, too.
  static func isRead(_ value: String, as accepted: Accepted) -> Bool {
    if value.utf8.contains(UInt8(ascii: "&")) { return true }
    let calls = value.lowercased().split(separator: "(", omittingEmptySubsequences: false)
      .dropLast()
    let called = calls.map { $0.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.last ?? "" }
    guard functions.isSuperset(of: called) else { return false }
    switch accepted {
    case .any, .link: return true
    case .path: return value == "none" || value.utf8.allSatisfy(pathBytes.contains)
    case .words(let words):
      let known = (words + " inherit initial unset").split(separator: " ")
      return value.split { $0 == "," || $0.isWhitespace }.allSatisfy(known.contains)
    case .numbers(let counts, let least, let units):
      let apart = value.filter { !units.contains($0) }.replacing("-", with: " -")
        .replacing("e -", with: "e-")
      let numbers = apart.split { $0 == "," || $0.isWhitespace }.map { Double($0) ?? .nan }
      return counts.contains(numbers.count) && numbers.allSatisfy { $0 >= least }
    }
  }

  private static let pathBytes = Set("MmLlHhVvCcSsQqTtAaZzEe0123456789+-., \t\r\n\u{C}".utf8)

  /// The links in a style that are followed, but for those in the place of which it states a color.
  static func links(in value: String) -> [String] {
    (" " + value).split(separator: "url(").dropFirst().compactMap { part in
      let parts = part.split(separator: ")", maxSplits: 1)
      let link = parts.first?.filter { !"\"'".contains($0) && !$0.isWhitespace } ?? ""
      let rest = parts.dropFirst().first?.drop { $0.isWhitespace } ?? ""
      let hasColor = rest.first.map { $0.isLetter || $0 == "#" } == true && !rest.hasPrefix("none")
      return link.contains("#") && !(hasColor && link.hasPrefix("#")) ? link : nil
    }
  }
}
