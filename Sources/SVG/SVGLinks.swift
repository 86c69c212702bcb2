internal import DocumentBytes
internal import Drawing
internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import PrintModel

/// Finds what librsvg leaves out of a drawing without a message: files that can't be loaded, pictures that can't be read,
/// and elements of other languages.
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

  /// Elements that show a picture, those that refer to another file, and those that browsers and drawing programs show
  /// and librsvg does not.
  private static let pictures: Set<String> = ["image", "feImage"]
  private static let references: Set<String> = ["use", "?xml-stylesheet"]
  private static let others: Set<String> = [
    "foreignObject", "flowRoot", "video", "canvas", "iframe", "meshgradient", "hatch",
    "textPath",
  ]

  /// Elements that show nothing of their own.
  private static let containers: Set<String> = ["switch", "g", "a", "title", "desc", "defs"]

  init(
    text: UnsafeRawBufferPointer, folder: String?, isInner: Bool,
    lossesOf: @escaping (MappedFile) -> [Loss]
  ) {
    (self.text, self.folder, self.isInner, self.lossesOf) = (text, folder, isInner, lossesOf)
  }

  /// What will be missing: each file, picture and kind of element once.
  mutating func losses() -> [Loss] {
    // In a switch, what stands beside a foreignObject is shown by programs that don't draw that.
    var switches: [(lacking: String?, hasOther: Bool)] = []
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
      let name = String(decoding: word, as: UTF8.self)
      let local = name.split(separator: ":").last.map(String.init) ?? name
      if isEnd {
        if local == "switch", let last = switches.popLast(), !last.hasOther, let kind = last.lacking
        {
          add(kind)
        }
        continue
      }
      if local == "switch", !isEmpty(end(ofTag: start)) { switches.append((nil, false)) }
      let last = switches.indices.last
      if Self.others.contains(local) {
        place = end(ofTag: start)
        // An empty element shows nothing, but for a film.
        guard local == "video" || !isEmpty(place) else { continue }
        if let last {
          switches[last].lacking = local
          place = text.firstPlace(of: "</\(name)", from: place) ?? place
        } else {
          add(local)
        }
        continue
      }
      if let last, !Self.containers.contains(local) { switches[last].hasOther = true }
      if Self.pictures.contains(local) || Self.references.contains(local) {
        place = end(ofTag: start)
        look(at: link(in: text.piece(start..<place)), isPicture: Self.pictures.contains(local))
      }
    }
    for link in styleLinks() { look(at: link, isPicture: false) }
    // librsvg (2.62) leaves out declarations that begin with a variable, and whole rules for media.
    if [":var(--", ": var(--", "@media print"].contains(where: text.contains) {
      found.add(
        Loss(.content, "The drawing's styles with variables, or for print alone, are left out."))
    }
    return found.take()
  }

  private mutating func add(_ kind: String) {
    found.add(Loss(.content, "The drawing's \(kind) elements can't be drawn, and are left out."))
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

  /// Adds what is missing because of a link.
  private mutating func look(at link: String, isPicture: Bool) {
    guard !link.isEmpty, !link.hasPrefix("#"), seen.insert(link).inserted else { return }
    do throws(MissingFile) {
      if !link.hasPrefix("data:") {
        let file = try file(behind: link)
        if isPicture { add(file) }
      } else if isPicture {
        add(MappedFile(copy: SVGLinks.data(in: link)))
      }
    } catch {
      found.add(
        Loss(.file, "The drawing's file \(link) is missing: \(error.why).".onOneLine))
    }
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
        let value = String(decoding: text[place...].prefix(300), as: UTF8.self)
          .drop { $0.isWhitespace }
        let quote = value.first.flatMap { "\"'".contains($0) ? $0 : nil }
        // `@import url(…)` is found as `url(`.
        guard quote != nil || word == "url(" else { continue }
        let link = value.drop { $0 == quote }.prefix { $0 != quote ?? ")" }
        // Other files have no effect, such as a cursor's, or are those of fonts, which may be installed.
        if let name = property(at: start),
          [word, name].contains("@import") || link.contains("#") && !name.hasPrefix("src")
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

  /// The value of `href` or `xlink:href`.
  private func link(in tag: UnsafeRawBufferPointer) -> String {
    var place = 1
    while let name = tag.firstPlace(of: "href", from: place) {
      place = name + 4
      if tag[name - 1] == UInt8(ascii: ":") || tag.isSpace(tag[name - 1]) { break }
    }
    let rest = tag[place...].drop { tag.isSpace($0) || $0 == UInt8(ascii: "=") }
    guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return "" }
    let value = String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self)
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
