internal import Drawing
internal import ForeignText
internal import Glibc
internal import LibraryPatches
internal import PrintModel

/// What librsvg says that it leaves out while it reads a drawing, and while it draws it.
///
/// It says so in nothing but words (RSVG_LOG). Every line is taken for something that is missing, except for those after
/// which nothing is, and for styles that no drawing is drawn by, or that no program knows.
final class SVGLog {
  private let files: SVGFiles
  /// True if an element, or a rule, that has an origin is transformed.
  private let hasOrigins: Bool
  /// True if it is known that a picture inside of the drawing is damaged.
  var isToldOfPictures = false
  private var line: [UInt8] = []
  private var messages: [String] = []
  private var kinds: Set<String> = []

  /// Maximum length of a line, the rest of which is cut off, and maximum number.
  private static let longest = 1_000
  private static let most = 500

  /// Parts of lines (librsvg 2.54 to 2.62) that cost no mark: how far it is, and what makes up for what is not there.
  private static let harmless = [
    "(rendered ", "(feTile ", "setting ", "ignoring duplicate id", "using alternate color",
    "could not convert locale", "ignoring \"values\"",
  ]
  /// Properties that a drawing is drawn by, and that not every version knows; and those that are attributes as well.
  private static let drawn = attributes.union([
    "d", "inline-size", "offset-path", "rotate", "scale", "shape-inside", "translate",
  ])
  static let attributes: Set<String> = [
    "alignment-baseline", "dominant-baseline", "transform-origin", "word-spacing",
  ]
  /// Values that they have anyway.
  private static let initial: Set<String> = [
    "", "none", "auto", "normal", "baseline", "alphabetic", "inherit", "initial", "unset", "0",
    "0px",
    "0 0", "0% 0%", "top left", "left top", "use-script", "no-change", "reset-size",
  ]
  private static let lengths: Set<String> = [
    "x", "y", "width", "height", "r", "cx", "cy", "rx", "ry",
  ]

  /// Read once by librsvg (2.54).
  private static let isAsked: Bool = setenv("RSVG_LOG", "1", 1) == 0

  init(_ files: SVGFiles, hasOrigins: Bool) { (self.files, self.hasOrigins) = (files, hasOrigins) }

  /// Listens to librsvg while it runs `body`.
  func hear<Result, Problem: Error>(
    _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    _ = SVGLog.isAsked
    return try LibraryOutput.read({ self.add($0) }, during: body)
  }

  /// What it said since the last call, each kind once.
  func takeLosses() -> [Loss] {
    defer { messages = [] }
    return messages.filter { !isProgress($0) }.compactMap(loss)
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      guard byte == 0x0A else {
        if line.count < SVGLog.longest { line.append(byte) }
        continue
      }
      let words = String(decoding: line, as: UTF8.self)
      line = []
      if words.hasPrefix("  "), let last = messages.indices.last {
        messages[last] += " " + words.drop { $0 == " " }
      } else {
        if let last = messages.last, isProgress(last) { messages.removeLast() }
        if messages.count < SVGLog.most, !words.isEmpty { messages.append(words) }
      }
    }
  }

  /// True for the name of what is drawn next: a parenthesis that the end of it closes.
  private func isProgress(_ message: String) -> Bool {
    message.count { $0 == "(" } != message.count { $0 == ")" }
  }

  /// What is missing because of a message such as `could not load image "a.png": invalid URL`.
  private func loss(_ message: String) -> Loss? {
    guard !SVGLog.harmless.contains(where: message.contains) else { return nil }
    let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
    if message.contains("SourceLocation") {
      // The rest of a rule that can't be parsed, behind the place.
      let rest = message.firstRange(of: "}, \"").map { message[$0.upperBound...] } ?? ""
      let style = rest.dropLast(2).replacing("\\\"", with: "\"")
      return loss(ofStyle: String(style), isKnown: !message.contains("UnknownProperty"))
    }
    let attribute = "(ignoring invalid presentation attribute "
    if message.hasPrefix(attribute), parts.count > 2 {
      let name = parts[0].dropFirst(attribute.count).prefix { $0 != " " }
      return loss(ofStyle: "\(name): \(parts[1])", isKnown: true)
    }
    var words = message.replacing(" id=None", with: "").drop { $0 == "(" }.prefix(160).trimmed(")")
    if parts.count > 1 {
      // An empty link shows nothing; one with the bytes themselves is cut off.
      if parts[1].isEmpty { return nil }
      if parts[1].hasPrefix("data:") {
        if isToldOfPictures { return nil }
        words = "\(parts[0])\(parts[1].prefix { $0 != "," })"
      } else if !parts[1].hasPrefix("#"), let loss = files.loss(of: String(parts[1])) {
        return loss
      }
    } else if !kinds.insert(
      words.firstRange(of: " id=").map { String(words[..<$0.lowerBound]) } ?? words
    ).inserted {
      return nil
    }
    return Loss(.damage, "Something may be missing from the drawing: \(words).".onOneLine)
  }

  /// What is missing because a declaration, or a rule, is ignored.
  ///
  /// A rule counts that may be for paper. A value counts that is a function, or a length in another unit: a word that
  /// librsvg does not know is a mistake, which other programs ignore as well.
  private func loss(ofStyle text: String, isKnown: Bool) -> Loss? {
    let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmed(" ;\t") }
    let name = parts.first ?? ""
    let isLost: Bool
    if text.hasPrefix("@") {
      isLost =
        text.hasPrefix("@media") && text.contains("print")
        || ["@supports", "@layer", "@container"].contains(where: text.hasPrefix)
    } else if isKnown {
      let value = parts.count > 1 ? parts[1] : text
      let isLength = SVGLog.lengths.contains(name) || value.first?.isNumber == true
      isLost = value.contains("(") || isLength && value.contains(where: \.isLetter)
    } else {
      isLost =
        SVGLog.drawn.contains(name) && parts.count > 1 && !SVGLog.initial.contains(parts[1])
        && (name != "transform-origin" || hasOrigins)
    }
    guard isLost, kinds.insert(name).inserted else { return nil }
    let style = text.trimmed(" ;{").prefix(80)
    return Loss(
      .content, "The drawing's style “\(style)” can't be drawn, and is left out.".onOneLine)
  }
}

extension StringProtocol {
  fileprivate func trimmed(_ ends: String) -> String {
    let start = drop { ends.contains($0) }
    return String(start.prefix(start.reversed().drop { ends.contains($0) }.count))
  }
}
