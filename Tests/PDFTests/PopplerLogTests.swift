import Drawing
import PrintModel
import Testing

@testable import PDF

/// Messages in Poppler's log.
@Suite struct PopplerLogTests {
  @Test(
    arguments: [
      ("Syntax error: Unknown compression method in flate stream", [.repair, .warning]),
      ("Syntax error at position 9: Unknown operator 'xyz'", []),
      ("Syntax error: XObject 'X' is unknown", [.warning]),
      ("Syntax error: Could not find start of jpeg data", [.warning]),
      ("Syntax error at position 665: Bad two dim code (0000) in CCITTFax stream", [.warning]),
      ("Syntax error at position 9: Too few (1) args to 're' operator", []),
      ("Syntax error at position 420: Too few (1) args to 'Tf' operator", [.warning]),
      ("Syntax error: Weird page contents", [.repair, .warning]),
      ("Syntax error: Couldn't create a font for 'AAAAAA+Arial'", [.warning]),
      ("Syntax error: Too few elements in ByteRange array", []),
      ("Syntax warning: Mismatched EMC operator in flate stream", []),
      ("Internal Error: no valid states to pop", [.repair, .warning]), ("", []),
    ] as [(String, Set<PDFFeature.Consequence>)])
  func `data that can't be decoded are told from other errors`(
    _ message: String, _ expected: Set<PDFFeature.Consequence>
  ) {
    var log = PopplerLog()
    log.add(message)
    #expect(log.consequences == expected && log.missingFonts.isEmpty)
    #expect(log.hasErrors == message.hasPrefix("Syntax error"))
  }

  @Test func `fonts that the document does not bring along have their names`() {
    var log = PopplerLog()
    log.add("Syntax error: non-embedded font using identity encoding: Arial,Bold")
    #expect(log.missingFonts == ["Arial,Bold"])
    for number in 0..<100 {
      log.add("Syntax error: non-embedded font using identity encoding: \(number)")
    }
    #expect(log.missingFonts.count == 20)
  }

  @Test func `a font that no text lacks need not be added`() {
    var log = PopplerLog()
    log.add("Syntax error: Unknown font tag 'ZaDb'")
    #expect(log.unknownFonts.isEmpty && log.consequences.isEmpty)
    log.add("Syntax error: Unknown font tag 'F1'")
    log.add("Syntax error at position 9: No font in show")
    #expect(log.unknownFonts == ["ZaDb", "F1"] && log.consequences == [.warning])
  }

  @Test func `a loss is told once`() {
    var notes = LossNotes()
    func add(_ words: String) { notes.add(Loss(.damage, words)) }
    add("One.")
    add("One.")
    #expect(notes.take().map(\.message) == ["One."])
    add("One.")
    add("Two.")
    #expect(notes.take().map(\.message) == ["Two."])
    for number in 0..<100 { add("\(number)") }
    #expect(notes.take().count == 18)
  }
}
