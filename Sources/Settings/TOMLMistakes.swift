/// Checks that have to be done before toml++ 3.3 sees a text, because it aborts the process there:
/// a table's header without a key (`[=]`, `[[[x]]]`, `[`), a date with letters for a time
/// (`1979-05-27Tx:`), and in an array what is no value (`[}`).
///
/// No setting takes a date or a time, so any of them is refused. So is nesting that no setting has,
/// which costs toml++ its stack.
struct TOMLMistakes {
  private var rest: ArraySlice<UInt8>
  private var line = 1
  /// The brackets and braces of arrays and inline tables that are open.
  private var open: [UInt8] = []
  /// The dots of the key that is being read: each is a table in a table.
  private var dots = 0
  private static let deepest = 16
  private var found: (line: Int, what: String)?

  /// The first of them as a sentence and its line; nil in a text that toml++ can be given.
  ///
  /// Behind a mistake of another kind it may miss one, as toml++ stops there.
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

  /// One or two brackets, and whether a key, or the closing bracket of an empty one, is next.
  private mutating func skipHeader() -> Bool {
    rest.removeFirst()
    skipSpace()
    if rest.first == UInt8(ascii: "[") {
      rest.removeFirst()
      skipSpace()
    }
    guard let first = rest.first else { return false }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"):
      // Its own brackets open nothing.
      while let byte = rest.first, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "]") {
        count(byte)
        skipOne()
      }
      rest = rest.drop { $0 == UInt8(ascii: "]") }
      return true
    default: return false
    }
  }

  /// Rest of the line, with the strings and arrays that go on behind it.
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
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
        UInt8(ascii: "#"):
        break
      default: isValue = false
      }
      if found != nil { return }
      skipOne()
      if byte == UInt8(ascii: "\n"), open.isEmpty { return }
    }
  }

  /// The dots between the parts of a key; those of numbers do no harm.
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

  /// The problem with the value that begins with `byte`.
  private func problem(at byte: UInt8) -> String? {
    if isDate { return "a setting can't be a date or a time." }
    let mayStand =
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || " \t\r\n#\"'+-._[]{,".utf8.contains(byte)
    return mayStand || !isInArray ? nil : "a list can hold only strings, numbers, true and false."
  }

  /// True when a value that is no string begins like `1979-` or `7:`, or has a colon in it.
  private var isDate: Bool {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return false }
    let word = rest.prefix { !" \t\r\n,]}#\"'".utf8.contains($0) }
    let digits = word.prefix { (0x30...0x39).contains($0) }
    let isYear = digits.count == 4 && word.dropFirst(4).first == UInt8(ascii: "-")
    return isYear || word.contains(UInt8(ascii: ":"))
  }

  /// A byte, a string or a comment.
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
        // Two more may be the string's own last ones.
        if isLong { rest = rest.dropFirst(rest.prefix(2).prefix { $0 == quote }.count) }
        return
      }
      if byte == UInt8(ascii: "\n") {
        // Only a long one goes on.
        if !isLong { return }
        line += 1
      }
      rest = rest.dropFirst()
      let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      if isEscape, rest.first != UInt8(ascii: "\n") { rest = rest.dropFirst() }
    }
  }
}
