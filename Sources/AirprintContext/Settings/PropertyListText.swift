/// The tags and texts of an XML property list, without its comments, instructions and document type.
///
/// A parser finds the same tags in it as `depth` counted.
struct PropertyListText {
  private(set) var bytes: [UInt8] = []
  /// The greatest nesting of `<dict>` and `<array>`.
  private(set) var depth = 0

  /// Throws if parsers may disagree about its tags: for a `<` inside a tag or CDATA, a document type with declarations
  /// of its own, and a part without an end; and for a text that is not in UTF-8, whatever it says about itself.
  init(_ file: [UInt8]) throws(ProfileProblem) {
    guard String(validating: file, as: UTF8.self) != nil else {
      throw ProfileProblem("not in UTF-8; save it in that encoding")
    }
    var nesting = 0
    var rest = file[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      bytes += rest[..<start]
      let behind = rest[(start + 1)...]
      let kind = Self.kinds.first { behind.starts(with: $0.begin.utf8) } ?? Self.tag
      guard let close = behind.dropFirst(kind.begin.utf8.count).firstRange(of: kind.end.utf8) else {
        throw ProfileProblem("a property list that ends in the middle of a tag")
      }
      let inside = behind[..<close.lowerBound]
      guard kind.isDropped || !inside.contains(UInt8(ascii: "<")),
        !inside.starts(with: "!DOCTYPE".utf8) || !inside.contains(UInt8(ascii: "["))
      else {
        throw ProfileProblem(
          "a property list with tags inside tags, or with its own DTD; remove these")
      }
      for name in ["dict", "array"] {
        if inside.starts(with: name.utf8), inside.last != UInt8(ascii: "/") { nesting += 1 }
        if inside.starts(with: "/\(name)".utf8) { nesting -= 1 }
      }
      depth = max(depth, nesting)
      if !kind.isDropped { bytes += rest[start..<close.upperBound] }
      rest = rest[close.upperBound...]
    }
    bytes += rest
  }

  /// A part of a file that begins with `<`: what follows that, and its end.
  private typealias Kind = (begin: String, end: String, isDropped: Bool)

  private static let tag: Kind = ("", ">", false)
  private static let kinds: [Kind] = [
    ("!--", "-->", true), ("?", "?>", true), ("![CDATA[", "]]>", false), ("!DOCTYPE", ">", true),
  ]
}
