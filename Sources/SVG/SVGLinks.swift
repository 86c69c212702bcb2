internal import DocumentBytes
internal import Drawing
internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import PrintModel

/// Finds what librsvg leaves out of a drawing without a message: files that can't be loaded, pictures that can't be read,
/// elements that are not there, and what it (2.54 to 2.60) does not know.
struct SVGLinks {
  let text: UnsafeRawBufferPointer
  /// The folder of the drawing's files; nil: it loads none.
  let folder: String?
  /// The drawing is a picture in another one, for which librsvg loads no file.
  let isInner: Bool
  /// What would be missing of a picture.
  let lossesOf: (MappedFile) -> [Loss]
  private var found = LossNotes()
  private var seen: Set<String> = []
  /// The switches around a place: what stands beside a foreignObject in one is drawn instead.
  private var switches: [(isLacking: Bool, hasOther: Bool)] = []
  /// The prefix of SVG's elements.
  private var prefix: Substring?
  private lazy var names = SVGLinks.names(in: text)

  /// Elements that show a picture, those that refer to others, those that are drawn where they stand, and any that
  /// librsvg draws, or that are not for paper.
  private static let pictures: Set<String> = ["image", "feImage"]
  private static let references: Set<String> = [
    "use", "?xml-stylesheet", "linearGradient", "radialGradient", "pattern",
  ]
  private static let shapes: Set<String> = [
    "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use",
  ]
  private static let known = shapes.union(references).union(unread).union(
    """
    svg g a defs switch symbol clipPath mask marker filter stop tspan tref view cursor mpath set discard animate \
    animateColor animateMotion animateTransform feBlend feColorMatrix feComponentTransfer feComposite \
    feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG \
    feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting \
    feSpotLight feTile feTurbulence
    """.split(separator: " ").map(String.init))
  /// Elements in which none is drawn.
  private static let unread: Set<String> = [
    "metadata", "script", "style", "title", "desc", "font", "font-face", "color-profile",
  ]
  /// Elements that show what is in them, and nothing when they are empty.
  private static let frames: Set<String> = [
    "foreignObject", "flowRoot", "textPath", "textArea", "canvas", "iframe", "mesh", "hatch",
  ]

  /// Styles that it does not know, or not in these words, and what they say.
  private static let styles = [
    (":var(--", "variables"), (": var(--", "variables"), ("@media print", "rules for print alone"),
    ("oklch(", "newer colors"), ("lab(", "newer colors"), ("color-mix(", "newer colors"),
    ("d:path(", "paths"), ("d: path(", "paths"), ("transform-origin", "origins of transforms"),
  ]

  init(
    text: UnsafeRawBufferPointer, folder: String?, isInner: Bool,
    lossesOf: @escaping (MappedFile) -> [Loss]
  ) {
    (self.text, self.folder, self.isInner, self.lossesOf) = (text, folder, isInner, lossesOf)
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
    for link in styleLinks() { look(at: link, of: "style") }
    for (word, what) in Self.styles where hasStyle(word) { add("styles with \(what)") }
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

  /// True for words in an element's attributes, or in a style sheet, but for origins of what is not transformed there.
  private func hasStyle(_ word: String) -> Bool {
    var place = 0
    while let start = text.firstPlace(of: word, from: place) {
      place = start + word.utf8.count
      guard property(at: start) != nil else { continue }
      guard word == "transform-origin" else { return true }
      let first = ["<", "{"].compactMap { text.lastPlace(of: $0, before: start) }.max() ?? 0
      let around = text.piece(first..<min(text.count, place + 2_000)).prefix {
        ![0x3E, 0x7D].contains($0)
      }
      let rule = String(decoding: around, as: UTF8.self)
      let value = text[place...].prefix(40).drop { Array(" :='\"".utf8).contains($0) }
      let isMoved = value.first.map { !Array("0lt".utf8).contains($0) } ?? false
      if isMoved, rule.contains("transform=") || rule.contains("transform:") { return true }
    }
    return false
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

  /// Looks at what an element refers to, if its path is whole, and where its letters are.
  private mutating func look(into element: String, _ tag: UnsafeRawBufferPointer, _ end: Int) {
    let path = Self.value(of: "d", in: tag) ?? Self.value(of: "points", in: tag)
    if let path, path != "none", !path.contains("&"), !SVGText.isPath(path) {
      found.add(Loss(.damage, "A \(element) in the drawing is broken: a part of it is missing."))
    }
    if Self.pictures.contains(element) || Self.references.contains(element) {
      look(at: Self.value(of: "href", in: tag) ?? "", of: element)
    }
    guard ["text", "tspan"].contains(element) else { return }
    let isTurned = Self.value(of: "rotate", in: tag)?.contains { "1"..."9" ~= $0 } == true
    let isSpread = Self.lists(in: tag).contains { $0.places.count > 1 }
    if isTurned || isSpread && !text.hasPrefix(SVGText.own, at: end + 1) {
      add("places of single letters")
    }
  }

  /// Adds what is missing because of a link of an element.
  private mutating func look(at link: String, of element: String) {
    guard !link.isEmpty, seen.insert(link).inserted else { return }
    let isPicture = Self.pictures.contains(element)
    let name = link.utf8.firstIndex(of: 0x23).map { percentDecoded(link[$0...].dropFirst()) }
    do throws(MissingFile) {
      if link.hasPrefix("#") {
        if isPicture { return add("\(element) elements") }
        // What is included may have names, too.
        if let name, !names.contains(name), !text.contains("XInclude") { addMissing(link) }
      } else if !link.hasPrefix("data:") {
        let file = try file(behind: link)
        if isPicture { return add(file) }
        guard name != nil || element == "use", file.bytes.first != 0x1F else { return }
        if !SVGLinks.names(in: file.bytes).contains(name ?? "") { addMissing(link) }
      } else if isPicture {
        add(MappedFile(copy: SVGLinks.data(in: link)))
      }
    } catch {
      found.add(
        Loss(.file, "The drawing's file \(link) is missing: \(error.why).".onOneLine))
    }
  }

  private mutating func addMissing(_ link: String) {
    found.add(Loss(.damage, "The drawing refers to \(link), which is not there.".onOneLine))
  }

  private mutating func add(_ picture: MappedFile?) {
    let losses = picture.map(lossesOf) ?? [Loss(.damage, "It is empty.")]
    for loss in losses { found.add(loss.of("A picture in the drawing")) }
  }

  /// The bytes of a link that contains them (RFC 2397).
  private static func data(in link: String) -> [UInt8] {
    let parts = link.utf8.split(separator: UInt8(ascii: ","), maxSplits: 1)
    guard parts.count == 2 else { return [] }
    let bytes = percentDecoded(parts[1])
    guard String(parts[0])?.lowercased().hasSuffix(";base64") == true else { return bytes }
    return Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters).map(Array.init) ?? []
  }

  /// The files that styles refer to: style sheets, and drawings with colors, patterns and masks.
  private func styleLinks() -> [String] {
    var found: [String] = []
    for word in ["@import", "url("] {
      var place = 0
      while let start = text.firstPlace(of: word, from: place) {
        place = start + word.utf8.count
        let value = SVGLinks.plain(String(decoding: text[place...].prefix(300), as: UTF8.self))
          .drop { $0.isWhitespace }
        let quote = value.first.flatMap { "\"'".contains($0) ? $0 : nil }
        // `@import url(…)` is found as `url(`.
        guard quote != nil || word == "url(" else { continue }
        let link = value.drop { $0 == quote }.prefix { $0 != quote ?? ")" }
        guard let name = property(at: start) else { continue }
        // A color may be stated for want of what is referred to. Other files have no effect, such as a cursor's, or are
        // those of fonts, which may be installed.
        let rest = value[link.endIndex...].drop { $0 == quote }.dropFirst().drop { $0.isWhitespace }
        let hasColor =
          rest.first.map { $0.isLetter || $0 == "#" } == true && !rest.hasPrefix("none")
        if [word, name].contains("@import")
          || link.contains("#") && !name.hasPrefix("src") && !(hasColor && link.hasPrefix("#"))
        {
          found.append(String(link))
        }
      }
    }
    return found
  }

  /// The word that begins what stands at a place in a style sheet, or in an element's attributes; nil elsewhere.
  private func property(at place: Int) -> String? {
    guard let start = text.lastPlace(of: "<", before: place), !text.hasPrefix("<!--", at: start)
    else { return nil }
    let isSheet = ["<style", "<svg:style", "<![CDATA["].contains { text.hasPrefix($0, at: start) }
    let between = text[start..<place]
    guard isSheet || !between.contains(UInt8(ascii: ">")) else { return nil }
    let last = between.suffix(1_000)
      .split { Array((isSheet ? ";{}>" : ";\"'").utf8).contains($0) }.last
    return String(decoding: last?.split { $0 <= 32 }.first ?? [], as: UTF8.self)
  }

  /// The names of a drawing's elements.
  private static func names(in text: UnsafeRawBufferPointer) -> Set<String> {
    var names: Set<String> = []
    var place = 1
    while let value = nextValue(of: "id", in: text, from: &place) { names.insert(value) }
    return names
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

  private static func nextValue(
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

  private struct MissingFile: Error { let why: String }

  /// Opens the file behind a link.
  private func file(behind link: String) throws(MissingFile) -> MappedFile {
    if isInner { throw MissingFile(why: "a drawing in another one loads no files") }
    var path = link
    if let colon = link.firstIndex(of: ":"), link[..<colon].allSatisfy(\.isLetter) {
      guard link.hasPrefix("file:") else {
        throw MissingFile(why: "nothing is loaded from the network")
      }
      path = String(link.dropFirst(link.hasPrefix("file://") ? 7 : 5))
    }
    guard let folder else {
      throw MissingFile(why: "the drawing has no folder; name one with --assets")
    }
    path = percentDecoded(path.prefix { $0 != "?" && $0 != "#" })
    guard let real = realpath(path.hasPrefix("/") ? path : "\(folder)/\(path)", nil) else {
      throw MissingFile(why: "there is no such file in \(folder)")
    }
    defer { free(real) }
    guard let root = realpath(folder, nil) else {
      throw MissingFile(why: "\(folder) can't be read")
    }
    defer { free(root) }
    let (inside, outside) = (String(cString: real), String(cString: root))
    guard inside.hasPrefix(outside == "/" ? "/" : outside + "/") else {
      throw MissingFile(why: "it is not in \(folder); name its folder with --assets")
    }
    guard DrawingFolder.mayRead(inside) else {
      throw MissingFile(why: "its name is not that of a picture")
    }
    // realpath(3) also succeeds for files that can't be opened.
    let file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { close(file) } }
    do throws(Failure) { return try MappedFile(file) } catch {
      throw MissingFile(why: "it can't be read")
    }
  }
}

/// The folder of the pictures that a drawing refers to.
///
/// A drawing could show any text file as its own words (XInclude), so it may only read files whose names are those of
/// pictures or style sheets.
package enum DrawingFolder {
  private static let suffixes: Set<String> = [
    "png", "jpg", "jpeg", "jpe", "gif", "svg", "svgz", "webp", "avif", "tif", "tiff", "bmp", "ico",
    "css",
  ]
  /// Maximum number of entries to examine: a drawing may be in somebody's home.
  private static let most = 20_000

  /// True when the drawing may read a file of this name.
  static func mayRead(_ name: String) -> Bool {
    name.lastIndex(of: ".").map { suffixes.contains(name[name.index(after: $0)...].lowercased()) }
      ?? false
  }

  /// The pictures and style sheets in the folder and below it, nearest first.
  ///
  /// Links are skipped: their targets are found by their own names, or are outside the folder.
  package static func files(beneath folder: String) -> [String] {
    var files: [String] = []
    var folders = [folder][...]
    var left = most
    while let next = folders.popFirst(), left > 0 {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? [] {
        left -= 1
        guard left > 0, !name.hasPrefix(".") else { continue }
        let path = "\(next)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(path)
        case S_IFREG: if mayRead(name) { files.append(path) }
        default: break
        }
      }
    }
    return files
  }
}
