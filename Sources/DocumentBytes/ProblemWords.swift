/// A library's error message, adapted to the middle of a sentence.
package enum ProblemWords {
  /// Maximum length in characters; nobody reads more.
  private static let longest = 200

  /// The message on one line, without its full stop, libxml2's line breaks and its internal numbers at the beginning; nil
  /// when it is empty.
  package static func sentence(_ message: String) -> String? {
    var words = message.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } }
      .joined(separator: " ")
    // "XML parse error: Error domain 1 code 73 on line 1 column 5 of data: Couldn't find …"
    if let data = words.firstRange(of: " of data: "),
      let line = words[..<data.lowerBound].firstRange(of: " on line ")
    {
      let number = words[line.upperBound...].prefix { $0.isNumber }
      let what = words[data.upperBound...]
      let isTwice = what.hasSuffix(" line \(number)")
      words = "line \(number): \(isTwice ? what.dropLast(6 + number.count) : what)"
    }
    while let last = words.last, last == "." || last == " " { words.removeLast() }
    return words.isEmpty ? nil : String(words.prefix(longest))
  }
}
