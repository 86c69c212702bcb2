internal import CZint
internal import LateLibraries
internal import PrintModel

/// A code as dark and light modules, made by libzint: all rows of a QR code, or the single row of a barcode.
struct Symbol: Equatable {
  /// Modules across.
  let width: Int
  /// The dark runs of each row.
  let rows: [[Range<Int>]]
  /// The human-readable text below a barcode.
  let text: String

  /// Light modules required on both sides so that scanners find the code.
  ///
  /// These are four around a QR code (ISO/IEC 18004), ten beside most barcodes, and eleven to the left of EAN-13 (GS1
  /// General Specifications, 5.2.3.4).
  let quiet: Int

  /// The bars of the first row that begin within one of `ranges`: a barcode's guards.
  func bars(in ranges: [Range<Int>]) -> Symbol {
    let bars = (rows.first ?? []).filter { bar in
      ranges.contains { $0.contains(bar.lowerBound) }
    }
    return Symbol(width: width, rows: [bars], text: text, quiet: quiet)
  }
}

extension Symbol {
  /// Creates a symbol; throws exit 65 with the receipt's line.
  init(_ code: Receipt.Code, line: Int) throws(Failure) {
    try GraphicsLibraries.codes.load()
    try Symbol.checkVersion(
      linked: GraphicsLibraries.codes.library.file, met: ZBarcode_Version())
    guard let symbol = ZBarcode_Create() else {
      throw .fault("libzint has no memory for a code.")
    }
    defer { ZBarcode_Delete(symbol) }
    let (data, title): (String, String)
    switch code {
    case .qr(let text, let level, _):
      (data, title) = (text, "QR")
      quiet = 4
      symbol.pointee.symbology = BARCODE_QRCODE
      // The text unchanged, in UTF-8, which phones expect in a QR code without a stated encoding.
      symbol.pointee.input_mode = DATA_MODE
      symbol.pointee.option_1 = 1 + Int32(Receipt.QRLevel.allCases.firstIndex(of: level) ?? 1)
    case .bars(let text, let kind, _, _):
      // libzint would take eight digits for the end of an EAN-13, so it gets seven and computes the eighth, which was
      // checked before.
      data = kind == .ean8 ? String(text.prefix(7)) : text
      title = kind.names.title
      quiet = 11
      symbol.pointee.symbology = kind.names.symbology
      symbol.pointee.input_mode = UNICODE_MODE
    }
    let bytes = Array(data.utf8)
    let status = ZBarcode_Encode(symbol, bytes, Int32(clamping: bytes.count))
    guard status < ZINT_ERROR else {
      throw .document(
        "Line \(line) of the receipt: invalid \(title) code \(data.prefix(60)): "
          + "\(Symbol.complaint(symbol)).")
    }
    let count = Int(symbol.pointee.width)
    width = count
    rows = (0..<symbol.pointee.rows).map { row in
      (0..<count).filter { zint_module_is_set(symbol, row, Int32($0)) != 0 }.runs.map { Range($0) }
    }
    text = String(cString: zint_readable_text(symbol))
  }

  /// Checks libzint's version, because zint_symbol, which is read here, has different members in each minor version.
  ///
  /// No header of libzint states its version, but its soname does (`libzint.so.2.11`). This only throws if they differ.
  static func checkVersion(linked file: String?, met number: Int32) throws(Failure) {
    guard let file, let built = file.firstRange(of: ".so.").map({ file[$0.upperBound...] }),
      built.contains("."), case let met = version(number),
      met != built, !met.hasPrefix("\(built).")
    else { return }
    throw .fault(
      "airprint was built with libzint \(built) and can't draw codes with \(met), which is installed. "
        + "Build airprint again on this system.")
  }

  /// 21100 is 2.11.0.
  private static func version(_ number: Int32) -> String {
    "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }

  /// The message `Error 275: Invalid check digit '2', expecting '1'` without its number.
  private static func complaint(_ symbol: UnsafePointer<zint_symbol>) -> String {
    let text = String(cString: zint_error_text(symbol))
    guard let colon = text.firstIndex(of: ":") else { return text }
    let words = text[text.index(after: colon)...].drop { $0 == " " }
    return (words.first?.lowercased() ?? "") + words.dropFirst()
  }
}

/// Kinds of barcodes in receipts, by their names there.
enum BarcodeKind: String, CaseIterable {
  case ean13, ean8, upca, upce, code39, code93, code128, itf, codabar

  /// The name as people write it, and libzint's number.
  var names: (title: String, symbology: Int32) {
    switch self {
    case .ean13: ("EAN-13", BARCODE_EANX)
    case .ean8: ("EAN-8", BARCODE_EANX)
    case .upca: ("UPC-A", BARCODE_UPCA)
    case .upce: ("UPC-E", BARCODE_UPCE)
    case .code39: ("Code 39", BARCODE_CODE39)
    case .code93: ("Code 93", BARCODE_CODE93)
    case .code128: ("Code 128", BARCODE_CODE128)
    case .itf: ("ITF", BARCODE_C25INTER)
    case .codabar: ("Codabar", BARCODE_CODABAR)
    }
  }

  /// The problem with the data, as the end of a sentence; nil when there is none, as far as counting digits shows.
  ///
  /// All other problems are found when the bars are drawn. Problems found here would go unnoticed there: a zero would
  /// be added, or lowercase letters turned into capitals.
  func complaint(about data: String) -> String? {
    let hasOnlyDigits = data.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if !hasOnlyDigits, [.ean13, .ean8, .upca, .upce, .itf].contains(self) {
      return "only digits are allowed"
    }
    switch self {
    case .ean13: return count(data, 13)
    case .ean8: return count(data, 8)
    case .upca: return count(data, 12)
    case .upce: return (6...8).contains(data.utf8.count) ? nil : "it needs 6 to 8 digits"
    case .itf:
      return data.utf8.count.isMultiple(of: 2) ? nil : "it needs an even number of digits"
    case .code39:
      let small = data.utf8.contains { (0x61...0x7A).contains($0) }
      return small ? "only capitals, digits, blanks and -.$/+% are allowed" : nil
    case .codabar:
      let ends = [data.utf8.first, data.utf8.last].allSatisfy {
        $0.map { (0x41...0x44).contains($0) } ?? false
      }
      return ends && data.utf8.count > 2 ? nil : "it must begin and end with A, B, C or D"
    case .code93, .code128: return nil
    }
  }

  /// nil when there are `length` digits or one less: the last is a check digit (GS1 General Specifications, 7.9), which
  /// may be omitted and must be correct.
  private func count(_ data: String, _ length: Int) -> String? {
    let digits = data.utf8.map { Int($0) - 0x30 }
    guard digits.count == length else {
      return digits.count == length - 1
        ? nil : "it needs \(length) digits, or \(length - 1) without the check digit"
    }
    let sum = digits.dropLast().reversed().enumerated().reduce(0) { sum, digit in
      sum + digit.element * (digit.offset.isMultiple(of: 2) ? 3 : 1)
    }
    let check = (10 - sum % 10) % 10
    return digits.last == check ? nil : "its check digit should be \(check)"
  }
}

/// Places of an article number's digits below its bars (GS1 General Specifications, 5.2.3 and 5.2.6): in groups between
/// longer guard bars, and some outside.
///
/// Places are modules from the first bar.
struct ArticleNumber {
  struct Group: Equatable {
    var text: String
    /// Negative, or beyond the last bar: outside.
    var place: Range<Int>
  }

  let groups: [Group]
  let guards: [Range<Int>]
  /// Extra length of the guard bars, in modules.
  static let guardLength = 5.0

  /// nil for a code of another kind, and for a number with a wrong number of digits.
  init?(_ kind: BarcodeKind, text: String) {
    let digits = Array(text.filter { $0.isASCII && $0.isNumber })
    func group(_ part: Range<Int>, _ place: Range<Int>) -> Group {
      Group(text: String(digits[part]), place: place)
    }
    switch (kind, digits.count) {
    case (.ean13, 13):
      groups = [group(0..<1, -9 ..< -1), group(1..<7, 3..<45), group(7..<13, 50..<92)]
      guards = [0..<3, 45..<50, 92..<95]
    case (.ean8, 8):
      groups = [group(0..<4, 3..<31), group(4..<8, 36..<64)]
      guards = [0..<3, 31..<36, 64..<67]
    case (.upca, 12):
      groups = [
        group(0..<1, -9 ..< -1), group(1..<6, 10..<45), group(6..<11, 50..<85),
        group(11..<12, 96..<104),
      ]
      // The bars of the first and last digits are as long as the guards.
      guards = [0..<10, 45..<50, 85..<95]
    default: return nil
    }
  }
}
