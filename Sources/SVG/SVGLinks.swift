internal import DocumentBytes
internal import Drawing
internal import ForeignText
internal import Glibc
internal import PrintModel

/// Finds what librsvg leaves out of a drawing without a message: files that can't be loaded, and elements of other
/// languages.
enum SVGLinks {
  /// Elements that show a file, and those that browsers and drawing programs show and librsvg does not.
  private static let links: Set<String> = ["image", "use", "feImage", "?xml-stylesheet"]
  private static let others: Set<String> = [
    "foreignObject", "flowRoot", "video", "canvas", "iframe", "meshgradient", "hatch",
    "textPath",
  ]

  /// Each file and kind of element that will be missing.
  ///
  /// - `isInner`: the drawing is a picture in another one, for which librsvg loads no file.
  static func missing(
    in text: UnsafeRawBufferPointer, folder: String?, isInner: Bool = false
  ) -> [Loss] {
    func fault(of link: String) -> String? {
      isInner ? "a drawing in another one loads no files" : self.fault(of: link, folder)
    }
    var losses = LossNotes()
    // Next to a foreignObject in a switch stands what is shown by programs that don't draw it.
    var switches = 0
    var place = 0
    while let start = text.firstPlace(of: "<", from: place) {
      if text.hasPrefix("<!--", at: start) {
        place = text.firstPlace(of: "-->", from: start) ?? text.count
        continue
      }
      let word = text[(start + 1)...].prefix(40).prefix { !Array(" \t\r\n/>".utf8).contains($0) }
      let isEnd = text.hasPrefix("</", at: start)
      place = start + 1
      let name = String(decoding: isEnd ? text[(start + 2)...].prefix(7) : word, as: UTF8.self)
      let local = name.split(separator: ":").last.map(String.init) ?? name
      if local == "switch" || isEnd && name.hasPrefix("switch") { switches += isEnd ? -1 : 1 }
      guard !isEnd, links.contains(local) || others.contains(local) else { continue }
      place = text.firstPlace(of: ">", from: start) ?? text.count
      if others.contains(local) {
        // An empty element shows nothing, but for a film.
        let isEmpty = text[place - 1] == UInt8(ascii: "/") && local != "video"
        guard switches < 1, !isEmpty else { continue }
        losses.add(
          Loss(.content, "The drawing's \(local) elements can't be drawn, and are left out."))
      } else if let link = link(in: String(decoding: text[start..<place], as: UTF8.self)),
        !link.isEmpty, !link.hasPrefix("data:"), !link.hasPrefix("#"),
        let why = fault(of: link)
      {
        losses.add(missing(link, why))
      }
    }
    for link in styleLinks(in: text) {
      if let why = fault(of: link) { losses.add(missing(link, why)) }
    }
    return losses.take()
  }

  private static func missing(_ link: String, _ why: String) -> Loss {
    Loss(.file, "The drawing's file \(link) is missing: \(why).".onOneLine)
  }

  /// The files that styles refer to: style sheets, and drawings with colors, patterns and masks.
  private static func styleLinks(in text: UnsafeRawBufferPointer) -> [String] {
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
        if !link.hasPrefix("#"), !link.hasPrefix("data:"), let name = property(text, at: start),
          [word, name].contains("@import") || link.contains("#") && !name.hasPrefix("src")
        {
          found.append(String(link))
        }
      }
    }
    return found
  }

  /// The word that begins what stands at a place in a style sheet, or in an element's attributes; nil elsewhere.
  private static func property(_ text: UnsafeRawBufferPointer, at place: Int) -> String? {
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
  private static func link(in tag: String) -> String? {
    guard let name = tag.firstRange(of: "href") else { return nil }
    let rest = tag[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    let value = String(rest.dropFirst().prefix { $0 != quote })
    return value.replacing("&amp;", with: "&")
  }

  /// The reason a link can't be loaded; nil if it can.
  private static func fault(of link: String, _ folder: String?) -> String? {
    var path = link
    if let colon = link.firstIndex(of: ":"), link[..<colon].allSatisfy(\.isLetter) {
      guard link.hasPrefix("file:") else { return "nothing is loaded from the network" }
      path = String(link.dropFirst(link.hasPrefix("file://") ? 7 : 5))
    }
    guard let folder else { return "the drawing has no folder; name one with --assets" }
    path = percentDecoded(path.prefix { $0 != "?" && $0 != "#" })
    guard let real = realpath(path.hasPrefix("/") ? path : "\(folder)/\(path)", nil) else {
      return "there is no such file in \(folder)"
    }
    defer { free(real) }
    guard let root = realpath(folder, nil) else { return "\(folder) can't be read" }
    defer { free(root) }
    let (inside, outside) = (String(cString: real), String(cString: root))
    guard inside.hasPrefix(outside == "/" ? "/" : outside + "/") else {
      return "it is not in \(folder); name its folder with --assets"
    }
    guard DrawingFolder.mayRead(inside) else { return "its name is not that of a picture" }
    // realpath(3) also succeeds for files that can't be opened.
    let file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return "it can't be read" }
    close(file)
    return nil
  }
}
