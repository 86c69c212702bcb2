/// Media types that airprint reads or sends.
package enum DocumentFormat {
  package static let pdf = "application/pdf"
  package static let urf = "image/urf"
  package static let pwg = "image/pwg-raster"
  package static let jpeg = "image/jpeg"
  package static let png = "image/png"
  package static let text = "text/plain"
  /// airprint's own text format for tills: airprint-receipt(5).
  package static let receipt = "text/vnd.airprint.receipt"
  /// The first line of a receipt whose name does not say that it is one.
  package static let receiptMarker = "#receipt"

  /// Formats that can be sent to a printer; one that reads none of these is not listed.
  package static let sendable: Set<String> = [pdf, urf, pwg, jpeg, postscript]

  /// Bytes of any kind, and what CUPS calls those that it must not look at.
  package static let octets = "application/octet-stream"
  package static let cupsRaw = "application/vnd.cups-raw"

  package static func isRaster(_ type: String) -> Bool { type == urf || type == pwg }

  /// The formats cameras and phones write.
  package static let ofCameras: Set<String> = [
    jpeg, "image/heif", "image/heic", "image/avif", "image/webp", "image/jxl",
  ]

  package static let html = "text/html"
  package static let postscript = "application/postscript"

  /// Type stated by a document's first bytes.
  ///
  /// `isCertain`: regardless of its name; else the name may tell more (a Markdown file is text, and
  /// may begin with a tag).
  package typealias Guess = (type: String?, isCertain: Bool)

  /// The bytes that `guess` wants to see: enough for the first entries of an Office document.
  package static let headLength = 1 << 16

  /// A PDF may begin anywhere in the first kilobyte (ISO 32000-1, Annex H).
  package static func guess(_ head: some Collection<UInt8>) -> Guess {
    let all = Array(head.prefix(headLength))
    let head = Array(all.prefix(1024))
    if head.starts(with: Array("UNIRAST\0".utf8)) { return (urf, true) }
    if head.starts(with: Array("RaS2".utf8)) { return (pwg, true) }
    if let type = picture(head) { return (type, true) }
    if let type = archive(all) { return (type, true) }
    let marker = Array("%PDF-".utf8)
    for start in head.indices where head[start...].starts(with: marker) { return (pdf, true) }
    if isHeadlessPDF(head) { return (pdf, true) }
    if isReceipt(head) { return (receipt, true) }
    if isPostScript(head) { return (postscript, true) }
    return !head.isEmpty && isText(head) ? markup(head) : (nil, false)
  }

  /// The media type by a document's first bytes, regardless of its name; nil for a type that
  /// airprint can't read by itself.
  package static func sniff(_ head: some Collection<UInt8>) -> String? {
    let type = guess(head).type
    return builtIn.contains(type ?? "") ? type : nil
  }

  /// True for types drawn without a converter.
  package static let builtIn: Set<String> =
    pictures.union([pdf, text, receipt, urf, pwg])

  /// The media type of a document whose content is of type `sniffed` and whose name is `name`: text may
  /// be of several kinds that only the name tells apart, and a few pictures begin with anything.
  package static func named(_ name: String, sniffed: String?) -> String? {
    guard sniffed == nil || sniffed == text else { return sniffed }
    return sniffed == text && name.lowercased().hasSuffix(".receipt")
      ? receipt : picture(named: name) ?? sniffed
  }

  /// A PDF without its first line: comments, then an object, `1 0 obj <<` (ISO 32000-1 §7.3.10).
  private static func isHeadlessPDF(_ head: [UInt8]) -> Bool {
    let lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    let words = lines.drop { $0.first == 0x25 }.prefix(3).joined(separator: [0x20])
      .split(separator: 0x20)
    guard words.count > 3, words[2].elementsEqual("obj".utf8), words[3].starts(with: "<<".utf8)
    else { return false }
    return words[..<2].allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// The marker alone on the first line, perhaps after a byte order mark.
  private static func isReceipt(_ head: [UInt8]) -> Bool {
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    guard start.starts(with: receiptMarker.utf8) else { return false }
    let rest = start.dropFirst(receiptMarker.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
    return rest.isEmpty || rest.first == 0x0A || rest.first == 0x0D
  }

  /// Text has no control characters but those that lay it out.
  private static func isText(_ head: [UInt8]) -> Bool {
    if TextEncoding.utf16(head) != nil { return true }
    // Backspaces strike characters over others; a bell ends a terminal's control string.
    let layout: Set<UInt8> = [0x07, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B]
    // DOS ends a text with it, once or to the end of a sector.
    let text = head.prefix((head.lastIndex { $0 != 0x1A } ?? -1) + 1)
    return !text.isEmpty && text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || layout.contains($0) }
  }
}
