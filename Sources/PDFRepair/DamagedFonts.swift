internal import DocumentBytes

/// Fonts of a PDF with which Poppler draws no letter: those whose data can't be unpacked to its end (ISO 32000-1 §9.9),
/// and names that are missing from a page's resources.
///
/// Other readers take another font for them, as Poppler does where it is told of one.
enum DamagedFonts {
  private static let mostObjects = 100_000
  private static let symbols = [
    "ZaDb": "/BaseFont /ZapfDingbats", "Symb": "/BaseFont /Symbol", "Symbol": "/BaseFont /Symbol",
    "ZapfDingbats": "/BaseFont /ZapfDingbats",
  ]

  /// Gives a page those of `names` that it has no font for: Helvetica, or the symbols that Acrobat's names stand for.
  ///
  /// What the page draws may use them, too.
  static func add(_ names: [String], to page: PDFObject) {
    guard !names.isEmpty else { return }
    let fonts = dictionary("Font", of: dictionary("Resources", of: page))
    for name in names where fonts[name].isNull {
      let font = symbols[name] ?? "/BaseFont /Helvetica /Encoding /WinAnsiEncoding"
      fonts[name] = page.file.new("<< /Type /Font /Subtype /Type1 \(font) >>")
    }
  }

  /// A member that is a dictionary, and is made when there is none.
  private static func dictionary(_ name: String, of holder: PDFObject) -> PDFObject {
    if !holder[name].isDictionary { holder[name] = holder.file.new("<< >>") }
    return holder[name]
  }

  /// Removes font files that are cut off; several descriptors may have the same one.
  static func removeFiles(of file: PDFFile) {
    var known: [Int32: Bool] = [:]
    for number in 1..<max(2, min(file.trailer["Size"].integer, mostObjects)) {
      let object = file.object(Int32(number))
      guard object.isDictionary else { continue }
      for key in ["FontFile", "FontFile2", "FontFile3"] where !object[key].isNull {
        let data = object[key]
        let isDamaged = known[data.id] ?? isDamaged(data)
        known[data.id] = isDamaged
        if isDamaged { object.remove(key) }
      }
    }
  }

  private static func isDamaged(_ file: PDFObject) -> Bool {
    guard file["Filter"].name == "FlateDecode", let bytes = file.data(atMost: .max, isPacked: true)
    else { return false }
    let unpacked = bytes.withUnsafeBytes { InflatedStream($0, atMost: 64 << 20) }
    // What comes behind the font itself is nothing to a reader.
    let length = file["Length1"].integer
    return !unpacked.isWhole && (length <= 0 || unpacked.bytes.count < length)
  }
}
