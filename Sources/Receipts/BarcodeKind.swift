internal import CZint

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
