internal import DocumentBytes

/// A tag in a drawing's text.
struct SVGTag {
  /// What attributes or styles are called, and say.
  typealias Pairs = [(name: String, value: String)]

  let name: String
  let isEnd: Bool
  let isEmpty: Bool
  /// The place behind its `>`.
  let end: Int
  /// Without entities; links have no prefix.
  private(set) var attributes: Pairs = []

  /// The first tag from a place on, beyond comments; nil if there is none.
  init?(in text: UnsafeRawBufferPointer, from place: Int) {
    var place = place
    while let start = text.firstPlace(of: "<", from: place), text.hasPrefix("<!", at: start) {
      let isComment = text.hasPrefix("<!--", at: start)
      place = isComment ? text.firstPlace(of: "-->", from: start) ?? text.count : start + 1
    }
    guard let start = text.firstPlace(of: "<", from: place) else { return nil }
    isEnd = text.hasPrefix("</", at: start)
    var rest = text[(start + (isEnd ? 2 : 1))...]
    name = SVGTag.word(&rest)
    var last: UInt8 = 0
    while let byte = rest.first, byte != UInt8(ascii: ">") {
      let word = SVGTag.word(&rest)
      last = byte
      guard !word.isEmpty, rest.first == UInt8(ascii: "=") else {
        rest = word.isEmpty ? rest.dropFirst().drop(while: text.isSpace) : rest
        continue
      }
      rest = rest.dropFirst().drop(while: text.isSpace)
      guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { continue }
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = text[min(value.endIndex + 1, text.count)...].drop(while: text.isSpace)
      let name = word.hasSuffix(":href") ? "href" : word
      attributes.append((name, SVGTag.plain(String(decoding: value, as: UTF8.self))))
    }
    isEmpty = last == UInt8(ascii: "/")
    end = min(rest.startIndex + 1, text.count)
  }

  subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The places that a text's element states: one for all of its letters, or one for each.
  var places: [(name: String, places: [Substring])] {
    ["x", "y", "dx", "dy"].compactMap { name in
      self[name].map { (name, $0.split { $0 == "," || $0.isWhitespace }) }
    }
  }

  /// Takes the name at the start of the bytes, and the white space behind it.
  private static func word(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String {
    let word = rest.prefix { !rest.base.isSpace($0) && !"=/>\"'".utf8.contains($0) }
    rest = rest[word.endIndex...].drop(while: rest.base.isSpace)
    return String(decoding: word, as: UTF8.self)
  }

  /// Text without entities.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'"]
      .reduce(text) { $0.replacing($1.key, with: $1.value) }.replacing("&amp;", with: "&")
  }

  /// The declarations in an element's style, or in a rule of a style sheet.
  static func declarations(in style: Substring) -> Pairs {
    var pairs: Pairs = []
    for declaration in style.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[1].split(whereSeparator: \.isWhitespace).filter { $0 != "!important" }
      pairs.append((parts[0].filter { !$0.isWhitespace }, words.joined(separator: " ")))
    }
    return pairs
  }
}
