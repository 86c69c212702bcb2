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

  /// What can be sent to a printer; one that reads none of these is not listed.
  package static let sendable: Set<String> = [pdf, urf, pwg, jpeg]

  package static func isRaster(_ type: String) -> Bool { type == urf || type == pwg }

  /// The media type that a document's first bytes tell, whatever its name says; nil for a type that
  /// airprint can't read. A PDF may begin anywhere in the first kilobyte (ISO 32000-1, Annex H).
  package static func sniff(_ head: some Collection<UInt8>) -> String? {
    let head = Array(head.prefix(1024))
    for (magic, type) in signatures where head.starts(with: magic) { return type }
    if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    let marker = Array("%PDF-".utf8)
    for start in head.indices where head[start...].starts(with: marker) { return pdf }
    if isReceipt(head) { return receipt }
    return !head.isEmpty && isText(head) ? text : nil
  }

  /// The media type of a document whose content is of type `sniffed` and whose name is `name`: text may
  /// be of several kinds that only the name tells apart.
  package static func named(_ name: String, sniffed: String) -> String {
    sniffed == text && name.lowercased().hasSuffix(".receipt") ? receipt : sniffed
  }

  /// The marker alone on the first line, perhaps after a byte order mark.
  private static func isReceipt(_ head: [UInt8]) -> Bool {
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    guard start.starts(with: receiptMarker.utf8) else { return false }
    let rest = start.dropFirst(receiptMarker.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
    return rest.isEmpty || rest.first == 0x0A || rest.first == 0x0D
  }

  /// Text has no control characters but those that lay it out. Markup is no plain text: printed as such
  /// it would be its source.
  private static func isText(_ head: [UInt8]) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
    let layout: Set<UInt8> = [0x09, 0x0A, 0x0C, 0x0D, 0x1B]
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || layout.contains($0) }) else { return false }
    let start = String(decoding: head.prefix(256), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return !["<!doctype", "<html", "<svg", "<?xml", "%!ps"].contains { start.hasPrefix($0) }
  }

  private static let signatures: [([UInt8], String)] = [
    (Array("UNIRAST\0".utf8), urf),
    (Array("RaS2".utf8), pwg),
    ([0xFF, 0xD8, 0xFF], jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], png),
    (Array("GIF8".utf8), "image/gif"),
    (Array("BM".utf8), "image/bmp"),
    ([0x49, 0x49, 0x2A, 0x00], "image/tiff"),
    ([0x4D, 0x4D, 0x00, 0x2A], "image/tiff"),
  ]
}
