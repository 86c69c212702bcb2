/// What has to be looked at before toml++ sees a text: it takes for granted that a key stands behind the
/// bracket of a table's header, and aborts the process where none does (3.3; `[=]`, `[[[x]]]`, `[`).
struct TOMLHeaders {
  private var rest: ArraySlice<UInt8>
  private var line = 1
  /// Of arrays and inline tables.
  private var depth = 0

  /// The line of the first header without a key; nil in a text that toml++ can be given. Behind the first
  /// mistake of another kind it may miss one, as toml++ stops there.
  static func firstBad(in text: String) -> Int? {
    let bytes = Array(text.utf8)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var headers = TOMLHeaders(rest: bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...])
    return headers.firstBad()
  }

  private mutating func firstBad() -> Int? {
    while !rest.isEmpty {
      skipSpace()
      if depth == 0, rest.first == UInt8(ascii: "[") {
        guard skipHeader() else { return line }
      }
      skipStatement()
    }
    return nil
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
        skipOne()
      }
      rest = rest.drop { $0 == UInt8(ascii: "]") }
      return true
    default: return false
    }
  }

  /// What is left of the line, with the strings and arrays that go on behind it.
  private mutating func skipStatement() {
    while let byte = rest.first {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth = max(0, depth - 1) }
      skipOne()
      if byte == UInt8(ascii: "\n"), depth == 0 { return }
    }
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
