extension String {
  /// A name as it can be typed, offered by Tab and put into a command: itself when it is plain, else its code.
  package var safeName: String { isPlainName ? self : codedName }

  /// All bytes but ASCII's letters, digits, dots, underscores and hyphens (no hyphen at the front) as `%XX`.
  ///
  /// airprint takes this for the name wherever it takes the name (`isNamed(_:)`). No two names have the same.
  package var codedName: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for byte in utf8 {
      if isSafe(byte) || byte == UInt8(ascii: "-") && !output.isEmpty {
        output.append(byte)
      } else {
        output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// True when `word`, as it was typed, is this name's code.
  package func isCoded(as word: String) -> Bool {
    word.utf8.contains(UInt8(ascii: "%")) && codedName.utf8.elementsEqual(word.utf8)
  }

  /// A name that looks like what it is and can be quoted for every shell: nothing in it is hidden, no mark
  /// stands on anything but a letter, it is no option and no code, has no blank at
  /// an end, begins with no `~`, which fish puts in
  /// without quotes, and has no backslash, which fish reads in single quotes and the others don't.
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

  /// `%` and two hexadecimal digits.
  private var hasCode: Bool {
    let bytes = Array(utf8)
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "%") && bytes[(index + 1)...].prefix(2).count == 2
        && bytes[(index + 1)...].prefix(2).allSatisfy {
          UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9")
            || UInt8(ascii: "a") <= $0 | 0x20 && $0 | 0x20 <= UInt8(ascii: "f")
        }
    }
  }
}

/// Letters and digits of ASCII, dots and underscores: no shell sees anything in them, wherever they stand.
private func isSafe(_ byte: UInt8) -> Bool {
  isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
}

/// A letter or a digit of ASCII.
func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
