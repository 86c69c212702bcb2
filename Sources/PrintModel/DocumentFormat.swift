/// Media types that airprint reads or sends.
package enum DocumentFormat {
  package static let pdf = "application/pdf"
  package static let urf = "image/urf"
  package static let pwg = "image/pwg-raster"
  package static let jpeg = "image/jpeg"
  package static let png = "image/png"
  package static let text = "text/plain"
  /// airprint's own text format for receipts: airprint-receipt(5).
  package static let receipt = "text/vnd.airprint.receipt"
  /// The first line of a receipt whose name does not identify it as one.
  package static let receiptMarker = "#receipt"

  /// Formats that can be sent to a printer; a printer that reads none of these is not listed.
  package static let sendable: Set<String> = [pdf, urf, pwg, jpeg, postscript]

  /// Bytes of any kind, and the CUPS type for those that it must not inspect.
  package static let octets = "application/octet-stream"
  package static let cupsRaw = "application/vnd.cups-raw"

  package static func isRaster(_ type: String) -> Bool { type == urf || type == pwg }

  /// Formats written by cameras and phones.
  package static let ofCameras: Set<String> = [
    jpeg, "image/heif", "image/heic", "image/avif", "image/webp", "image/jxl",
  ]

  package static let html = "text/html"
  package static let postscript = "application/postscript"

  /// The type according to a document's first bytes.
  ///
  /// `isCertain`: true regardless of the document's name; else the name may be more specific (a Markdown file is text,
  /// and may start with a tag).
  package typealias Guess = (type: String?, isCertain: Bool)

  /// Number of bytes that `guess` uses: enough for the first entries of an Office document.
  package static let headLength = 1 << 16

  /// Returns the type by a document's first bytes.
  package static func guess(_ head: some Collection<UInt8>) -> Guess {
    let all = Array(head.prefix(headLength))
    let head = Array(all.prefix(1024))
    if head.starts(with: Array("UNIRAST\0".utf8)) { return (urf, true) }
    if head.starts(with: Array("RaS2".utf8)) { return (pwg, true) }
    if let type = picture(head) { return (type, true) }
    if let type = archive(all) { return (type, true) }
    if pdfStart(all) != nil || isHeadlessPDF(head) { return (pdf, true) }
    if isReceipt(head) { return (receipt, true) }
    if let language = PrinterLanguage.recognized(all) { return (language.types[0], true) }
    // A long comment may come before the first tag.
    return !head.isEmpty && isText(head) ? markup(all) : (nil, false)
  }

  /// Returns the media type by a document's first bytes, regardless of its name; nil for a type that airprint can't
  /// read itself.
  package static func sniff(_ head: some Collection<UInt8>) -> String? {
    let type = guess(head).type
    return builtIn.contains(type ?? "") ? type : nil
  }

  /// Types drawn without a converter.
  package static let builtIn = Set(pictures.map(\.key)).union([pdf, text, receipt, urf, pwg])

  /// Returns the media type of a document with the content type `sniffed` and the name `name`.
  ///
  /// Several kinds of text can only be distinguished by name, and a few pictures have no fixed first bytes.
  package static func named(_ name: String, sniffed: String?) -> String? {
    guard sniffed == nil || sniffed == text else { return sniffed }
    return sniffed == text && name.lowercased().hasSuffix(".receipt")
      ? receipt : picture(named: name) ?? sniffed
  }

  /// Returns where a PDF starts in the first kilobyte (ISO 32000-1, Annex H), and if it is all that is in the file; nil
  /// for none, and for its marker within a line of text.
  ///
  /// Some programs leave in front of it what is not printed: blanks, a byte order mark, the header of HTTP or MIME, the
  /// commands of a print job (PJL).
  package static func pdfStart(_ head: [UInt8]) -> (offset: Int, isAll: Bool)? {
    for start in head.indices.prefix(1024) where head[start...].starts(with: "%PDF-".utf8) {
      let lines = head[..<start].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      let isAll = lines.allSatisfy { line in
        let rest = line.drop { $0 <= 0x20 || $0 >= 0x7F }
        let name = rest.prefix { $0 == 0x2D || UnicodeScalar($0).properties.isAlphabetic }
        return rest.isEmpty || !name.isEmpty && rest.dropFirst(name.count).first == 0x3A
          || ["HTTP/", "--", "@PJL", "%-12345X"].contains { rest.starts(with: $0.utf8) }
      }
      guard isAll || !(0x20..<0x7F).contains(head[start - 1]) else { continue }
      return (start, isAll)
    }
    return nil
  }

  /// Returns true for a PDF without its first line: comments, then an object, `1 0 obj <<` (ISO 32000-1 §7.3.10).
  private static func isHeadlessPDF(_ head: [UInt8]) -> Bool {
    let lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    let words = lines.drop { $0.first == 0x25 }.prefix(3).joined(separator: [0x20])
      .split(separator: 0x20)
    guard words.count > 3, words[2].elementsEqual("obj".utf8), words[3].starts(with: "<<".utf8)
    else { return false }
    return words[..<2].allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// Returns true if the first line is only the marker, optionally after a byte order mark.
  private static func isReceipt(_ head: [UInt8]) -> Bool {
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    guard start.starts(with: receiptMarker.utf8) else { return false }
    let rest = start.dropFirst(receiptMarker.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
    return rest.isEmpty || rest.first == 0x0A || rest.first == 0x0D
  }

  /// Returns true for text, which contains no control characters except those for layout.
  private static func isText(_ head: [UInt8]) -> Bool {
    if TextEncoding.utf16(head) != nil { return true }
    // Backspaces overstrike characters; a bell ends a terminal's control string.
    let layout: Set<UInt8> = [0x07, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B]
    // DOS ends a text with 0x1A, once or up to the end of a sector.
    let text = head.prefix((head.lastIndex { $0 != 0x1A } ?? -1) + 1)
    return !text.isEmpty && text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || layout.contains($0) }
  }
}
