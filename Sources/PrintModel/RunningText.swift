/// What `--header` and `--footer` take: `left|centre|right`, with placeholders.
///
/// One part alone is the center, two are left and right. `{{` and `}}` are braces, `{|}` is a bar.
package struct RunningText: Sendable, Equatable, Codable {
  private enum Piece: Equatable, Codable {
    case text(String)
    case placeholder(Placeholder)
  }

  private enum Placeholder: String, Codable, CaseIterable { case page, pages, title, file, date }

  /// Left, center and right.
  private var parts: [[Piece]]

  /// The failure is a fragment of a sentence: what is wrong with the text.
  package struct Problem: Error {
    package var description: String
  }

  package init(_ text: String) throws(Problem) {
    var parts: [[Piece]] = [[]]
    var rest = text[...]
    func add(_ character: Character) {
      if case .text(let before)? = parts[parts.count - 1].last {
        parts[parts.count - 1][parts[parts.count - 1].count - 1] = .text(
          before + String(character))
      } else {
        parts[parts.count - 1].append(.text(String(character)))
      }
    }
    while let character = rest.popFirst() {
      switch character {
      case "|": parts.append([])
      case "{" where rest.first == "{", "}" where rest.first == "}":
        add(character)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw Problem(description: "a { has no }; a brace itself is written {{")
        }
        let word = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        if word == "|" {
          add("|")
        } else if let placeholder = Placeholder(rawValue: word) {
          parts[parts.count - 1].append(.placeholder(placeholder))
        } else {
          let names = Placeholder.allCases.map { "{\($0.rawValue)}" }
          throw Problem(
            description: "there is no {\(word)}; there are \(names.inWords()), "
              + "and a brace itself is written {{")
        }
      // Control characters would draw as boxes.
      case let control where control.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }:
        add(" ")
      default: add(character)
      }
    }
    switch parts.count {
    case 1: self.parts = [[], parts[0], []]
    case 2: self.parts = [parts[0], [], parts[1]]
    case 3: self.parts = parts
    default:
      throw Problem(
        description: "has at most three parts, left|center|right; a bar itself is written {|}")
    }
  }

  /// Nothing would be drawn.
  package var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

  /// Puts in what is the same on all pages of a document.
  package mutating func fill(title: String, file: String, date: String) {
    let values: [Placeholder: String] = [.title: title, .file: file, .date: date]
    parts = parts.map { part in
      part.map { piece in
        guard case .placeholder(let name) = piece, let value = values[name] else { return piece }
        return .text(value)
      }
    }
  }

  /// The three parts for a page, counted from 1. What was not filled in stays empty.
  package func texts(
    page: Int, of pages: Int
  ) -> (left: String, centre: String, right: String) {
    let values: [Placeholder: String] = [.page: "\(page)", .pages: "\(pages)"]
    let texts = parts.map { part in
      part.map { piece in
        switch piece {
        case .text(let text): text
        case .placeholder(let name): values[name] ?? ""
        }
      }.joined()
    }
    return (texts[0], texts[1], texts[2])
  }
}
