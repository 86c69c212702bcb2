// Types that converters turn into pages, recognized by their first bytes.

extension DocumentFormat {
  /// Recognizes HTML by its possible first tags (WHATWG MIME Sniffing §7.1), other XML as such, and else plain text.
  ///
  /// Only a doctype and `<html>` are certain: a Markdown file may start with `<div>`.
  static func markup(_ head: [UInt8]) -> Guess {
    var start = String(decoding: head, as: UTF8.self).lowercased()[...]
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let isXML = start.hasPrefix("<?xml")
    let isComment = start.hasPrefix("<!--")
    while let end = prologueEnd(of: start) {
      start = start[end...].drop { $0.isWhitespace }
    }
    if begins(start, with: ["!doctype html", "html"]) { return (html, true) }
    if begins(start, with: ["!doctype svg", "svg"]) || begins(unprefixed(start), with: ["svg"]) {
      return (svg, true)
    }
    if start.hasPrefix("{\\rtf") { return ("application/rtf", true) }
    let tags = [
      "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body",
      "br", "p", "meta",
    ]
    if begins(start, with: tags) || isComment && !isXML { return (html, false) }
    let isOtherMarkup = isXML || begins(start, with: ["!doctype"])
    return (isOtherMarkup ? "application/xml" : text, false)
  }

  /// Returns the index of the end of the XML declaration or comment with which `text` starts; nil if it starts with
  /// neither.
  private static func prologueEnd(of text: Substring) -> Substring.Index? {
    for (opening, closing) in [("<?", "?>"), ("<!--", "-->")] where text.hasPrefix(opening) {
      return text.dropFirst(opening.count).firstRange(of: closing)?.upperBound ?? text.endIndex
    }
    return nil
  }

  /// Returns true if the text starts with a complete tag of one of these names.
  private static func begins(_ text: Substring, with tags: [String]) -> Bool {
    tags.contains { tag in
      guard text.hasPrefix("<" + tag) else { return false }
      let next = text.dropFirst(tag.count + 1).first
      return next.map { $0 == ">" || $0.isWhitespace } ?? false
    }
  }

  /// The text without the prefix of its first tag, as Python's ElementTree writes it: `<ns0:svg `.
  private static func unprefixed(_ text: Substring) -> Substring {
    let prefix = text.dropFirst().prefix { $0.isLetter || $0.isNumber }
    let rest = text[prefix.endIndex...]
    return text.hasPrefix("<") && rest.hasPrefix(":") ? "<" + rest.dropFirst() : text
  }

  /// Recognizes documents that are ZIP archives, and tar (POSIX.1 pax, ustar).
  ///
  /// ODF and EPUB start with an uncompressed file `mimetype` (ODF 1.3 part 2 §3.3, OCF 3.3 §4.3.3); OOXML is recognized
  /// by the folder of its parts.
  static func archive(_ head: [UInt8]) -> String? {
    if head.dropFirst(257).starts(with: "ustar".utf8) { return "application/x-tar" }
    guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]), head.count > 38 else { return nil }
    let name = Array("mimetype".utf8)
    if head[30...].starts(with: name) {
      let size = Int(head[22]) | Int(head[23]) << 8
      let type = head[(30 + name.count)...].prefix(min(size, 128))
      let isPlain = type.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      return isPlain && !type.isEmpty ? String(decoding: type, as: UTF8.self) : nil
    }
    return folders.first { folder, _ in hasEntry(in: folder, head) }?.type
  }

  private static let folders: [(folder: String, type: String)] = [
    ("word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
  ]

  /// Returns true if a local file header (APPNOTE 4.3.7) in `head` names a file in that folder.
  private static func hasEntry(in folder: String, _ head: [UInt8]) -> Bool {
    let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    return head.indices.contains { start in
      head[start...].starts(with: signature)
        && head.dropFirst(start + 30).starts(with: folder.utf8)
    }
  }
}
