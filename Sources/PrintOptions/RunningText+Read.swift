package import PrintModel

extension RunningText {
  /// Parses `left|center|right`.
  ///
  /// The failure describes the error in the text.
  package init(_ text: String) throws(OptionProblem) {
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
          throw OptionProblem(description: "\"{\" has no matching \"}\"; write {{ for a brace")
        }
        let word = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        if word == "|" {
          add("|")
        } else if let placeholder = Placeholder(rawValue: word) {
          parts[parts.count - 1].append(.placeholder(placeholder))
        } else {
          let names = Placeholder.allCases.map { "{\($0.rawValue)}" }
          throw OptionProblem(
            description: "there is no {\(word)}; there are \(names.inWords()), "
              + "and a brace itself is written {{")
        }
      // Control characters would be drawn as boxes.
      case let control where control.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }:
        add(" ")
      default: add(character)
      }
    }
    switch parts.count {
    case 1: self.init(left: [], center: parts[0], right: [])
    case 2: self.init(left: parts[0], center: [], right: parts[1])
    case 3: self.init(left: parts[0], center: parts[1], right: parts[2])
    default:
      throw OptionProblem(
        description: "has at most three parts, left|center|right; a bar itself is written {|}")
    }
  }
}
