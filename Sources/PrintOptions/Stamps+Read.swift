package import PrintModel

extension StampOptions {
  /// Returns true if a text starts like a list of options.
  static func isBegun(_ text: Substring) -> Bool {
    let text = text.drop { $0 == " " }
    return Key.allCases.contains { text.hasPrefix("\($0.rawValue)=") }
  }

  /// Returns the problem with words that end like a list of options with a mistyped key (`PAID@opacty=0.2`,
  /// `PAID@middle`); nil for other words, such as `me@home`.
  static func slip(in words: Substring) -> String? {
    if let problem = forgottenPage(in: words) { return "\(problem); write @@ for an @ in the text" }
    for place in words.indices where "@,".contains(words[place]) {
      let isDoubled = place > words.startIndex && words[words.index(before: place)] == "@"
      let rest = words[words.index(after: place)...].drop { $0 == " " }
      let key = rest.prefix { $0.isASCII && $0.isLetter }
      guard !key.isEmpty, !isDoubled, rest.dropFirst(key.count).first == "=" else { continue }
      let suggestion = Key.allCases.map(\.rawValue).suggestion(for: String(key))
      // A comma in a sentence is more likely than an option.
      guard words[place] == "@" || !suggestion.isEmpty else { continue }
      return "\(unknown(key))\(suggestion); write @@ for an @ in the text"
    }
    return nil
  }

  /// Returns the problem with `PAID@last`, where `page=` is missing, and with `PAID@top`; nil for other words.
  static func forgottenPage(in words: Substring) -> String? {
    guard let place = words.lastIndex(of: "@"), place > words.startIndex,
      words[words.index(before: place)] != "@"
    else { return nil }
    let pages = words[words.index(after: place)...].drop { $0 == " " }
    if places.contains(pages.lowercased()) { return "for a place write @rect=x,y,width,height" }
    let words = ["first", "last", "odd", "even"]
    if pages.count > 2, let meant = words.nearest(to: String(pages)) {
      return "for these pages write @page=\(meant)"
    }
    guard (try? StampOptions("page=\(pages)")) != nil else { return nil }
    return "for these pages write @page=\(pages)"
  }

  private static func unknown(_ key: Substring) -> String {
    "there is no stamp option \"\(key)\", only \(Key.allCases.map(\.rawValue).inWords())"
  }

  /// Words that describe a position on the page, but are not options.
  private static let places: Set<String> = [
    "mid", "middle", "center", "centre", "top", "bottom", "left", "right", "corner", "top-left",
    "top-right", "bottom-left", "bottom-right",
  ]

  /// Parses `page=1,3-,rect=0,0,100,50`: a comma continues a list, or starts the next option.
  init(_ text: Substring) throws(OptionProblem) {
    self.init()
    var values: [(key: Key, parts: [Substring])] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2, let key = Key(rawValue: String(words[0])) {
        guard !values.contains(where: { $0.key == key }) else {
          throw OptionProblem(description: "\(key.rawValue) is given twice")
        }
        values.append((key, [words[1]]))
      } else if values.isEmpty {
        throw OptionProblem(description: StampOptions.unknown(part))
      } else {
        values[values.count - 1].parts.append(part)
      }
    }
    for (key, parts) in values { try set(key, parts) }
  }

  /// Sets one option from its text in a setting.
  package mutating func set(_ key: Key, _ text: String) throws(OptionProblem) {
    try set(key, text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed))
  }

  private mutating func set(_ key: Key, _ parts: [Substring]) throws(OptionProblem) {
    switch key {
    case .page: pages = try PageSelection(parts)
    case .rect: rectangle = try StampOptions.rectangle(parts)
    case .opacity:
      guard parts.count == 1, let value = StampOptions.number(parts[0]), value > 0, value <= 1
      else { throw OptionProblem(description: "opacity takes a number above 0 and up to 1 (0.3)") }
      opacity = value
    case .rotate:
      guard parts.count == 1, let value = StampOptions.number(parts[0]), abs(value) <= 360
      else { throw OptionProblem(description: "rotate takes degrees, counter-clockwise (45)") }
      rotation = value
    }
  }

  private static func rectangle(_ parts: [Substring]) throws(OptionProblem) -> Rectangle {
    let numbers = parts.compactMap { part in
      number(part) ?? MediaName.length(part.lowercased())?.points
    }
    guard parts.count == 4, numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else {
      throw OptionProblem(
        description: "rect takes x, y, width and height in points, from the page's bottom left "
          + "(400,40,120,60)")
    }
    return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Parses a plain decimal number within the size of a page.
  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }),
      let value = Double(text), abs(value) <= 1e6
    else { return nil }
    return value
  }
}

extension StampOptions.PageSelection {
  fileprivate init(_ parts: [Substring]) throws(OptionProblem) {
    let words: [Substring: Self] = ["first": .first, "last": .last, "odd": .odd, "even": .even]
    if parts.count == 1, let word = words[parts[0]] {
      self = word
      return
    }
    let spans = parts.compactMap { PageSpan($0) }
    guard spans.count == parts.count else {
      throw OptionProblem(
        description: "page takes first, last, odd, even, or pages and ranges that rise (1,3-)")
    }
    self = .spans(spans)
  }
}

extension Stamp {
  /// Parses `FILE[@page=1,3-|first|last|odd|even][,rect=x,y,w,h][,opacity=0.3][,rotate=45]`.
  ///
  /// A file's name may contain `@` and commas: it ends at the last `@` that is followed by a list of options, else at
  /// the first such comma. `text:PAID` is a text; `@@` in it is a literal `@`.
  package init(_ text: String, isBelow: Bool) {
    let (name, options, misread) = Stamp.split(text)
    guard name.hasPrefix("text:") else {
      self.init(source: .file(name), isBelow: isBelow, options: options)
      self.misread = misread ?? StampOptions.forgottenPage(in: name[...])
      return
    }
    let words = name.dropFirst(5)
    self.init(
      source: .text(String(words).replacing("@@", with: "@")), isBelow: isBelow, options: options)
    self.misread = misread ?? StampOptions.slip(in: words)
  }

  private static func split(
    _ text: String
  ) -> (name: String, options: StampOptions, misread: String?) {
    let places =
      text.indices.filter { text[$0] == "@" }.reversed() + text.indices.filter { text[$0] == "," }
    var misread: String?
    for place in places {
      let rest = text[text.index(after: place)...]
      guard StampOptions.isBegun(rest) else { continue }
      // `@@` in a text is a literal `@`.
      if text.hasPrefix("text:"), text[place] == "@", text[text.index(before: place)] == "@" {
        continue
      }
      // A comma after an invalid option does not make that part of the name.
      if misread != nil, text[place] == "," { break }
      do {
        return (String(text[..<place]), try StampOptions(rest), nil)
      } catch {
        misread = misread ?? error.description
      }
    }
    return (text, StampOptions(), misread)
  }

  /// The option to which it belongs.
  package var option: PrintOption { isBelow ? .underlay : .overlay }
}

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
