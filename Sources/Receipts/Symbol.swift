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
      throw Failure(.fault, "libzint has no memory for a code.")
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
      throw Failure(
        .document,
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
    throw Failure(
      .fault,
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
