import PrintModel
import Testing

@Suite struct DocumentFormatTests {
  @Test(arguments: [
    ("%PDF-1.7\n", "application/pdf"), ("\n\n junk %PDF-1.4", "application/pdf"),
    ("%\u{E2}\n1 0 obj \n<<\n/Pages 2 0 R", "application/pdf"),
    ("1 0 obj: the first", "text/plain"),
    ("of DOS\r\n\u{1A}", "text/plain"), ("of CP/M\u{1A}\u{1A}\u{1A}", "text/plain"),
    ("RaS2PwgRaster", "image/pwg-raster"),
    ("<?xml version='1.0'?>\n<ns0:svg xmlns:ns0='", "image/svg+xml"),
    ("<svg width='9'>", "image/svg+xml"), ("<!-- --><svg:svg>", "image/svg+xml"),
    ("GIF89a", "image/gif"), ("BM", "image/bmp"), ("RIFF....WEBPVP8 ", "image/webp"),
  ])
  func `the first bytes tell what a file is`(_ head: String, _ type: String) {
    #expect(DocumentFormat.sniff(head.utf8) == type)
  }

  @Test(
    arguments: [
      (Array("UNIRAST\0".utf8) + [0, 0, 0, 1], "image/urf"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
      ([0x49, 0x49, 0x2A, 0x00], "image/tiff"), ([0x4D, 0x4D, 0x00, 0x2A], "image/tiff"),
    ] as [([UInt8], String)])
  func `magic numbers that are no text`(_ head: [UInt8], _ type: String) {
    #expect(DocumentFormat.sniff(head) == type)
  }

  @Test(arguments: [
    "", "<html>", "RIFF\u{1}\u{0}\u{0}\u{0}WAVE", "PK\u{3}\u{4}", "%!PS-Adobe", "text\u{0}",
    "te\u{1A}xt", "\u{1A}",
  ])
  func `what can't be read is no type`(_ head: String) {
    #expect(DocumentFormat.sniff(head.utf8) == nil)
  }

  @Test func `a long comment may come before a drawing`() {
    let comment = "<!-- \(String(repeating: "License ", count: 1_000)) -->"
    #expect(DocumentFormat.sniff("\(comment)\n<svg width='9'>".utf8) == "image/svg+xml")
  }

  /// ISO 32000-1, Annex H: the header is within the first kilobyte; peers read one that only begins there.
  @Test func `a PDF may begin late, but not too late`() {
    let junk = [UInt8](repeating: 0x01, count: 1023)
    #expect(DocumentFormat.sniff(junk + Array("%PDF-".utf8)) == "application/pdf")
    #expect(DocumentFormat.sniff(junk + [0x01] + Array("%PDF-".utf8)) == nil)
  }

  @Test func `raster is what we draw`() {
    #expect(
      Set(DocumentFormat.sendable.filter(DocumentFormat.isRaster)) == [
        "image/urf", "image/pwg-raster",
      ])
  }
}
