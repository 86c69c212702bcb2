// GError belongs to whichever of these is imported first.
internal import CPango
internal import CPixbuf
internal import CPoppler

/// A library's error message, adapted to the middle of a sentence.
enum ProblemWords {
  /// Maximum length in characters; nobody reads more.
  private static let longest = 200

  /// The error's message on one line, without its full stop; nil when it is empty.
  static func sentence(_ problem: UnsafeMutablePointer<GError>?) -> String? {
    guard let message = problem?.pointee.message else { return nil }
    return sentence(String(cString: message))
  }

  /// The same for a string; removes libxml2's line breaks and its internal numbers at the beginning.
  static func sentence(_ message: String) -> String? {
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
