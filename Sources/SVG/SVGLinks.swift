internal import DocumentBytes
internal import ForeignText
internal import Glibc
internal import PrintModel

/// Finds a drawing's pictures that can't be loaded: librsvg leaves them out without a message.
enum SVGLinks {
  /// A sentence for each picture that will be missing, at most ten.
  static func missing(in text: UnsafeRawBufferPointer, folder: String?) -> [String] {
    var seen: Set<String> = []
    var warnings: [String] = []
    var place = 0
    while warnings.count < 10, let start = text.firstPlace(of: "<image", from: place) {
      let end = text.firstPlace(of: ">", from: start) ?? text.count
      place = end
      let tag = String(decoding: text[start..<end], as: UTF8.self)
      guard let link = link(in: tag), !link.hasPrefix("data:"), !link.hasPrefix("#"),
        seen.insert(link).inserted, let why = fault(of: link, folder)
      else { continue }
      warnings.append("The drawing's picture \(link) is missing: \(why).".onOneLine)
    }
    return warnings
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
