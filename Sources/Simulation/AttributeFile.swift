package import PrintModel

/// Reads the attribute files that ippeveprinter serves (`-a`, ippeveprinter(1)): a printer's attributes as text.
///
///     ATTR keyword sides-supported "one-sided","two-sided-long-edge"
///     ATTR collection media-size-supported { MEMBER integer x-dimension 21000 }
package struct AttributeFile {
  private var words: ArraySlice<Word>
  private let name: String
  private var depth = 0

  /// A word, a quoted string, or one of `{ } ,`.
  private enum Word: Equatable {
    case text(String)
    case open, close, comma
  }

  /// The attributes in a file's text.
  ///
  /// Throws exit 65 for any other file; `name` is its name in the message.
  package static func attributes(of text: String, _ name: String) throws(Failure) -> [Attribute] {
    var file = AttributeFile(words: split(text)[...], name: name)
    var attributes: [Attribute] = []
    while let word = file.words.popFirst() {
      guard word == .text("ATTR") else {
        throw file.mistake("a line does not begin with ATTR")
      }
      attributes.append(try file.attribute())
    }
    guard !attributes.isEmpty else { throw file.mistake("there are no attributes in it") }
    return attributes
  }

  private func mistake(_ what: String) -> Failure {
    Failure.document(
      "\(name) does not hold a printer's attributes: \(what). It may be a file for ippeveprinter -a, or the "
        + "answer to Get-Printer-Attributes as it came (application/ipp).")
  }

  private static func split(_ text: String) -> [Word] {
    var words: [Word] = []
    var rest = Substring(text)
    while let next = rest.first {
      switch next {
      case "#": rest = rest.drop { !$0.isNewline }
      case "{", "}", ",":
        words.append(next == "{" ? .open : next == "}" ? .close : .comma)
        rest.removeFirst()
      case "\"":
        rest.removeFirst()
        words.append(.text(quoted(&rest)))
      case let space where space.isWhitespace: rest.removeFirst()
      default:
        let word = rest.prefix { !$0.isWhitespace && !"{},\"".contains($0) }
        words.append(.text(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return words
  }

  /// Reads a string up to the closing quotation mark; a backslash escapes the next character.
  private static func quoted(_ rest: inout Substring) -> String {
    var text = ""
    while let character = rest.popFirst(), character != "\"" {
      text.append(character == "\\" ? rest.popFirst() ?? character : character)
    }
    return text
  }

  private mutating func text() throws(Failure) -> String {
    guard case .text(let text)? = words.popFirst() else { throw mistake("a word is missing") }
    return text
  }

  /// `TAG NAME VALUE[,VALUE…]`, after ATTR or MEMBER.
  private mutating func attribute() throws(Failure) -> Attribute {
    let tag = try text()
    let name = try text()
    if tag == "no-value" { return Attribute(name, .none) }
    if tag == "unknown" { return Attribute(name, .unknown) }
    var values = [try value(tag, name)]
    while words.first == .comma {
      words.removeFirst()
      values.append(try value(tag, name))
    }
    return Attribute(name, values)
  }

  private mutating func value(_ tag: String, _ name: String) throws(Failure) -> Attribute.Value {
    if tag == "collection" { return .collection(try members()) }
    let text = try text()
    let value: Attribute.Value? =
      switch tag {
      case "integer": Int(text).map { .integer($0) }
      case "enum": Int(text).map { .enumeration($0) }
      case "boolean": .boolean(text == "true")
      case "rangeOfInteger": AttributeFile.range(text)
      case "resolution": AttributeFile.resolution(text)
      case "textWithoutLanguage", "textWithLanguage": .text(text)
      case "nameWithoutLanguage", "nameWithLanguage": .name(text)
      case "octetString": .octets(text)
      case "dateTime": Attribute.Value.none
      default: .string(Attribute.StringSyntax(rawValue: tag) ?? .keyword, text)
      }
    guard let value else { throw mistake("\(name): \(text) is no \(tag)") }
    return value
  }

  private mutating func members() throws(Failure) -> [Attribute] {
    guard words.popFirst() == .open, depth < 8 else {
      throw mistake("a collection does not begin with a brace")
    }
    depth += 1
    defer { depth -= 1 }
    var members: [Attribute] = []
    while let word = words.popFirst(), word != .close {
      guard word == .text("MEMBER") else {
        throw mistake("a collection has something other than members")
      }
      members.append(try attribute())
    }
    return members
  }

  /// `1-99`, `-100-100`.
  private static func range(_ text: String) -> Attribute.Value? {
    guard let dash = text.dropFirst().firstIndex(of: "-"), let lower = Int(text[..<dash]),
      let upper = Int(text[text.index(after: dash)...]), lower <= upper
    else { return Int(text).map { .range($0...$0) } }
    return .range(lower...upper)
  }

  private static func resolution(_ text: String) -> Attribute.Value? {
    let sides = text.dropLast(3).split(separator: "x").compactMap { Int($0) }
    guard text.hasSuffix("dpi"), let x = sides.first, let y = sides.last else { return nil }
    return .resolution(Resolution(x: x, y: y))
  }
}
