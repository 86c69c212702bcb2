internal import ForeignText
internal import LibraryPatches
internal import PrintModel

/// What librsvg only reports in its log, while it leaves something out of a drawing.
///
/// The lines (librsvg 2.54 to 2.62) after which marks are missing are listed: others trace what is drawn, and errors that
/// every program passes over alike. `SVGLinks` tells of missing files.
enum SVGLog {
  /// Set by librsvg, on the only thread that draws.
  nonisolated(unsafe) private static var heard: [Loss] = []
  /// The next line has the value of one of `properties`.
  nonisolated(unsafe) private static var hasValueNext = false

  private static let errors = [
    "could not load image", "references nonexistent \"#", "a nonexistent text source \"#",
    "does not exist, referenced from use", "could not resolve paint server \"",
    "could not parse path", "returned an error", "not rendering element poly",
    "render marker: link not found",
  ]
  private static let harmless = [": invalid URL", "using alternate color"]
  /// Properties that decide which marks there are, and where.
  private static let properties: Set<String> = [
    "fill", "stroke", "stop-color", "flood-color", "color", "d", "x", "y", "width", "height", "r",
    "cx", "cy", "rx", "ry", "stroke-width", "transform",
  ]

  static func listen() {
    LibraryLog.listen { line in if let line { SVGLog.add(String(cString: line)) } }
  }

  /// What is missing by the lines since the last call.
  static func take() -> [Loss] {
    defer { heard = [] }
    return heard
  }

  private static func add(_ line: String) {
    let parts = line.split { !$0.isLetter && $0 != "-" }.map(String.init)
    if hasValueNext || line.hasPrefix("Invalid declaration") {
      let mark = hasValueNext ? "value=\"" : "}, \""
      let words = line.firstRange(of: mark).map { line[$0.upperBound...] } ?? ""
      let value = hasValueNext ? words : words.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      // draw.io writes such styles beside the same color as an attribute, which librsvg uses.
      let isKnown =
        hasValueNext
        || properties.contains(words.prefix { $0 != ":" }.lowercased())
          && !value.contains("light-dark(")
      // Functions, and numbers with units; other values are no program's.
      if isKnown, value.contains("(") || value.first?.isNumber == true { ignore(words) }
    } else if line.contains("AtRuleInvalid(\"media\")"),
      parts.contains(where: ["print", "light"].contains)
    {
      ignore("@media")
    } else if errors.contains(where: line.contains), !harmless.contains(where: line.contains) {
      let words = String(line.prefix(100)).onOneLine
      let isFile = line.contains(" image \"") || line.contains(" server \"")
      heard.append(
        Loss(
          isFile && !line.contains("\"#") && !line.contains("\"data:") ? .file : .damage,
          "A part of the drawing can't be drawn: \(words)."))
    }
    hasValueNext =
      line.hasPrefix("(ignoring invalid presentation attribute")
      && parts.contains(where: properties.contains)
  }

  private static func ignore(_ style: Substring) {
    let words = style.prefix(40).prefix { $0 != "\"" && $0 != ";" }
    heard.append(Loss(.content, "The drawing's style \(words) can't be used, and is left out."))
  }
}
