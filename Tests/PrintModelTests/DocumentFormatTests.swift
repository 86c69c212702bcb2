import PrintModel
import Testing

@Suite struct DocumentFormatTests {
  @Test(arguments: [
    ("%PDF-1.7\n", "application/pdf"), ("\n\n junk\n%PDF-1.4", "application/pdf"),
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

  @Test(
    arguments: [
      ("%PDF-1.7", true), (" \r\n\u{FEFF}%PDF-1.7", true), ("\0\0%PDF-1.7", true),
      ("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7", true),
      ("--x1\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n%PDF-1.7", true),
      ("\u{1B}%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7", true),
      ("\u{1B}%-12345X%PDF-1.7", true), ("From me\nSubject: a bill\n\n%PDF-1.7", false),
      ("<b>Warning</b>: line 9\n%PDF-1.7", false), ("#!/bin/sh\nexit\n%PDF-1.7", false),
      ("#!/bin/sh\necho '%PDF-1.7'", nil), ("<p>It begins with %PDF-1.7.", nil),
      ("words", nil),
    ] as [(String, Bool?)])
  func `what is in front of a PDF`(_ text: String, _ isAll: Bool?) {
    #expect(DocumentFormat.pdfStart(Array(text.utf8))?.isAll == isAll)
    let isPDF = DocumentFormat.sniff(text.utf8) == "application/pdf"
    #expect(isPDF == (isAll != nil))
  }

  @Test func `an archive is not the PDF that it begins with`() {
    var tar = Array("bill.pdf".utf8) + [UInt8](repeating: 0, count: 504)
    #expect(DocumentFormat.guess(tar + Array("%PDF-1.7".utf8)).type == "application/pdf")
    tar.replaceSubrange(257..<263, with: Array("ustar\0".utf8))
    #expect(DocumentFormat.guess(tar + Array("%PDF-1.7".utf8)).type == "application/x-tar")
  }

  /// ISO 32000-1, Annex H: the header is within the first kilobyte; peers read one that only begins there.
  @Test func `a PDF may begin late, but not too late`() {
    let junk = [UInt8](repeating: 0x01, count: 1023)
    #expect(DocumentFormat.sniff(junk + Array("%PDF-".utf8)) == "application/pdf")
    #expect(DocumentFormat.sniff(junk + [0x01] + Array("%PDF-".utf8)) == nil)
  }

  @Test(arguments: [
    ("\u{1B}E\u{1B}&l1X\u{1B}(s0p12HHello", "application/vnd.hp-pcl"),
    ("\u{1B}%-12345X\u{1B}E\u{1B}&l0O", "application/vnd.hp-pcl"),
    ("\u{1B}%-12345X@PJL JOB\r\n@PJL SET COPIES=2\r\n\u{1B}EHi", "application/vnd.hp-pcl"),
    ("\u{1B}%-12345X@PJL ENTER LANGUAGE = PCL\r\nHello", "application/vnd.hp-pcl"),
    ("\u{1B}%-12345X@PJL enter language=pclxl\n) HP-PCL XL;3;0\n", "application/vnd.hp-pclxl"),
    ("@PJL ENTER LANGUAGE=HPGL2\nIN;SP1;", "application/vnd.hp-hpgl"),
    ("\r\n\u{1B}%-12345X@PJL ENTER LANGUAGE=HPGL2\nIN;SP1;", "application/vnd.hp-hpgl"),
    (") HP-PCL XL;2;0;Comment\n", "application/vnd.hp-pclxl"),
    ("IN;SP1;PU0,0;PD10,10;", "application/vnd.hp-hpgl"),
    ("BP5,1;IN;\nPG1;", "application/vnd.hp-hpgl"),
    ("\u{1B}%-12345X@PJL ENTER LANGUAGE=HBP\n@G", "application/vnd.brother-hbp"),
    ("\u{1B}%-12345X@PJL COMMENT\n@PJL INFO ID\n", "application/x-pjl"),
    ("\u{1B}%-12345X@PJL ENTER LANGUAGE=POSTSCRIPT\n%!PS", "application/postscript"),
    ("\u{1B}%-12345X@PJL SET A=B\n%!PS-Adobe-3.0\n", "application/postscript"),
    ("\u{04}%!PS-Adobe-3.0\n", "application/postscript"), ("%!\n", "application/postscript"),
    ("^XA^FO50,50^FDHello^FS^XZ", "application/vnd.zebra-zpl"),
    ("\u{FEFF}\r\n  ^xa^fo50,50^fdx^fs^xz", "application/vnd.zebra-zpl"),
    ("\u{10}CT~~CD,~CC^~CT~\n^XA~TA000", "application/vnd.zebra-zpl"),
    ("~SD15\n^XA^XZ", "application/vnd.zebra-zpl"),
    ("~DGR:LOGO.GRF,80,8,FF", "application/vnd.zebra-zpl"),
    ("\nN\nq831\nA50,0,0,1,1,1,N,\"Hello, World\"\nP1\n", "application/vnd.eltron-epl"),
    (
      "I8,A,001\n\nQ406,024\nq831\nrN\nS4\nD8\nZT\nN\nB1,2,0,1,2,3,4,B,\"x\"\n",
      "application/vnd.eltron-epl"
    ),
    ("! 0 200 200 210 1\r\nTEXT 4 0 30 40 Hello\r\n", "application/vnd.zebra-cpcl"),
    ("! U1 setvar \"a\" \"b\"\r\n", "application/vnd.zebra-cpcl"),
    (
      "SIZE 100 mm,50 mm\nGAP 3 mm,0\nCLS\nTEXT 10,10,\"3\",0,1,1,\"x\"\n",
      "application/vnd.tsc-tspl"
    ),
    ("\u{02}\u{1B}A\u{1B}H0100", "application/x-sbpl"),
    ("\u{1B}A\u{1B}H0100\u{1B}V0100\u{1B}L0202Hi", "application/x-sbpl"),
    ("\u{1B}@\u{1B}a\u{01}Shop\n\u{1D}V\u{00}", "application/x-esc-pos"),
    ("\u{1B}@\u{1B}(G\u{01}\u{00}\u{01}", "application/x-esc-p"),
    ("\u{1B}@\u{1B}(R\u{06}\u{00}\u{00}ESCPR\u{1B}", "application/vnd.epson.escpr"),
    ("\u{00}\u{00}\u{00}\u{1B}\u{01}@EJL 1284.4\n", "application/vnd.epson.escpr"),
    ("\u{00}\u{00}\u{00}\u{1B}@\u{1B}ia\u{01}", "application/vnd.brother-pt-cbp"),
    ("!R! UNIT C; EXIT;", "application/x-prescribe"),
  ])
  func `languages of printers are no text`(_ head: String, _ type: String) {
    let guess = DocumentFormat.guess(head.utf8)
    #expect(guess.type == type && guess.isCertain)
    #expect(PrinterLanguage.of(type: type)?.types.contains(type) == true)
    #expect(DocumentFormat.sniff(head.utf8) == nil)
  }

  /// Texts that begin like a language of printers.
  @Test(arguments: [
    "N\nA1\nB2\n", "N\nNo, thanks\nA1,2\n", "IN;DE;FR;ES\n1;2;3\n", "IN;OUT;1\n",
    "CLS\nPRINT 1\nPRINT 2\n", "PRINT 1\nSET A\nCUT\n", "SIZE 10\nmatters\n",
    "! a note\n", "! 1 2 3\n", "~/bin\n", "~~gone~~\n", "^ up\n", "^X marks the spot\n",
    "\u{1B}[1mBold\u{1B}[0m\n", "\u{1B}]0;title\u{07}text\n", "\u{1B}(Btext\n", "PCL and ZPL\n",
    "@PJLX\nmail", "In: 1; Out: 2\n",
  ])
  func `texts are no language of printers`(_ head: String) {
    #expect(DocumentFormat.guess(head.utf8).type == DocumentFormat.text)
  }

  @Test func `raster is what we draw`() {
    #expect(
      Set(DocumentFormat.sendable.filter(DocumentFormat.isRaster)) == [
        "image/urf", "image/pwg-raster",
      ])
  }
}
