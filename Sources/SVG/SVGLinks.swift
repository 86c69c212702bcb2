internal import DocumentBytes
internal import Drawing
internal import ForeignText
internal import FoundationEssentials
internal import PrintModel

/// Finds what librsvg (2.54 to 2.60) leaves out of a drawing without a message (`SVGLog` has those): elements that it does
/// not know, style sheets that are not there, and what pictures lack.
struct SVGLinks {
  let text: UnsafeRawBufferPointer
  let files: SVGFiles
  /// What would be missing of a picture.
  let lossesOf: (MappedFile) -> [Loss]
  private(set) var hasDamagedPicture = false
  private var found = LossNotes()
  private var seen: Set<String> = []
  /// The switches around a place: what stands beside a foreignObject in one is drawn instead.
  private var switches: [(isLacking: Bool, hasOther: Bool)] = []
  /// The prefix of SVG's elements.
  private var prefix: Substring?

  /// Elements that are drawn where they stand, and any that librsvg draws, or that are not for paper.
  private static let shapes: Set<String> = [
    "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use",
  ]
  private static let known = shapes.union(unread).union(
    """
    svg g a defs switch symbol clipPath mask marker filter stop tspan tref view cursor mpath set discard animate \
    animateColor animateMotion animateTransform feBlend feColorMatrix feComponentTransfer feComposite \
    feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG \
    feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting \
    feSpotLight feTile feTurbulence linearGradient radialGradient pattern ?xml-stylesheet
    """.split(separator: " ").map(String.init))
  /// Elements in which none is drawn.
  private static let unread: Set<String> = [
    "metadata", "script", "style", "title", "desc", "font", "font-face", "color-profile",
  ]
  /// Elements that show what is in them, and nothing when they are empty.
  private static let frames: Set<String> = [
    "foreignObject", "flowRoot", "textPath", "textArea", "canvas", "iframe", "mesh", "hatch",
  ]

  init(
    text: UnsafeRawBufferPointer, files: SVGFiles, lossesOf: @escaping (MappedFile) -> [Loss]
  ) {
    (self.text, self.files, self.lossesOf) = (text, files, lossesOf)
  }

  /// What will be missing: each file, picture and kind of element once.
  mutating func losses() -> [Loss] {
    var shape: String?
    var place = 0
    while let start = text.firstPlace(of: "<", from: place) {
      if text.hasPrefix("<!--", at: start) {
        place = text.firstPlace(of: "-->", from: start) ?? text.count
        continue
      }
      let isEnd = text.hasPrefix("</", at: start)
      let word = text[(start + (isEnd ? 2 : 1))...].prefix(40)
        .prefix { !Array(" \t\r\n/>".utf8).contains($0) }
      place = start + 1
      let name = String(decoding: word, as: UTF8.self)[...]
      guard name.first?.isLetter == true || name == "?xml-stylesheet" else { continue }
      var local = local(name)
      if isEnd {
        if local == shape { shape = nil }
        if local == "switch", let last = switches.popLast(), last.isLacking, !last.hasOther {
          add("foreignObject elements")
        }
        continue
      }
      let end = end(ofTag: start)
      let (tag, isEmpty) = (text.piece(start..<end), isEmpty(end))
      let space = Self.value(of: "xmlns", in: tag) ?? ""
      if space.hasPrefix("http"), space != Self.space { local = "" }
      let isRead = !local.isEmpty && !Self.unread.contains(local)
      if local == "switch", !isEmpty { switches.append((false, false)) }
      guard isRead, Self.known.contains(local) else {
        place = isEmpty ? end : text.firstPlace(of: "</\(name)", from: end) ?? end
        if isRead, !isEmpty || !Self.frames.contains(local) { leaveOut(local) }
        continue
      }
      if Self.shapes.contains(local) {
        if let last = switches.indices.last { switches[last].hasOther = true }
        if let shape, shape != "text" { add("elements in a \(shape)") }
        if !isEmpty { shape = shape ?? local }
      }
      look(into: local, tag, end)
      place = end
    }
    for sheet in sheets() { tell(sheet) }
    return found.take()
  }

  private mutating func leaveOut(_ element: String) {
    guard element == "foreignObject", let last = switches.indices.last else {
      return add("\(element) elements")
    }
    switches[last].isLacking = true
  }

  private mutating func add(_ what: String) {
    found.add(Loss(.content, "The drawing's \(what) can't be drawn, and are left out."))
  }

  /// The place of the `>` that ends a tag: one in quotes doesn't.
  private func end(ofTag start: Int) -> Int {
    var place = start
    while let stop = text[place...].firstIndex(where: { [0x22, 0x27, 0x3E].contains($0) }) {
      if text[stop] == 0x3E { return stop }
      let quote = text[stop] == 0x22 ? "\"" : "'"
      place = (text.firstPlace(of: quote, from: stop + 1) ?? text.count - 1) + 1
    }
    return text.count
  }

  /// True for the place of the `>` of a tag without an end tag.
  private func isEmpty(_ end: Int) -> Bool { text[end - 1] == UInt8(ascii: "/") }

  private static let space = "http://www.w3.org/2000/svg"

  /// The name of an element without SVG's prefix; empty for one of another language.
  private mutating func local(_ name: Substring) -> String {
    let parts = name.split(separator: ":", maxSplits: 1)
    if parts.last == "svg" { prefix = parts.dropLast().first }
    return parts.dropLast().first == prefix ? String(parts.last ?? "") : ""
  }

  /// Looks at what an element refers to, and where its letters are.
  private mutating func look(into element: String, _ tag: UnsafeRawBufferPointer, _ end: Int) {
    if ["image", "feImage", "?xml-stylesheet"].contains(element),
      let link = Self.value(of: "href", in: tag)
    {
      if element != "image" { tell(link) }
      if !element.hasPrefix("?") { look(at: link) }
    }
    guard ["text", "tspan"].contains(element) else { return }
    let isTurned = Self.value(of: "rotate", in: tag)?.contains { "1"..."9" ~= $0 } == true
    let isSpread = Self.lists(in: tag).contains { $0.places.count > 1 }
    if isTurned || isSpread && !text.hasPrefix(SVGText.own, at: end + 1) {
      add("places of single letters")
    }
  }

  /// Adds what is missing of a picture; librsvg tells of one that it can't load.
  private mutating func look(at link: String) {
    guard !link.isEmpty, seen.insert(link).inserted else { return }
    let isInside = link.hasPrefix("data:")
    guard let file = isInside ? MappedFile(copy: Self.data(in: link)) : try? files.open(link)
    else { return }
    for loss in lossesOf(file) {
      found.add(loss.of("A picture in the drawing"))
      hasDamagedPicture = true
    }
  }

  /// Adds a file that can't be loaded, of which librsvg (2.54) does not tell.
  private mutating func tell(_ link: String) {
    guard !link.isEmpty, !link.hasPrefix("#"), !link.hasPrefix("data:") else { return }
    if let loss = files.loss(of: link) { found.add(loss) }
  }

  /// The bytes of a link that contains them (RFC 2397).
  private static func data(in link: String) -> [UInt8] {
    let parts = link.utf8.split(separator: UInt8(ascii: ","), maxSplits: 1)
    guard parts.count == 2 else { return [] }
    let bytes = percentDecoded(parts[1])
    guard String(parts[0])?.lowercased().hasSuffix(";base64") == true else { return bytes }
    return Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters).map(Array.init) ?? []
  }

  /// The style sheets that those of the drawing refer to.
  private func sheets() -> [String] {
    var found: [String] = []
    var place = 0
    while let start = text.firstPlace(of: "@import", from: place) {
      place = start + 7
      let before = text.lastPlace(of: "<", before: start) ?? 0
      guard
        ["<style", "<svg:style", "<![CDATA["].contains(where: { text.hasPrefix($0, at: before) })
      else { continue }
      let value = Self.plain(String(decoding: text[place...].prefix(300), as: UTF8.self))
      let link = value.drop { $0.isWhitespace }
      let words = link.hasPrefix("url(") ? link.dropFirst(4) : link
      found.append(String(words.drop { "\"' ".contains($0) }.prefix { !"\"');".contains($0) }))
    }
    return found
  }

  /// The value of an attribute in any namespace.
  static func value(of name: String, in tag: UnsafeRawBufferPointer) -> String? {
    var place = 1
    return nextValue(of: name, in: tag, from: &place)
  }

  /// The places that a text's element states: one for all of its letters, or one for each.
  static func lists(in tag: UnsafeRawBufferPointer) -> [(name: String, places: [Substring])] {
    ["x", "y", "dx", "dy"].compactMap { name in
      value(of: name, in: tag).map { (name, $0.split { $0 == "," || $0.isWhitespace }) }
    }
  }

  static func nextValue(
    of name: String, in text: UnsafeRawBufferPointer, from place: inout Int
  ) -> String? {
    while let start = text.firstPlace(of: name, from: place) {
      place = start + name.utf8.count
      guard text[start - 1] == UInt8(ascii: ":") || text.isSpace(text[start - 1]) else { continue }
      let rest = text[place...].drop { text.isSpace($0) || $0 == UInt8(ascii: "=") }
      guard rest.startIndex > place, let quote = rest.first, quote == 0x22 || quote == 0x27
      else { continue }
      return plain(String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self))
    }
    return nil
  }

  /// An attribute's value without entities.
  private static func plain(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    return ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'"]
      .reduce(value) { $0.replacing($1.key, with: $1.value) }.replacing("&amp;", with: "&")
  }
}
