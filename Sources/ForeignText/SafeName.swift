extension String {
  /// A form of the name that can be typed, offered by completion and used in a command: itself if it is plain, else its
  /// code.
  package var safeName: String { isPlainName ? self : codedName }

  /// The name with all bytes but ASCII's letters, digits, dots, underscores and hyphens (except a leading one) as
  /// `%XX`.
  ///
  /// airprint accepts this wherever it accepts the name (`isNamed(_:)`). Different names have different codes.
  package var codedName: String {
    // No shell interprets these in any position, except for a hyphen at the start.
    let coded = percentEncoded(self) { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    return coded.hasPrefix("-") ? "%2D" + coded.dropFirst() : coded
  }

  /// Returns true if `word`, as typed, is this name's code.
  package func isCoded(as word: String) -> Bool {
    word.utf8.contains(UInt8(ascii: "%")) && codedName.utf8.elementsEqual(word.utf8)
  }

  /// True for a name that is unambiguous to read and can be quoted for every shell.
  ///
  /// It contains nothing hidden, no mark without a letter and no code, is not an option, and does not start or end with
  /// a blank. It does not start with `~`, which fish completes without quotes, and contains no backslash, which only
  /// fish interprets in single quotes.
  package var isPlainName: Bool {
    guard let first = utf8.first, !"-~ ".utf8.contains(first), utf8.last != UInt8(ascii: " "),
      utf8.count <= 255,
      cleaned(self).utf8.elementsEqual(utf8)
    else { return false }
    let isPlain = unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .format: false
      case .spaceSeparator: scalar == " "
      default: scalar != "\\"
      }
    }
    return isPlain && !hasCode
  }

  /// True if it contains `%` followed by two hexadecimal digits.
  private var hasCode: Bool {
    zip(utf8, zip(utf8.dropFirst(), utf8.dropFirst(2))).contains { byte, next in
      byte == UInt8(ascii: "%") && isHexadecimal(next.0) && isHexadecimal(next.1)
    }
  }
}

/// Returns true for a digit of a hexadecimal number.
package func isHexadecimal(_ byte: UInt8) -> Bool {
  "0123456789abcdefABCDEF".utf8.contains(byte)
}

/// Returns the text with every byte of its UTF-8 that `isKept` refuses as `%XX` (RFC 3986 §2.1); it must refuse those
/// outside ASCII.
package func percentEncoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var output: [UInt8] = []
  for byte in text.utf8 {
    if isKept(byte) {
      output.append(byte)
    } else {
      output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: output, as: UTF8.self)
}

/// Returns the text with every `%XX` as its byte (RFC 3986 §2.1); a `%` without two hexadecimal digits is kept.
package func percentDecoded(_ text: some StringProtocol) -> String {
  String(decoding: percentDecoded(text.utf8), as: UTF8.self)
}

/// The same of any bytes.
package func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = Array(text)[...]
  while let byte = rest.popFirst() {
    let digits = rest.prefix(2)
    if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexadecimal) {
      bytes.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? byte)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return bytes
}

/// Returns true for an ASCII letter or digit.
package func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
