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
  var found = LossNotes()
  /// The elements behind names, and behind results in filters.
  var names: [String: String] = [:]
  /// What gradients and patterns take from another one, by name.
  var bases: [String: String] = [:]
  /// What is followed when all names are known, and the elements that it may lead to; nil: any.
  var links: [Reference] = []
  typealias Reference = (element: String, name: String, text: String, kinds: Set<Substring>?)
  var holders: [Holder] = []
  /// The prefix of SVG's elements.
  var prefix: Substring?

  /// An element around a place.
  struct Holder {
    let element: String
    var decoration = "none"
    /// A foreignObject in a switch, and what is drawn instead.
    var isLacking = false
    var hasOther = false
  }

  /// Elements that are drawn where they stand, any that librsvg draws, and those that are not for paper.
  private static let shapes: Set<Substring> = [
    "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use",
  ]
  private static let known = shapes.union(
    """
    svg g a defs switch symbol clipPath mask marker linearGradient radialGradient pattern filter stop tspan tref view \
    cursor feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting \
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage \
    feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence \
    ?xml-stylesheet
    """.split { " \n".contains($0) })
  private static let unread: Set<Substring> = [
    "metadata", "script", "style", "title", "desc", "font", "font-face", "color-profile", "animate",
    "animateColor", "animateMotion", "animateTransform", "set", "discard", "mpath",
  ]
  /// Elements that show what is in them, and nothing when they are empty.
  private static let frames: Set<Substring> = [
    "foreignObject", "flowRoot", "textPath", "textArea", "canvas", "iframe", "mesh", "hatch",
  ]

  /// What will be missing: each file, picture and kind of element once.
  mutating func losses() -> [Loss] {
    var place = 0
    while let tag = SVGTag(in: text, from: place) {
      let element = local(tag)
      place = tag.end
      if tag.isEnd {
        leave(element)
      } else if Self.known.contains(element[...]) {
        enter(element, tag)
      } else {
        if element == "style" {
          look(atSheet: SVGTag.plain(words(in: tag)).replacing("<![CDATA[", with: ""))
        }
        let isEmpty = tag.isEmpty && Self.frames.contains(element[...])
        if !isEmpty, element.first?.isLetter == true, !Self.unread.contains(element[...]) {
          leaveOut(element)
        }
        place = end(of: tag)
      }
    }
    var seen: Set<String> = []
    for link in links where seen.insert(link.element + link.name + link.text).inserted {
      follow(link)
    }
    return found.take()
  }

  /// The place where an element's own tag ends it.
  private func end(of tag: SVGTag) -> Int {
    tag.isEmpty ? tag.end : text.firstPlace(of: "</\(tag.name)>", from: tag.end) ?? tag.end
  }

  private func words(in tag: SVGTag) -> String {
    String(decoding: text[tag.end..<end(of: tag)], as: UTF8.self)
  }

  private mutating func enter(_ element: String, _ tag: SVGTag) {
    if Self.shapes.contains(element[...]) {
      let choice = holders.lastIndex { $0.element == "switch" }
      if let choice { holders[choice].hasOther = true }
      let shape = holders.first { Self.shapes.contains($0.element[...]) }?.element
      if let shape, shape != "text" { add("elements in a \(shape)") }
    }
    if let id = tag["id"] { names[id] = element }
    let outer = holders.last { $0.decoration != "none" }?.decoration
    holders.append(Holder(element: element))
    look(
      at: tag.attributes + SVGTag.declarations(in: (tag["style"] ?? "")[...]), of: element,
      tag["id"])
    if ["text", "tspan"].contains(element) {
      if let outer, holders.last?.decoration != outer { add("lines along parts of a text") }
      let isSpread = tag.places.contains { $0.places.count > 1 }
      if isSpread, !text.hasPrefix(SVGText.own, at: tag.end) { add("places of single letters") }
      // Outlines are drawn, which these don't have. The outermost element has all of its words.
      let isOuter = !holders.dropLast().contains { $0.element == "text" }
      if isOuter, words(in: tag).unicodeScalars.contains(where: \.properties.isEmojiPresentation) {
        add("emojis")
      }
    }
    // Of one length alone, it does not make the other.
    if element == "image", (tag["width"] == nil) != (tag["height"] == nil) {
      add("images with one length")
    }
    if tag.isEmpty { leave(element) }
  }

  private mutating func leave(_ element: String) {
    guard let place = holders.lastIndex(where: { $0.element == element }) else { return }
    if holders[place].isLacking, !holders[place].hasOther { add("foreignObject elements") }
    holders.removeSubrange(place...)
  }

  private mutating func leaveOut(_ element: String) {
    guard element == "foreignObject",
      let place = holders.lastIndex(where: { $0.element == "switch" })
    else { return add("\(element) elements") }
    holders[place].isLacking = true
  }

  private mutating func add(_ what: String) {
    found.add(Loss(.content, "The drawing's \(what) can't be drawn, and are left out."))
  }

  /// Looks at the attributes and styles of an element, or of a rule.
  private mutating func look(at pairs: SVGTag.Pairs, of element: String, _ id: String? = nil) {
    for (name, value) in pairs {
      if name == "result" { names[value] = element }
      if name == "text-decoration", !element.isEmpty, let last = holders.indices.last {
        holders[last].decoration = value
      }
      // Without a transform, it has no origin.
      guard let accepted = SVGValues.accepted(name, of: element),
        name != "transform-origin" || pairs.contains(where: { $0.name.hasSuffix("ransform") })
      else { continue }
      if !SVGValues.isRead(value, as: accepted), names[value] == nil || !name.hasPrefix("in") {
        if case .path = accepted, !value.contains("(") {
          found.add(
            Loss(.damage, "A \(element) in the drawing is broken: a part of it is missing."))
        } else {
          add("values of \(name)")
        }
      }
      guard case .link(var kinds) = accepted else { continue }
      // A drawing's size is its own.
      if element == "use", pairs.contains(where: { ["width", "height"].contains($0.name) }) {
        kinds = Self.known.subtracting(["svg"])
      }
      for text in name == "href" ? [value] : SVGValues.links(in: value) {
        links.append((element, name, text, kinds))
        if element != "use", kinds != nil, let id { bases[id] = percentDecoded(text.dropFirst()) }
      }
    }
  }

  private mutating func look(atSheet sheet: String) {
    let parts = sheet.split(separator: "/*", omittingEmptySubsequences: false).enumerated()
      .map { $0 == 0 ? $1 : $1.split(separator: "*/", maxSplits: 1).last ?? "" }
    for rule in parts.joined().split(separator: "}") {
      let parts = rule.split(separator: "{", omittingEmptySubsequences: false)
      if parts.count == 2 { look(at: SVGTag.declarations(in: parts[1]), of: "") }
      if parts[0].contains("@media"), parts[0].contains("print") { add("styles for print alone") }
      for order in parts[0].split(separator: ";") {
        let words = order.split { "\"'() \n\t".contains($0) }.drop { $0 != "@import" }
        let link = words.dropFirst().first { $0 != "url" }
        if let link { links.append(("style", "", String(link), nil)) }
      }
    }
  }

  /// The name of an element without SVG's prefix; empty for one of another language.
  private mutating func local(_ tag: SVGTag) -> String {
    let parts = tag.name.split(separator: ":", maxSplits: 1)
    if parts.last == "svg" { prefix = parts.dropLast().first }
    let space = tag["xmlns"] ?? ""
    let isOther = space.hasPrefix("http") && space != "http://www.w3.org/2000/svg"
    return parts.dropLast().first == prefix && !isOther ? String(parts.last ?? "") : ""
  }

  /// Adds what is missing because of a link.
  private mutating func follow(_ link: Reference) {
    let isPicture = ["image", "feImage"].contains(link.element) && link.name == "href"
    let name = link.text.firstIndex(of: "#").map { percentDecoded(link.text[$0...].dropFirst()) }
    do throws(MissingFile) {
      if link.text.hasPrefix("#"), let name {
        if isPicture { add("\(link.element) elements") } else { follow(link, to: name) }
      } else if link.text.hasPrefix("data:") {
        if isPicture { add(MappedFile(copy: SVGLinks.data(in: link.text))) }
      } else if !link.text.isEmpty {
        let file = try file(behind: link.text)
        if isPicture { return add(file) }
        guard name != nil || link.element == "use", file.bytes.first != 0x1F else { return }
        var place = 0
        while let tag = SVGTag(in: file.bytes, from: place), tag["id"] != name ?? "" {
          place = tag.end
        }
        if SVGTag(in: file.bytes, from: place) == nil { addMissing(link) }
      }
    } catch {
      found.add(
        Loss(.file, "The drawing's file \(link.text) is missing: \(error.why).".onOneLine))
    }
  }

  /// Follows a link within the drawing, and from there to the last base of gradients.
  private mutating func follow(_ link: Reference, to name: String) {
    guard let element = names[name] else {
      // What is included may have names, too.
      return text.contains("XInclude") ? () : addMissing(link)
    }
    guard let kinds = link.kinds else { return }
    var (next, passed) = (name, Set<String>())
    while let base = bases[next], passed.insert(next).inserted { next = base }
    if bases[next] != nil || !kinds.contains(element[...]) { add("values of \(link.name)") }
  }

  private mutating func addMissing(_ link: Reference) {
    found.add(Loss(.damage, "The drawing refers to \(link.text), which is not there.".onOneLine))
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
