internal import DocumentBytes

/// A drawing's text in words that librsvg (2.54) knows.
enum SVGText {
  private static let shadow = "<feDropShadow"

  /// The text with each letter that has a place of its own as an element: librsvg reads the first place of a list.
  ///
  /// Text with elements, entities or white space that collapses stays as it is.
  static func spread(_ text: [UInt8]) -> [UInt8] {
    var (spread, done, place): ([UInt8], Int, Int) = ([], 0, 0)
    text.withUnsafeBytes { bytes in
      while let start = bytes.firstPlace(of: "<t", from: place) {
        place = start + 2
        guard let tag = SVGTag(in: bytes, from: start), ["text", "tspan"].contains(tag.name),
          let next = bytes.firstPlace(of: "<", from: tag.end),
          bytes.hasPrefix("</", at: next)
        else { continue }
        let (end, lists) = (tag.end, tag.places)
        // Elements don't inherit a line.
        let line = tag["text-decoration"].map {
          " text-decoration='\($0.filter { $0.isLetter || " -".contains($0) })'"
        }
        let letters = String(decoding: bytes[end..<next], as: UTF8.self)
        guard lists.contains(where: { $0.places.count > 1 }),
          !letters.contains(where: { "&\n\r\t".contains($0) }), !(" " + letters).contains("  ")
        else { continue }
        spread += text[done..<end] + Array("\(own)\(line ?? "")>\(letters.prefix(1))</tspan>".utf8)
        for (index, letter) in letters.enumerated().dropFirst() {
          let places =
            lists.filter { index < $0.places.count }
            .map { " \($0.name)='\($0.places[index])'" }.joined() + (line ?? "")
          spread += (places.isEmpty ? "\(letter)" : "<tspan\(places)>\(letter)</tspan>").utf8
        }
        (done, place) = (next, next)
      }
    }
    return spread + text[done...]
  }

  /// Begins a text whose letters have elements of their own: the first one's, to which the text's places apply.
  static let own = "<tspan class='own'"

  /// The text with the right name of JPEG's type, columns by their older name, a foreignObject as an element in no
  /// language, which a switch passes over, and each shadow as the filters of which it consists (Filter Effects 1 §9.10).
  static func mended(_ text: [UInt8]) -> [UInt8] {
    let isKnown = text.withUnsafeBytes {
      !$0.contains(shadow) && !$0.contains("data:image/jpg") && !$0.contains("vertical-lr")
        && (!$0.contains("<switch") || $0.contains("systemLanguage"))
    }
    if isKnown { return text }
    let hasLanguages = text.withUnsafeBytes { $0.contains("systemLanguage") }
    let language = hasLanguages ? "" : " systemLanguage='zxx'"
    // One character for each byte, whatever the encoding.
    let parts = String(String.UnicodeScalarView(text.map(Unicode.Scalar.init)))
      .replacing("data:image/jpg", with: "data:image/jpeg").replacing("vertical-lr", with: "tb")
      .replacing("</feDropShadow>", with: "")
      .replacing("<foreignObject", with: "<foreignObject\(language)")
      .split(separator: shadow, omittingEmptySubsequences: false)
    let mended = parts.dropFirst().reduce(String(parts[0])) { before, part in
      let tag = part.prefix { $0 != ">" }
      var words = tag.split { $0.isWhitespace || $0 == "/" }
      let input = words.first { $0.hasPrefix("in=") } ?? ""
      let result = words.first { $0.hasPrefix("result=") } ?? ""
      words.removeAll { $0.hasPrefix("in=") || $0.hasPrefix("result=") }
      let defaults = ["dx", "dy", "stdDeviation"]
        .filter { name in !words.contains { $0.hasPrefix(name + "=") } }.map { "\($0)='2'" }
      let rest = (words.map(String.init) + defaults).joined(separator: " ")
      return before + "<feMerge result='shadow-in'><feMergeNode \(input)/></feMerge>"
        + "<feGaussianBlur \(rest)/><feOffset \(rest) result='shadow'/><feFlood \(rest)/>"
        + "<feComposite operator='in' in2='shadow' result='shadow'/><feMerge \(result)>"
        + "<feMergeNode in='shadow'/><feMergeNode in='shadow-in'/></feMerge>"
        + part.dropFirst(tag.count + 1)
    }
    return mended.unicodeScalars.map { UInt8($0.value) }
  }
}
