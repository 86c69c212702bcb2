import TestSupport
import Testing

/// Codes on receipts, read by a scanner.
@Suite struct ReceiptCodeTests {
  @Test(arguments: ["80mm", "58mm"])
  func `a scanner reads every code`(_ paper: String) async throws {
    let person = try await Person.anybody()
    for (line, read) in [
      ("qr: https://example.com/r/1042?sum=13.70", "QR-Code:https://example.com/r/1042?sum=13.70"),
      ("qr(H 30mm): Grüße, コーヒー ☕", "QR-Code:Grüße, コーヒー ☕"),
      ("right: qr(L): A", "QR-Code:A"),
      ("barcode: A-1042 z", "CODE-128:A-1042 z"),
      ("barcode(ean13): 4006381333931", "EAN-13:4006381333931"),
      ("barcode(ean13): 400638133393", "EAN-13:4006381333931"),
      ("left: barcode(ean8 notext): 96385074", "EAN-8:96385074"),
      ("barcode(upca): 036000291452", "EAN-13:0036000291452"),
      ("barcode(upce): 01234565", "EAN-13:0012345000065"),
      ("barcode(code39): AB-10", "CODE-39:AB-10"),
      ("barcode(code93 8mm): AB10", "CODE-93:AB10"),
      ("barcode(itf): 12345678", "I2/5:12345678"),
      ("barcode(codabar): A40156B", "Codabar:A40156B"),
    ] {
      let codes = try await person.scanned(try await person.receipt(line, paper: paper))
      #expect(codes == [read], "\(line) on \(paper)")
    }
  }

  @Test func `the largest QR code fits on 58 mm`() async throws {
    let person = try await Person.anybody()
    let text = String(repeating: "0123456789", count: 250)
    let side = try await person.receipt("qr(L): \(text)", paper: "58mm")
    #expect(try await person.scanned(side) == ["QR-Code:\(text)"])
  }

  /// Checks that a 203 dpi printer's codes are crisp: every module has a whole number of dots, and nothing is gray.
  @Test(arguments: [("80mm", "203"), ("58mm", "203"), ("A4", "300"), ("80mm", "180")])
  func `modules are whole dots`(_ paper: String, _ resolution: String) async throws {
    let person = try await Person.anybody()
    for line in ["qr: HELLO", "right: qr(20mm): HELLO", "barcode(ean13 notext): 4006381333931"] {
      let side = try await person.receipt(
        line + "\n", "--resolution", resolution, paper: paper)
      let band = try #require(side.bands(gap: 60).last)
      let gray = (0..<side.width).contains { x in
        (band.top..<band.bottom).contains { y in
          let value = side.pixels[(y * side.width + x) * side.bytesPerPixel]
          return value != 0 && value != 255
        }
      }
      #expect(!gray, "\(line)")
      let runs = runs(side, row: band.top + band.height / 2, band) + runs(side, row: band.top, band)
      let module = try #require(runs.min())
      #expect(module >= 2 && runs.allSatisfy { $0 % module == 0 }, "\(line): \(runs)")
    }
  }

  /// Returns the lengths of the dark and light runs in a row.
  private func runs(_ side: Sheet, row: Int, _ band: Band) -> [Int] {
    var runs = [1]
    for x in band.left + 1..<band.right {
      if side.isDark(x, row) == side.isDark(x - 1, row) {
        runs[runs.count - 1] += 1
      } else {
        runs.append(1)
      }
    }
    return runs
  }

  @Test func `sizes are as requested`() async throws {
    let person = try await Person.anybody()
    let qr = try #require(try await person.receipt("qr(30mm): HELLO").bands(gap: 60).first)
    // 21 modules of 11 dots are 231; 30 mm are 240.
    #expect((225...245).contains(qr.width) && qr.width == qr.height, "\(qr)")
    let bars = try #require(
      try await person.receipt("barcode(20mm notext): A").bands().first)
    #expect(abs(bars.height - 160) <= 1, "\(bars)")
    // 20 mm are 160 dots, unless the smallest module makes it larger.
    for paper in ["80mm", "58mm"] {
      let usual = try #require(try await person.receipt("qr: A", paper: paper).bands(gap: 60).first)
      #expect((160...185).contains(usual.width), "\(usual)")
    }
    let withText = try await person.receipt("barcode: A")
    #expect(withText.bands().count == 2)
  }

  @Test func `what no scanner would read is refused, with the line`() async throws {
    let person = try await Person.anybody()
    let long = "x\nbarcode: " + String(repeating: "Code 128 ", count: 4)
    for (text, paper, why) in [
      (long, "58mm", "Line 2 of the receipt: the code needs"),
      ("qr: " + String(repeating: "é", count: 2_000), "80mm", "Line 1 of the receipt: invalid"),
      ("barcode(ean13): 4006381333932", "80mm", "its check digit should be 1"),
      ("barcode(codabar): A12_B", "80mm", "invalid Codabar code A12_B: invalid character"),
      ("barcode: " + String(repeating: "A", count: 3_000), "80mm", "Line 1"),
    ] {
      let file = try person.document(Array(text.utf8), "bad.receipt")
      let outcome = try await person.airprint(
        "render", file, "-o", person.path("bad.pwg"), "--paper", paper, "--resolution", "203")
      #expect(outcome.code == 65 && outcome.stderr.contains(why), "\(outcome.report)")
      #expect(!exists(person.path("bad.pwg")))
    }
  }
}

/// Codes and other elements of a receipt, as a printer received them.
@Suite(.inTurn) struct ReceiptPrinterTests {
  @Test(arguments: [80, 58])
  func `a printed receipt is whole`(_ width: Int) async throws {
    let person = try await Person.anybody()
    let printer = try await person.printer("Till", Attributes.till + Attributes.roll(of: width))
    let columns = width == 80 ? 48 : 32
    let line = String(repeating: "H", count: columns)
    let text = """
      title: Corner Café
      \(line)
      barcode(ean13): 4006381333931
      qr: https://example.com/r/1042
      cut
      \(line)H
      """
    let parts = try await person.sides(at: printer, Array(text.utf8), name: "1042.receipt")
    try #require(parts.count == 2)
    #expect(
      try await person.scanned(parts[0]) == [
        "EAN-13:4006381333931", "QR-Code:https://example.com/r/1042",
      ])
    // This many columns fill the printable width, and one more wraps.
    let margin = Int(points(width == 80 ? 400 : 500) / 72 * 203)
    let full = parts[0].bands()[1]
    #expect(full.left >= margin - 1 && full.right <= parts[0].width - margin + 1, "\(full)")
    #expect(full.width > parts[0].width - 2 * margin - 16, "\(full)")
    #expect(parts[1].bands().count == 2)
    let job = try #require(try printer.jobs().last)
    #expect(job["media-col"]?.contains("x-dimension=\(width * 100)") == true)
    await printer.stop()
  }

  @Test func `on a printer without a roll it is a document`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(Array("title: Café\nTea | 2.90\n".utf8), "1.receipt")
    let plan = try await person.airprint("print", "--dry-run", "--json", "-d", printer.uri, file)
    #expect(plan.code == 0, "\(plan.report)")
    #expect(plan.stdout.contains("text/vnd.airprint.receipt"))
    #expect(plan.stdout.contains("doesn't print receipts"), "\(plan.stdout)")
    await printer.stop()
  }
}

extension Attributes {
  /// Returns the options for a receipt printer with a roll of this width: 80 mm prints 72, 58 mm prints 48.
  static func roll(of millimeters: Int) -> [String] {
    let margin = millimeters == 80 ? 400 : 500
    let size =
      "{ MEMBER integer x-dimension \(millimeters)00 "
      + "MEMBER rangeOfInteger y-dimension 2540-200000 }"
    let column =
      "{ MEMBER collection media-size \(size) MEMBER integer media-top-margin 300 "
      + "MEMBER integer media-bottom-margin 300 MEMBER integer media-left-margin \(margin) "
      + "MEMBER integer media-right-margin \(margin) MEMBER keyword media-source main-roll "
      + "MEMBER keyword media-type continuous }"
    return [
      "keyword media-supported roll_max_\(millimeters)x2000mm,roll_min_\(millimeters)x25.4mm",
      "keyword media-ready roll_current_\(millimeters)x0mm",
      "collection media-size-supported \(size),\(dot)",
      "collection media-col-default \(column)",
      "collection media-col-ready \(column)",
    ]
  }
}
