import Drawing
import Testing

@testable import PDF

/// Messages in Poppler's log.
@Suite struct PopplerLogTests {
  @Test(arguments: [
    ("Syntax error at position 1079: Bad pattern bitmap", true, true),
    ("Syntax error at position 517: 32 extraneous bytes after segment", true, false),
    ("Syntax error at position 517: 1 extraneous byte after segment", false, false),
    ("Syntax error: Unknown compression method in flate stream", false, true),
    ("Syntax error at position 9: Unknown operator 'xyz'", false, false),
    ("Syntax error at position 9: Too few (1) args to 're' operator", false, false),
    ("Syntax error at position 420: Too few (1) args to 'Tf' operator", false, true),
    ("Syntax error: Weird page contents", false, true),
    ("Syntax error: Couldn't create a font for 'AAAAAA+Arial'", false, true),
    ("Syntax error: Too few elements in ByteRange array", false, false),
    ("Syntax warning: Mismatched EMC operator in flate stream", false, false),
    ("", false, false),
  ])
  func `data that can't be decoded are told from other errors`(
    _ message: String, _ isBadJBIG2: Bool, _ isBadData: Bool
  ) {
    var log = PopplerLog()
    log.add(message)
    #expect(log.hasBadJBIG2 == isBadJBIG2 && log.hasBadData == isBadData)
    #expect(!log.hasUnmatchedRestore && log.missingFonts.isEmpty)
  }

  @Test func `fonts that the document does not bring along have their names`() {
    var log = PopplerLog()
    log.add("Syntax error: non-embedded font using identity encoding: Arial,Bold")
    #expect(log.missingFonts == ["Arial,Bold"])
    for _ in 0..<100 { log.add("Syntax error: non-embedded font using identity encoding: A") }
    #expect(log.missingFonts.count == 20)
  }

  @Test func `a font that no text lacks need not be added`() {
    var log = PopplerLog()
    log.add("Syntax error: Unknown font tag 'ZaDb'")
    #expect(log.unknownFonts.isEmpty && !log.hasBadData)
    log.add("Syntax error: Unknown font tag 'F1'")
    log.add("Syntax error at position 9: No font in show")
    #expect(log.unknownFonts == ["ZaDb", "F1"] && log.hasBadData)
  }

  @Test func `a sentence is said once`() {
    var notes = OmissionNotes()
    notes.add("One.")
    notes.add("One.")
    #expect(notes.take() == ["One."])
    notes.add("One.")
    notes.add("Two.")
    #expect(notes.take() == ["Two."])
    for number in 0..<100 { notes.add("\(number)") }
    #expect(notes.take().count == 18)
  }
}
