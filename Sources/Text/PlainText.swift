internal import PrintModel

/// The characters of a text file, with the bold and colored ones of man(1) and terminals.
///
/// It is UTF-16, UTF-8, an East Asian, Cyrillic or Thai encoding, or else Windows-1252, which includes Latin-1.
struct PlainText {
  /// Pages of lines; a form feed begins a page.
  let pages: [[TextLine]]
  /// What is guessed or wrong in it.
  private(set) var losses: [Loss] = []

  /// Maximum characters in a line: longer ones are broken here, so that a line of a gigabyte is not a single layout.
  private static let longestLine = 2_048
  /// Maximum size in bytes.
  ///
  /// More would be hundreds of thousands of lines, which Pango lays out one by one.
  static let longest = 8 << 20

  init(_ bytes: UnsafeRawBufferPointer) {
    let (text, loss) = PlainText.decode(bytes)
    if let loss { losses.append(loss) }
    var pages: [[TextLine]] = [[]]
    var line = StyledLine()
    var isContinued = false
    var hasNoncharacters = false
    var length = 0
    func endLine(isBroken: Bool = false) {
      var taken = line.take()
      taken.isContinued = isContinued
      isContinued = isBroken
      pages[pages.count - 1].append(taken)
      length = 0
    }
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if line.takes(scalar) { continue }
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": endLine()
      case "\u{C}":
        if line.count > 0 { endLine(isBroken: true) }
        pages.append([])
      case "\t": line.append(scalar)
      case let control where control.properties.generalCategory == .control: break
      default:
        line.append(scalar.drawable)
        hasNoncharacters = hasNoncharacters || scalar.drawable != scalar
        length += 1
        if length >= PlainText.longestLine { endLine(isBroken: true) }
      }
      previous = scalar
    }
    if line.count > 0 { endLine() }
    if hasNoncharacters { losses.append(.noncharacters) }
    if pages.count > 1, pages.last?.isEmpty == true { pages.removeLast() }
    self.pages = pages
  }

  /// Number of lines in the file.
  var lineCount: Int { pages.joined().count { !$0.isContinued } }

  /// The characters, and what is guessed or wrong.
  private static func decode(_ bytes: UnsafeRawBufferPointer) -> (String, Loss?) {
    if let encoding = TextEncoding.utf16(bytes.prefix(TextEncoding.lookedAt)) {
      let hasMark = encoding.hasMark(bytes)
      let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { offset in
        encoding.unit(bytes[offset], bytes[offset + 1])
      }
      if bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) {
        return (text, nil)
      }
      return (
        String(decoding: units, as: UTF16.self),
        Loss(
          .damage, "The text is not valid UTF-16; \u{FFFD} is printed in place of what is wrong.")
      )
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let guess = LegacyEncoding.guess(body)
    if guess != .iso2022JP, let text = String(validating: body, as: UTF8.self) {
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
