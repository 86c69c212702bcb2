import PrintModel

/// Reads the attribute files that ippeveprinter serves (`-a`, ippeveprinter(1)), so that the printers of these tests
/// can also be printed on.
struct AttributeFile {
  private var words: ArraySlice<Word>

  /// A word, a quoted string, or one of `{ } ,`.
  private enum Word: Equatable {
    case text(String)
    case open, close, comma
  }

  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  static func attributes(of text: String) throws -> [Attribute] {
    var file = AttributeFile(words: split(text)[...])
    var attributes: [Attribute] = []
    while let word = file.words.first {
      guard word == .text("ATTR") else { throw Mistake(description: "\(word) instead of ATTR") }
      file.words.removeFirst()
      attributes.append(try file.attribute())
    }
    return attributes
  }

  private static func split(_ text: String) -> [Word] {
    var words: [Word] = []
    var rest = Substring(text)
    while let next = rest.first {
      switch next {
      case "#":
        rest = rest.drop { !$0.isNewline }
      case "{", "}", ",":
        words.append(next == "{" ? .open : next == "}" ? .close : .comma)
        rest.removeFirst()
      case "\"":
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
          // \" within a string.
          text.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        words.append(.text(text))
      case let space where space.isWhitespace:
        rest.removeFirst()
      default:
        let word = rest.prefix { !$0.isWhitespace && !"{},\"".contains($0) }
        words.append(.text(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return words
  }

  private mutating func text() throws -> String {
    guard case .text(let text)? = words.popFirst() else {
      throw Mistake(description: "a word is missing before \(words.prefix(5))")
    }
    return text
  }

  /// Parses `TAG NAME VALUE[,VALUE…]`, after ATTR or MEMBER.
  private mutating func attribute() throws -> Attribute {
    let tag = try text()
    let name = try text()
    guard tag != "no-value" else { return Attribute(name, Attribute.Value.none) }
    var values = [try value(tag, name)]
    while words.first == .comma {
      words.removeFirst()
      values.append(try value(tag, name))
    }
    return Attribute(name, values)
  }

  private mutating func value(_ tag: String, _ name: String) throws -> Attribute.Value {
    if tag == "collection" { return .collection(try members()) }
    let text = try text()
    let value: Attribute.Value? =
      switch tag {
      case "integer": Int(text).map { .integer($0) }
      case "enum": Int(text).map { .enumeration($0) }
      case "boolean": .boolean(text == "true")
      case "rangeOfInteger": AttributeFile.range(text)
      case "resolution": AttributeFile.resolution(text)
      case "keyword": .keyword(text)
      case "mimeMediaType": .mediaType(text)
      case "uri": .uri(text)
      case "text", "textWithoutLanguage": .text(text)
      case "name", "nameWithoutLanguage": .name(text)
      case "octetString": .octets(Array(text.utf8))
      default: .string(.keyword, text)
      }
    guard let value else { throw Mistake(description: "\(name): \(text) is no \(tag)") }
    return value
  }

  private mutating func members() throws -> [Attribute] {
    guard words.popFirst() == .open else { throw Mistake(description: "no { after collection") }
    var members: [Attribute] = []
    while let word = words.popFirst(), word != .close {
      guard word == .text("MEMBER") else {
        throw Mistake(description: "\(word) instead of MEMBER")
      }
      members.append(try attribute())
    }
    return members
  }

  /// Parses `1-99`, `-100-100`.
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
