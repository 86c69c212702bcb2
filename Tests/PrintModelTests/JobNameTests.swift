import PrintModel
import Testing

@Suite struct JobNameTests {
  /// These are not test arguments, because the test runner would print them.
  private static let names = [
    ("receipt.pdf", "receipt.pdf"), ("Rechnung Nr. 7 – Küche", "Rechnung Nr. 7 – Küche"),
    ("領収書.pdf", "領収書.pdf"), ("👩‍👩‍👧.png", "👩‍👩‍👧.png"),
    ("a\u{1B}[31mb\u{7}\r\n\u{0}c", "a[31mb c"), ("one\u{2028}two\u{2029}three", "one two three"),
    ("\u{9B}2J", "2J"), ("", "untitled"), ("\n\t", "untitled"),
  ]

  @Test func `controls are taken out`() {
    for (text, name) in JobNameTests.names { #expect(JobName.clean(text) == name) }
  }

  /// RFC 8011 §5.3.5: name(MAX), 255 octets.
  @Test(arguments: ["x", "ü", "印", "👩‍👩‍👧"])
  func `a name is cut at a character that fits`(_ character: Character) {
    let name = JobName.clean(String(repeating: character, count: 300))
    let length = character.utf8.count
    #expect(name.utf8.count == 255 / length * length)
    #expect(name.allSatisfy { $0 == character })
  }

  @Test func `one character that is too long is no name`() {
    let tower = "a" + String(repeating: "\u{301}", count: 200)
    #expect(JobName.clean(tower) == "untitled")
    #expect(JobName.clean("x" + tower + "y") == "x")
  }
}
