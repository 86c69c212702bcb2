internal import DocumentBytes

/// A drawing's text in words that librsvg (2.54) knows.
enum SVGText {
  private static let shadow = "<feDropShadow"

  /// The text with the right name of JPEG's type, and each shadow as the filters of which it consists (Filter Effects 1
  /// §9.10).
  static func mended(_ text: [UInt8]) -> [UInt8] {
    let isKnown = text.withUnsafeBytes { !$0.contains(shadow) && !$0.contains("data:image/jpg") }
    if isKnown { return text }
    // One character for each byte, whatever the encoding.
    let parts = String(String.UnicodeScalarView(text.map(Unicode.Scalar.init)))
      .replacing("data:image/jpg", with: "data:image/jpeg").replacing("</feDropShadow>", with: "")
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
