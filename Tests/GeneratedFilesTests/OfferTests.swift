import AirprintCommands
import ForeignText
import TestSupport
import Testing

@Suite struct OfferTests {
  @Test func `a word as a script takes it`() {
    let name = "Tom's $(x): 2 é"
    #expect(
      CompletionOffer(name).line(completing: "", for: .bash) == "Tom\\'s\\ \\$\\(x\\):\\ 2\\ é")
    #expect(CompletionOffer(name).line(completing: "", for: .zsh) == "Tom's $(x)\\: 2 é")
    #expect(CompletionOffer(name).line(completing: "", for: .fish) == name)
    #expect(CompletionOffer("two\nlines").line(completing: "", for: .fish) == "two%0Alines")
  }

  @Test func `with what it stands for where the shell shows it`() {
    let offer = CompletionOffer("k7q2m", described: "a:\u{1B}[2J\n\u{202E}b\tc")
    #expect(offer.line(completing: "", for: .zsh) == "k7q2m:a:\u{FFFD}[2J \u{FFFD}b c")
    #expect(offer.line(completing: "", for: .fish) == "k7q2m\ta:\u{FFFD}[2J \u{FFFD}b c")
    #expect(offer.line(completing: "", for: .bash) == "k7q2m")
  }

  @Test(
    arguments: [
      ("Office Laser", "Of", "Office\\ Laser"), ("Office Laser", "Office\\ L", "Office\\ Laser"),
      ("Office Laser", "\"Office L", "Office Laser"), ("Office Laser", "'Of", "Office Laser"),
      ("Office Laser", "of", nil), ("Tom's", "'To", "Tom%27s"), ("a $x", "\"a", "a%20%24x"),
      ("a $x", "'a", "a $x"), ("a `x`", "\"a ", "a%20%60x%60"), ("x\u{202E}y", "x", "x%E2%80%AEy"),
      ("x\u{202E}y", "x%E2", "x%E2%80%AEy"), ("A4,letter", "A4,l", "A4,letter"),
    ] as [(String, String, String?)])
  func `bash gets what goes on from what was typed, as its quotes want it`(
    name: String, typed: String, expected: String?
  ) {
    #expect(CompletionOffer(name).line(completing: typed, for: .bash) == expected)
  }

  /// Text that bash inserts inside open quotes has no special meaning there.
  @Test func `no hostile name ends quotes`() {
    for name in HostileNames.all {
      let double = CompletionOffer(name).line(completing: "\"", for: .bash)
      let single = CompletionOffer(name).line(completing: "'", for: .bash)
      #expect(double?.utf8.contains { "$`\"\\!".utf8.contains($0) } == false, "\(name)")
      #expect(single?.utf8.contains(UInt8(ascii: "'")) == false, "\(name)")
      for line in [double, single].compactMap(\.self) {
        #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
      }
    }
  }

  /// bash replaces what follows a break, or an open quote, and leaves the rest.
  @Test(
    arguments: [
      ("--to=Of", "--to=", "Of", "Office\\ Laser"), ("-dOf", "-d", "-dOf", "-dOffice\\ Laser"),
      ("--to=", "--to=", "", "Office\\ Laser"), ("--to=\"Of", "--to=", "Of", "Office Laser"),
      ("--to=Off\\i", "--to=", "Off\\i", "Office\\ Laser"), ("--to=x", "--to=", "x", nil),
    ] as [(String, String, String, String?)])
  func `bash gets the part that it replaces`(
    typed: String, option: String, replaced: String, expected: String?
  ) {
    let offer = CompletionOffer("Office Laser")
    let line = offer.line(completing: typed, of: option, replacing: replaced, for: .bash)
    #expect(line == expected)
  }

  @Test func `a line is divided like bash divides it`() {
    #expect(TypedWord.divided("airprint  show ") == ["airprint", "show", ""])
    #expect(
      TypedWord.divided("a 'b c' d\\ e\"f 'g\" \"h ") == ["a", "'b c'", "d\\ e\"f 'g\"", "\"h "])
    #expect(TypedWord.divided("") == [""])
  }
}
