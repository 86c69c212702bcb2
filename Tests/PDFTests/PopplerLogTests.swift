import Drawing
import PrintModel
import Testing

@testable import PDF

/// Messages in Poppler's log.
@Suite struct PopplerLogTests {
  @Test(
    arguments: [
      ("Syntax error: Unknown compression method in flate stream", true),
      ("Syntax error: Weird page contents", true),
      ("Syntax error: XObject 'X' is unknown", true),
      ("Syntax error: XObject subtype is missing or wrong type", true),
      ("Syntax error at position 665: Bad two dim code (0000) in CCITTFax stream", true),
      ("Syntax error at position 9: Too few (1) args to 're' operator", true),
      ("Syntax error at position 9: Unknown operator 'xyz'", true),
      ("Syntax error: Unterminated string", true),
      ("Syntax error: Couldn't create a font for 'AAAAAA+Arial'", false),
      ("Syntax error at position 9: Missing 'endstream' or incorrect stream length", false),
      (
        "Syntax error: Malformed JP2 file format: first box must be JPEG 2000 signature box", false
      ),
      ("Syntax error: Unknown font tag 'ZaDb'", false),
      ("Syntax error: non-embedded font using identity encoding: Arial", false),
      ("Syntax error: Invalid XRef entry 99", true),
      ("Syntax error: Invalid XRef entry 0", false),
      ("Syntax error at position 9: Incorrect number of arguments in 'SCN' command", false),
      ("Internal error: xref num 4 not found but needed, try to reconstruct<0a>", true),
      ("Syntax error: Couldn't find trailer dictionary", false),
      ("Internal error: cairo context error: invalid matrix (not invertible)<0a>", false),
      ("Unimplemented feature: Unknown CID font collection, please report", false),
      ("Configuration error: No display font for 'Symbol'", true),
      ("Syntax error: Too few elements in ByteRange array", false),
      ("Syntax warning: Mismatched EMC operator", false),
      ("Syntax warning: Invalid Type 7 shading object", true),
      ("Internal Error: no valid states to pop", true), ("", false),
    ])
  func `an error is something missing, unless it is known to be harmless`(
    _ message: String, _ isLoss: Bool
  ) {
    var log = PopplerLog()
    log.add(message)
    #expect(log.hasErrors == isLoss)
  }

  @Test func `a font that no text lacks need not be added`() {
    var log = PopplerLog()
    log.add("Syntax error: Unknown font tag 'ZaDb'")
    #expect(log.unknownFonts.isEmpty && !log.hasErrors)
    log.add("Syntax error: Unknown font tag 'F1'")
    log.add("Syntax error at position 9: No font in show")
    #expect(log.unknownFonts == ["ZaDb", "F1"] && log.hasErrors)
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
    for number in 0..<100 { add("\(number).") }
    let last = notes.take()
    #expect(last.count == 19 && last.last?.message == "18, and there is more like this.")
    notes.add(Loss(.font, "Of another kind."))
    #expect(notes.take().count == 1)
  }
}
