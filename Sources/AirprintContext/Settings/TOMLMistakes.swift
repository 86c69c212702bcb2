/// Checks that must run before toml++ 3.3 parses a text, because it would abort the process.
///
/// It aborts at a table's header without a key (`[=]`, `[[[x]]]`, `[`), a date with letters for a time
/// (`1979-05-27Tx:`), and an array element that is not a value (`[}`).
///
/// No setting takes a date or a time, so all of them are refused. So is nesting deeper than in any setting, which
/// overflows toml++'s stack.
struct TOMLMistakes {
  private var rest: ArraySlice<UInt8>
  private var line = 1
  /// Brackets and braces of the arrays and inline tables that are open.
  private var open: [UInt8] = []
  /// Dots of the current key: each makes a table in a table.
  private var dots = 0
  private static let deepest = 16
  private var found: (line: Int, what: String)?

  /// The first mistake as a sentence and its line; nil for a text that is safe for toml++.
  ///
  /// It may miss mistakes after one of another kind, at which toml++ stops anyway.
  static func first(in text: String) -> (line: Int, what: String)? {
    let bytes = Array(text.utf8)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var mistakes = TOMLMistakes(rest: bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...])
    while !mistakes.rest.isEmpty, mistakes.found == nil { mistakes.skipLine() }
    return mistakes.found
  }

  private init(rest: ArraySlice<UInt8>) { self.rest = rest }

  private mutating func skipLine() {
    dots = 0
    skipSpace()
    if open.isEmpty, rest.first == UInt8(ascii: "["), !skipHeader() {
      return found = (line, "a table's header is written as [name].")
    }
    skipStatement()
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// Skips a table's header; returns false if its one or two brackets are not followed by a key, or by the closing
  /// bracket of an empty one.
  private mutating func skipHeader() -> Bool {
    rest.removeFirst()
    skipSpace()
    if rest.first == UInt8(ascii: "[") {
      rest.removeFirst()
      skipSpace()
    }
    guard let first = rest.first, first.isOfBareKey || "\"']".utf8.contains(first) else {
      return false
    }
    // Brackets in a header don't open an array.
    while let byte = rest.first, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "]") {
      count(byte)
      skipOne()
    }
    rest = rest.drop { $0 == UInt8(ascii: "]") }
    return true
  }

  /// Skips the rest of the line, and further lines of its strings and arrays.
  private mutating func skipStatement() {
    var isValue = false
    while let byte = rest.first {
      if isValue, let what = problem(at: byte) { return found = (line, what) }
      count(byte)
      switch byte {
      case UInt8(ascii: "="): isValue = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append(byte)
        count(byte)
        isValue = byte == UInt8(ascii: "[")
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      case UInt8(ascii: ","): isValue = isInArray
      default: isValue = isValue && " \t\r\n#".utf8.contains(byte)
      }
      if found != nil { return }
      skipOne()
      if byte == UInt8(ascii: "\n"), open.isEmpty { return }
    }
  }

  /// Counts the dots between the parts of a key, and checks the nesting; dots in numbers do no harm.
  private mutating func count(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "."): dots += 1
    case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "\n"): dots = 0
    default: break
    }
    guard found == nil, max(open.count, dots) > TOMLMistakes.deepest else { return }
    found = (line, "tables and lists are nested more than \(TOMLMistakes.deepest) deep.")
  }

  private var isInArray: Bool { open.last == UInt8(ascii: "[") }

  /// The problem with the value that starts with `byte`.
  private func problem(at byte: UInt8) -> String? {
    if isDate { return "a setting can't be a date or a time." }
    let mayStand =
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || " \t\r\n#\"'+-._[]{,".utf8.contains(byte)
    return mayStand || !isInArray ? nil : "a list can hold only strings, numbers, true and false."
  }

  /// True when a value that is not a string starts like `1979-` or `7:`, or contains a colon.
  private var isDate: Bool {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return false }
    let word = rest.prefix { !" \t\r\n,]}#\"'".utf8.contains($0) }
    let digits = word.prefix { (0x30...0x39).contains($0) }
    let isYear = digits.count == 4 && word.dropFirst(4).first == UInt8(ascii: "-")
    return isYear || word.contains(UInt8(ascii: ":"))
  }

  /// Skips a byte, a string or a comment.
  private mutating func skipOne() {
    guard let byte = rest.first else { return }
    switch byte {
    case UInt8(ascii: "#"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(in: byte)
    default:
      if byte == UInt8(ascii: "\n") { line += 1 }
      rest.removeFirst()
    }
  }

  private mutating func skipString(in quote: UInt8) {
    let isLong = rest.starts(with: [quote, quote, quote])
    rest = rest.dropFirst(isLong ? 3 : 1)
    while let byte = rest.first {
      if isLong ? rest.starts(with: [quote, quote, quote]) : byte == quote {
        rest = rest.dropFirst(isLong ? 3 : 1)
        // The string itself may end with up to two quotes.
        if isLong { rest = rest.dropFirst(rest.prefix(2).prefix { $0 == quote }.count) }
        return
      }
      if byte == UInt8(ascii: "\n") {
        // Only a multi-line string continues.
        if !isLong { return }
        line += 1
      }
      rest = rest.dropFirst()
      let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      if isEscape, rest.first != UInt8(ascii: "\n") { rest = rest.dropFirst() }
    }
  }
}

extension UInt8 {
  /// True for a letter, a digit and what else a key without quotes may contain.
  var isOfBareKey: Bool {
    (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == 0x2D
      || self == 0x5F
  }
}
