package import PrintModel

/// A document's text, and what is guessed or wrong in it.
///
/// It is UTF-16, UTF-8, an East Asian, Cyrillic or Thai encoding, or else Windows-1252, which includes Latin-1.
package enum DecodedText {
  /// Markdown or a page, whose converters guess an encoding that is not stated, and don't say so; nil if a converter can
  /// read the bytes as they are.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, forConverterOf mediaType: String
  ) -> (text: String, loss: Loss?)? {
    let isPage = [DocumentFormat.html, "application/xhtml+xml"].contains(mediaType)
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
      .filter { !$0.isWhitespace && !"\"'-".contains($0) }
    let stated = ["charset=", "<?xmlversion=1.0encoding="].lazy
      .compactMap { head.firstRange(of: $0)?.upperBound }.first.map { head[$0...] }
    let isOurs = isPage ? stated?.hasPrefix("utf8") != false : mediaType == "text/markdown"
    // What is longer takes too much memory here.
    guard isOurs, bytes.count <= 64 << 20 else { return nil }
    let (text, loss) = decode(bytes)
    let isPlain = stated != nil || !isPage || bytes.allSatisfy { $0 < 0x80 }
    if isPlain, text.utf8.elementsEqual(bytes) { return nil }
    // The mark takes precedence over anything that a page states.
    return (isPage ? "\u{FEFF}" + text : text, loss)
  }

  /// The characters, and what is guessed or wrong.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> (text: String, loss: Loss?) {
    if let encoding = TextEncoding.utf16(bytes.prefix(TextEncoding.lookedAt)) {
      let hasMark = encoding.hasMark(bytes)
      let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { offset in
        encoding.unit(bytes[offset], bytes[offset + 1])
      }
      let isValid = bytes.count % 2 == 0 && String(validating: units, as: UTF16.self) != nil
      let says = "The text is not valid UTF-16; \u{FFFD} is printed in place of what is wrong."
      return (String(decoding: units, as: UTF16.self), isValid ? nil : Loss(.damage, says))
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let guess = LegacyEncoding.guess(body)
    if guess?.isASCII != true, let text = String(validating: body, as: UTF8.self) {
      return (text, nil)
    }
    if let (text, wrong) = mostlyUTF8(body) {
      return (text, Loss(.damage, wrongBytes(wrong, are: "not valid UTF-8")))
    }
    let says = "The text does not say its encoding; it is read as"
    if let guess, let (text, wrong) = guess.decode(UnsafeRawBufferPointer(rebasing: body)) {
      let more = wrong == 0 ? "" : " " + wrongBytes(wrong, are: "not part of any character")
      return (text, Loss(.encoding, "\(says) \(guess.rawValue).\(more)"))
    }
    return (
      String(String.UnicodeScalarView(body.map(TextEncoding.windows1252))),
      Loss(
        .encoding,
        guess.map {
          "The text looks like \($0.rawValue), which the C library here can't read; it is read as Windows-1252."
        } ?? "\(says) Windows-1252.")
    )
  }

  /// The text, if it is UTF-8 with a few wrong bytes: most sequences beyond ASCII are valid, which is not so in any
  /// other encoding.
  private static func mostlyUTF8(_ bytes: Slice<UnsafeRawBufferPointer>) -> (String, wrong: Int)? {
    var (parser, input) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
    var (characters, errors, wrong) = (0, 0, 0)
    parsing: while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let scalar): if scalar.count > 1 { characters += 1 }
      case .error(let length):
        errors += 1
        wrong += length
      case .emptyInput: break parsing
      }
    }
    return characters > errors ? (String(decoding: bytes, as: UTF8.self), wrong) : nil
  }

  private static func wrongBytes(_ count: Int, are what: String) -> String {
    count == 1
      ? "1 byte of the text is \(what); \u{FFFD} is printed in its place."
      : "\(count) bytes of the text are \(what); \u{FFFD} is printed in their place."
  }
}
