internal import DocumentBytes
internal import Glibc
package import PrintModel
internal import Text

/// Reads airprint's text format for tills: see airprint-receipt(5).
///
/// A line is text unless it begins with one of a few words and a colon. All input is untrusted: the sizes of the file,
/// of each line and of the whole receipt are checked before anything is kept.
package struct ReceiptParser {
  /// Limits: bytes of a file, bytes of a line, lines, columns of a line, codes and pictures, picture files.
  static let largestFile = 4 << 20
  static let longestLine = 4_096
  static let mostLines = 20_000
  static let mostColumns = 8
  static let mostCodes = 500
  static let mostFiles = 32
  static let mostHints = 3

  private var receipt = Receipt(parts: [[]])
  private var number = 0
  private var codes = 0
  /// Set by the last `rtl:` or `ltr:`.
  private var isRightToLeft: Bool?

  /// Parses the receipt in the regular file behind `descriptor`.
  ///
  /// Throws exit 65 with the line's number.
  package static func parse(_ descriptor: Int32) throws(Failure) -> Receipt {
    // Read instead of mapped: this is not only called in workers, and truncating a mapped file crashes its process.
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(MappedFile.size(of: descriptor), largestFile) + 1, alignment: 1)
    defer { room.deallocate() }
    var count = 0
    while count < room.count {
      let more = pread(
        descriptor, room.baseAddress?.advanced(by: count), room.count - count, off_t(count))
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw .document("The file can't be read.") }
      if more == 0 { break }
      count += more
    }
    return try parse(UnsafeRawBufferPointer(rebasing: room[..<count]))
  }

  /// The same for its bytes.
  package static func parse(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Receipt {
    guard bytes.count <= largestFile else {
      throw .document("The receipt is larger than \(largestFile >> 20) MB.")
    }
    var parser = ReceiptParser()
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest[line.endIndex...].dropFirst()
      try parser.take(line)
    }
    return try parser.finished()
  }

  private mutating func take(_ line: Slice<UnsafeRawBufferPointer>) throws(Failure) {
    number += 1
    guard number <= ReceiptParser.mostLines else {
      throw .document("The receipt has more than \(ReceiptParser.mostLines) lines.")
    }
    guard line.count <= ReceiptParser.longestLine else {
      throw wrong("it is longer than \(ReceiptParser.longestLine) bytes")
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw wrong("it is not UTF-8. iconv(1) turns other encodings into it")
    }
    // The tab is the only control character that affects layout; the others are invisible on paper. Unicode's own
    // line breaks would end the line of a message.
    let shown = text.unicodeScalars.filter {
      $0 == "\t"
        || ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    let drawable = shown.map(\.drawable)
    receipt.hasNoncharacters = receipt.hasNoncharacters || !drawable.elementsEqual(shown)
    try read(String(String.UnicodeScalarView(drawable)))
  }

  private mutating func read(_ line: String) throws(Failure) {
    if number == 1, line.trimmed == DocumentFormat.receiptMarker[...] { return }
    if line.trimmed == "cut" {
      receipt.parts.append([])
    } else if let isDouble = line.trimmed.isRule {
      add(.rule(isDouble: isDouble))
    } else {
      try readWords(line)
    }
  }

  /// Words before the text can be combined: `center: bold: Thank you`.
  private mutating func readWords(_ line: String) throws(Failure) {
    var rest = line[...]
    var style = CellStyle()
    var alignment = CellAlignment.natural
    var styleWord: ReceiptMark?
    while let (word, options, value) = ReceiptMark.split(rest) {
      switch word {
      case .title:
        style = CellStyle(isBold: true, across: 2, along: 2)
        alignment = .center
      case .bold: style.isBold = true
      case .wide: style.across = 2
      case .tall: style.along = 2
      case .double: style = CellStyle(isBold: true, across: 2, along: 2)
      case .left: alignment = .left
      case .center, .centre: alignment = .center
      case .right: alignment = .right
      case .rtl, .ltr:
        isRightToLeft = word == .rtl
        if value.isEmpty { return }
      case .text: return add(.text(String(value), style, alignment))
      case .qr, .barcode, .image:
        if let styleWord { throw wrong("\(styleWord): is for text, not for \(word):") }
        return add(try element(word, options, String(value.trimmed), alignment))
      }
      if word.isStyle { styleWord = word }
      rest = value
    }
    if receipt.hints.count < ReceiptParser.mostHints,
      let hint = rest.misspelledCode.map({ "a code is written \($0)" })
        ?? ReceiptMark.capitalized(rest).map({ "the word is written \($0)" })
    {
      receipt.hints.append("Line \(number) of the receipt is printed as text; \(hint)")
    }
    let columns = rest.columns
    guard columns.count > 1, alignment == .natural else {
      return add(.text(rest.unescaped, style, alignment))
    }
    guard columns.count <= ReceiptParser.mostColumns else {
      throw wrong("it has more than \(ReceiptParser.mostColumns) columns. \\| is a bar as text")
    }
    add(.columns(columns, style))
  }

  private mutating func add(_ content: Receipt.Content) {
    receipt.parts[receipt.parts.count - 1].append(
      Receipt.Line(number: number, content: content, isRightToLeft: isRightToLeft))
  }

  private func finished() throws(Failure) -> Receipt {
    var receipt = receipt
    receipt.parts.removeAll(where: \.isEmpty)
    guard !receipt.parts.isEmpty else {
      throw .document("The receipt is empty.")
    }
    guard receipt.pictures.count <= ReceiptParser.mostFiles else {
      throw .document("The receipt has more than \(ReceiptParser.mostFiles) different pictures.")
    }
    return receipt
  }

  private func wrong(_ why: String) -> Failure {
    Failure.document("Line \(number) of the receipt: \(why).")
  }
}

// MARK: - Codes and pictures

extension ReceiptParser {
  private mutating func element(
    _ word: ReceiptMark, _ options: Substring, _ value: String, _ alignment: CellAlignment
  ) throws(Failure) -> Receipt.Content {
    codes += 1
    guard codes <= ReceiptParser.mostCodes else {
      throw wrong("the receipt has more than \(ReceiptParser.mostCodes) codes and pictures")
    }
    guard !value.isEmpty else { throw wrong("\(word): has no data") }
    let options = options.split { $0 == " " || $0 == "," }.map(String.init)
    switch word {
    case .qr: return .code(try qr(options, value), alignment)
    case .barcode: return .code(try barcode(options, value), alignment)
    default:
      var width: Hundredths?
      for option in options {
        width = try length(option, of: word, or: "a width such as 40mm")
      }
      return .picture(value, width: width, alignment)
    }
  }

  private func qr(_ options: [String], _ value: String) throws(Failure) -> Receipt.Code {
    var level = Receipt.QRLevel.M
    var width: Hundredths?
    for option in options {
      if let named = Receipt.QRLevel(rawValue: option) {
        level = named
      } else {
        width = try length(option, of: .qr, or: "L, M, Q, H or a width such as 30mm")
      }
    }
    return .qr(value, level, width: width)
  }

  private func barcode(_ options: [String], _ value: String) throws(Failure) -> Receipt.Code {
    var kind = BarcodeKind.code128
    var height: Hundredths = 1_200
    var hasText = true
    for option in options {
      if let named = BarcodeKind(rawValue: option) {
        kind = named
      } else if option == "notext" {
        hasText = false
      } else {
        let kinds = BarcodeKind.allCases.map(\.rawValue).joined(separator: ", ")
        height = try length(option, of: .barcode, or: "\(kinds), notext or a height such as 15mm")
      }
    }
    if let complaint = kind.complaint(about: value) {
      throw wrong("\(value) is not a valid \(kind.names.title) code: \(complaint)")
    }
    return .bars(value, kind, height: height, hasText: hasText)
  }

  /// Parses a length between 1 mm and 1 m.
  private func length(_ option: String, of word: ReceiptMark, or allowed: String) throws(Failure)
    -> Hundredths
  {
    guard option.hasSuffix("mm"), let length = Double(option.dropLast(2)), length >= 1,
      length <= 1_000
    else { throw wrong("\(word) takes \(allowed), not \(option)") }
    return Hundredths(Int((length * 100).rounded()))
  }
}

/// Words that a line can begin with.
private enum ReceiptMark: String {
  case title, bold, wide, tall, double, left, center, centre, right, rtl, ltr, text
  case qr, barcode, image

  var isStyle: Bool { [.title, .bold, .wide, .tall, .double].contains(self) }

  private var takesOptions: Bool { [.qr, .barcode, .image].contains(self) }

  /// The right form of a line such as `Bold: 12`, whose first word is not lowercase; nil for other text.
  static func capitalized(_ line: Substring) -> String? {
    let name = line.prefix { $0.isASCII && $0.isLetter }
    let lower = name.lowercased()
    guard name != lower, let (word, _, value) = split(lower[...] + line[name.endIndex...]),
      !value.isEmpty
    else { return nil }
    return "\(word): \(word.takesOptions ? "DATA" : "TEXT")"
  }

  /// Splits `qr(30mm H): data` into its three parts; nil for a line of text.
  ///
  /// One space after the colon is not part of the value.
  static func split(_ line: Substring) -> (word: ReceiptMark, options: Substring, value: Substring)?
  {
    let name = line.prefix { ("a"..."z").contains($0) }
    guard let word = ReceiptMark(rawValue: String(name)) else { return nil }
    var rest = line[name.endIndex...]
    var options: Substring = ""
    if word.takesOptions, rest.first == "(" {
      options = rest.dropFirst().prefix { $0 != ")" }
      rest = rest[options.endIndex...].dropFirst()
    }
    guard rest.first == ":" else { return nil }
    let value = rest.dropFirst()
    return (word, options, value.first == " " ? value.dropFirst() : value)
  }
}

extension StringProtocol {
  /// The text without blanks at either end.
  fileprivate var trimmed: SubSequence { trimming { $0 == " " || $0 == "\t" } }

  /// True for a double rule (three or more `=`), false for a single one (`-`); nil for other text.
  fileprivate var isRule: Bool? {
    guard count >= 3, let first, first == "-" || first == "=", allSatisfy({ $0 == first }) else {
      return nil
    }
    return first == "="
  }

  /// The right form of a line such as `ean13: 4006381333931`, whose first word is a kind of code; nil for other text.
  fileprivate var misspelledCode: String? {
    let head = prefix { ($0.isASCII && ($0.isLowercase || $0.isNumber)) || $0 == "-" || $0 == "_" }
    let rest = self[head.endIndex...]
    guard rest.first == ":" || rest.first == "(", rest.contains(":") else { return nil }
    let word = String(head).filter { $0 != "-" && $0 != "_" }
    if word == "qrcode" { return "qr: DATA" }
    return BarcodeKind(rawValue: word).map { "barcode(\($0.rawValue)): DATA" }
  }

  /// The text with the backslashes of escapes removed.
  fileprivate var unescaped: String {
    var result = ""
    var isEscaped = false
    for scalar in unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    return isEscaped ? result + "\\" : result
  }

  /// Cells between bars, without surrounding blanks, except those before the first cell, for figures below each other.
  fileprivate var columns: [String] {
    var columns: [String] = []
    let indent = String(prefix { $0 == " " })
    var start = startIndex
    var isEscaped = false
    for index in unicodeScalars.indices {
      let scalar = unicodeScalars[index]
      if scalar == "|", !isEscaped {
        columns.append(self[start..<index].trimmed.unescaped)
        start = unicodeScalars.index(after: index)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    columns.append(self[start...].trimmed.unescaped)
    if columns.count > 1, !columns[0].isEmpty { columns[0] = indent + columns[0] }
    return columns
  }
}

/// A receipt as written (airprint-receipt(5)): plain values, independent of the paper.
package struct Receipt: Equatable {
  /// Lines of the tickets that are cut off one after the other.
  var parts: [[Line]] = []
  /// Hints at lines that are printed as text, but may be meant otherwise.
  var hints: [String] = []
  /// U+FFFD stands in place of codes that are no characters.
  var hasNoncharacters = false

  struct Line: Equatable {
    /// Line number in the file, from 1.
    var number: Int
    var content: Content
    /// As `rtl:` and `ltr:` state it; nil: by its text.
    var isRightToLeft: Bool?
  }

  enum Content: Equatable {
    case text(String, CellStyle, CellAlignment)
    /// The first column is at the left, the others are at the right.
    case columns([String], CellStyle)
    case rule(isDouble: Bool)
    case code(Code, CellAlignment)
    /// A picture by its name in the receipt; `width` in 1/100 mm, nil for its own.
    case picture(String, width: Hundredths?, CellAlignment)

    /// Its text, or that of each column.
    var texts: [String] {
      switch self {
      case .text(let text, _, _): [text]
      case .columns(let texts, _): texts
      case .rule, .code, .picture: []
      }
    }
  }

  /// A symbol for scanners.
  enum Code: Equatable {
    /// `width` of the dark part in 1/100 mm; nil for the usual module size.
    case qr(String, QRLevel, width: Hundredths?)
    case bars(String, BarcodeKind, height: Hundredths, hasText: Bool)
  }

  /// Share of a QR code that may be damaged (ISO/IEC 18004): about 7, 15, 25 and 30 %.
  enum QRLevel: String, CaseIterable { case L, M, Q, H }

  /// The names of its pictures, without duplicates, in order of first use.
  package var pictures: [String] {
    var names: [String] = []
    for line in parts.joined() {
      if case .picture(let name, _, _) = line.content, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// True if its text has characters that fonts may draw in color.
  var hasEmoji: Bool { parts.joined().contains { $0.content.texts.contains(where: \.hasEmoji) } }
}
