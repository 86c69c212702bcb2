/// Where a stamp goes, and how it looks. What is not said is up to whoever reads it: a stamp in the
/// settings has options, and those that are typed with its name go over them.
package struct StampOptions: Sendable, Equatable, Codable {
  package var pages: Pages?
  /// Points as PDF counts them, from the bottom left of the page as it is shown; `y` is the lower edge.
  package var rectangle: Rectangle?
  package var opacity: Double?
  package var rotation: Double?

  package init() {}

  /// Which pages of the document, counted from 1 however few of them are printed.
  package enum Pages: Sendable, Equatable, Codable {
    case all, first, last, odd, even
    case spans([Span])
  }

  /// Counted from 1; without an end, to the last page.
  package struct Span: Sendable, Equatable, Codable {
    var first: Int
    var last: Int?
  }

  package enum Key: String, CaseIterable { case page, rect, opacity, rotate }

  /// What is wrong with an option: a fragment of a sentence.
  package struct Problem: Error { package var description: String }

  /// These options, and `others` where they say nothing.
  package func over(_ others: StampOptions) -> StampOptions {
    var options = self
    options.pages = pages ?? others.pages
    options.rectangle = rectangle ?? others.rectangle
    options.opacity = opacity ?? others.opacity
    options.rotation = rotation ?? others.rotation
    return options
  }
}

// MARK: - Reading

extension StampOptions {
  /// Whether a text begins like a list of options.
  static func isBegun(_ text: Substring) -> Bool {
    Key.allCases.contains { text.hasPrefix("\($0.rawValue)=") }
  }

  /// What is wrong with words that end like a list of options with a mistyped key (`PAID@opacty=0.2`); nil
  /// where they are just words.
  static func slip(in words: Substring) -> String? {
    for place in words.indices where "@,".contains(words[place]) {
      let isDoubled = place > words.startIndex && words[words.index(before: place)] == "@"
      let rest = words[words.index(after: place)...]
      let key = rest.prefix { $0.isASCII && $0.isLetter }
      guard !key.isEmpty, rest.dropFirst(key.count).first == "=", !isDoubled else { continue }
      let names = Key.allCases.map(\.rawValue)
      let suggestion = names.suggestion(for: String(key))
      // A comma in a sentence is likelier than an option.
      guard words[place] == "@" || !suggestion.isEmpty else { continue }
      return "\"\(key)\" is none of \(names.inWords())\(suggestion); write @@ for an @ of the text"
    }
    return nil
  }

  /// Reads `page=1,3-,rect=0,0,100,50`: a comma goes on with a list, or begins the next option.
  init(_ text: Substring) throws(Problem) {
    var values: [(key: Key, parts: [Substring])] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2, let key = Key(rawValue: String(words[0])) {
        guard !values.contains(where: { $0.key == key }) else {
          throw Problem(description: "\(key.rawValue) is there twice")
        }
        values.append((key, [words[1]]))
      } else if values.isEmpty {
        throw Problem(description: "\"\(part)\" is none of page, rect, opacity and rotate")
      } else {
        values[values.count - 1].parts.append(part)
      }
    }
    for (key, parts) in values { try set(key, parts) }
  }

  /// Sets one option from its text, as a setting has it.
  package mutating func set(_ key: Key, _ text: String) throws(Problem) {
    try set(key, text.split(separator: ",", omittingEmptySubsequences: false))
  }

  private mutating func set(_ key: Key, _ parts: [Substring]) throws(Problem) {
    switch key {
    case .page: pages = try Pages(parts)
    case .rect: rectangle = try StampOptions.rectangle(parts)
    case .opacity:
      guard parts.count == 1, let value = StampOptions.number(parts[0]), value > 0, value <= 1
      else { throw Problem(description: "opacity takes a number above 0 and up to 1 (0.3)") }
      opacity = value
    case .rotate:
      guard parts.count == 1, let value = StampOptions.number(parts[0]), abs(value) <= 360
      else { throw Problem(description: "rotate takes degrees, counter-clockwise (45)") }
      rotation = value
    }
  }

  private static func rectangle(_ parts: [Substring]) throws(Problem) -> Rectangle {
    let numbers = parts.compactMap { part in
      number(part) ?? MediaName.length(part.lowercased())?.points
    }
    guard parts.count == 4, numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else {
      throw Problem(
        description: "rect takes x, y, width and height in points, from the page's bottom left "
          + "(400,40,120,60)")
    }
    return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// A plain decimal number, not larger than a page can be.
  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }),
      let value = Double(text), abs(value) <= 1e6
    else { return nil }
    return value
  }
}

extension StampOptions.Pages {
  fileprivate init(_ parts: [Substring]) throws(StampOptions.Problem) {
    let words: [Substring: Self] = ["first": .first, "last": .last, "odd": .odd, "even": .even]
    if parts.count == 1, let word = words[parts[0]] {
      self = word
      return
    }
    let spans = parts.compactMap(StampOptions.Span.init)
    guard spans.count == parts.count else {
      throw StampOptions.Problem(
        description: "page takes first, last, odd, even, or pages and ranges that rise (1,3-)")
    }
    self = .spans(spans)
  }

  /// Whether a page is among them, and how many of these come before it; `index` counts from 0.
  package func position(of index: Int, in count: Int) -> Int? {
    switch self {
    case .all: index
    case .first: index == 0 ? 0 : nil
    case .last: index == count - 1 ? 0 : nil
    case .odd: index % 2 == 0 ? index / 2 : nil
    case .even: index % 2 == 1 ? index / 2 : nil
    case .spans(let spans):
      spans.contains { $0.holds(index + 1) }
        ? (0..<index).count { page in spans.contains { $0.holds(page + 1) } } : nil
    }
  }

  /// `page 1`, `the last page`: for sentences.
  package var words: String {
    switch self {
    case .all: "every page"
    case .first: "the first page"
    case .last: "the last page"
    case .odd: "odd pages"
    case .even: "even pages"
    case .spans(let spans):
      (spans.count == 1 && spans[0].first == spans[0].last ? "page " : "pages ")
        + spans.map(\.words).joined(separator: ", ")
    }
  }
}

extension StampOptions.Span {
  fileprivate init?(_ text: Substring) {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.map { end -> Int? in
      end.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(end) : nil
    }
    guard let first = numbers[0], first > 0 else { return nil }
    if ends.count == 1 {
      self.init(first: first, last: first)
    } else if ends[1].isEmpty {
      self.init(first: first, last: nil)
    } else if let last = numbers[1], last >= first {
      self.init(first: first, last: last)
    } else {
      return nil
    }
  }

  fileprivate func holds(_ page: Int) -> Bool { page >= first && page <= last ?? Int.max }

  fileprivate var words: String {
    last == first ? "\(first)" : "\(first)-\(last.map { "\($0)" } ?? "")"
  }
}
