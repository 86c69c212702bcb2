import TestSupport
import Testing

/// Labels on a label server that is not our code.
@Suite(.inTurn) struct LabelServerTests {
  @Test(.needsNamespaces) func `labels through LPrint are as those loaded`() async throws {
    let person = try await Person.anybody()
    let server = try await LabelServer(person)
    for name in ["Zebra", "Eltron", "Dymo"] {
      let picked = try await person.airprint("pick", server.uri(of: name), "--as", name)
      #expect(picked.code == 0, "\(picked.report)")
      let shown = try await person.airprint("show", name, "--json")
      #expect(try shown.json.types?.array == [.string("label")], "\(shown.report)")
    }
    // 4x6 at 203 dpi: 102 bytes per line, 1218 lines (ZPL's ~DG).
    let wide = try person.document(PageShape(432, 288).landmarks(), "wide.pdf")
    let label = try await person.airprint("print", "-d", "Zebra", wide)
    #expect(label.code == 0 && label.stderr.contains("1 page on 4x6"), "\(label.report)")
    let zebra = try await server.bytes(after: Array("~DGR:LPRINT.GRF,".utf8), 11)
    #expect(String(decoding: zebra.prefix(11), as: UTF8.self) == "124236,102,")

    // 2 inches a second (ZPL's ^PR); the tear offset is a setting of LPrint itself.
    let slow = try await person.airprint(
      "print", "-d", "Zebra", "--speed", "2in", "--darkness", "80", "--top-offset", "1mm", wide)
    #expect(slow.code == 0, "\(slow.report)")
    _ = try await server.bytes(after: Array("^PR2,2,2".utf8))
    let torn = try await person.airprint("print", "-d", "Zebra", "--tear-offset", "1mm", wide)
    #expect(
      torn.code == 64 && torn.stderr.contains("as a setting of its own"), "\(torn.report)")

    // Graphics line by line (EPL2's GW): place, bytes, and one line.
    let eltron = try await person.airprint("print", "-d", "Eltron", "--darkness", "80", wide)
    #expect(eltron.code == 0, "\(eltron.report)")
    let line = String(
      decoding: try await server.bytes(after: Array("GW0,".utf8), 12).prefix(12), as: UTF8.self)
    #expect(line.contains(",102,1\n"), "\(line)")

    // 3.5 inches at 300 dpi: 1050 lines (ESC L), with the page turned along it.
    let address = try person.document(PageShape(252, 90).landmarks(), "address.pdf")
    let strip = try await person.airprint("print", "-d", "Dymo", address)
    #expect(strip.code == 0 && strip.stderr.contains("x88.9mm"), "\(strip.report)")
    let dymo = try await server.bytes(after: [0x1B, 0x4C], 2)
    #expect(dymo.prefix(2).elementsEqual([0x04, 0x1A]))  // 1,050
    await server.end()
  }

  /// A cut at the end, in Epson's ESC/POS.
  @Test(
    .needsNamespaces,
    .enabled("LPrint is older than 1.4") {
      try await run(["lprint", "drivers"]).stdout.contains("escpos_80mm ")
    })
  func `a receipt through LPrint is drawn to its end and cut`() async throws {
    let person = try await Person.anybody()
    let server = try await LabelServer(person)
    let picked = try await person.airprint(
      "pick", server.uri(of: "Till"), "--as", "Till", "--type", "receipt")
    #expect(picked.code == 0, "\(picked.report)")
    let receipt = try person.document(Array("Coffee\t2.40\n".utf8), "till.receipt")
    let printed = try await person.airprint("print", "-d", "Till", receipt)
    #expect(printed.code == 0, "\(printed.report)")
    // GS v 0: 73 bytes a line for 72 mm at 203 dpi. ESC J and ESC i: a feed and a cut.
    let raster = try await server.bytes(after: Array("\u{1D}v00".utf8), 2)
    #expect(raster.prefix(2).elementsEqual([73, 0]))
    _ = try await server.bytes(after: [0x1B, 0x4A, 203, 0x1B, 0x69])
    await server.end()
  }
}
