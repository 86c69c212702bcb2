import DNSSD
import Testing

@testable import Discovery

@Suite struct TextRecordTests {
  @Test(
    arguments: [
      (["Color=T"], "color", "T"),
      (["COLOR=T"], "Color", "T"),
      // The first string with a value counts.
      (["ty=First", "ty=Second", "TY=Third"], "ty", "First"),
      (["ty", "ty=After a key alone"], "ty", "After a key alone"),
      (["note=a=b=c"], "note", "a=b=c"),
      (["note=  in the hall \t"], "note", "in the hall"),
      (["note="], "note", nil),
      (["note=   "], "note", nil),
      (["note"], "note", nil),
      (["=value without a key"], "", nil),
      ([""], "", nil),
      (["note=\0\0"], "note", nil),
    ] as [([String], String, String?)])
  func `a key has one value`(_ strings: [String], _ key: String, _ value: String?) {
    #expect(TextRecord(entries(strings))[key] == value)
  }

  @Test func `bytes that are not UTF-8 are replaced`() throws {
    let entry = try #require(TXTEntry(Array("note=K".utf8) + [0xFC] + Array("che".utf8)))
    #expect(TextRecord([entry])["note"] == "K\u{FFFD}che")
    // A key with such bytes is ignored, and causes no crash.
    let strange = try #require(TXTEntry([0xFF, 0xFE, UInt8(ascii: "="), 0x31]))
    #expect(TextRecord([strange])["note"] == nil)
  }

  @Test func `255 bytes are one value`() throws {
    let long = String(repeating: "x", count: 250)
    #expect(TextRecord(entries(["note=\(long)"]))["note"] == long)
  }

  @Test(
    arguments: [
      ("a,b", ["a", "b"]),
      (" A , b ,,", ["a", "b"]),
      (",", []),
      ("", []),
      (String(repeating: "x,", count: 200), Array(repeating: "x", count: 64)),
    ] as [(String, [String])])
  func `a list is split at commas`(_ value: String, _ items: [String]) {
    #expect(TextRecord(entries(["pdl=\(value)"])).list("pdl") == items)
  }

  @Test(
    arguments: [
      ("T", true), ("t", true), ("F", false), ("f", false), ("U", nil), ("", nil), ("true", nil),
      ("1", nil),
    ] as [(String, Bool?)])
  func `a flag is T or F`(_ value: String, _ flag: Bool?) {
    #expect(TextRecord(entries(["Duplex=\(value)"])).flag("duplex") == flag)
  }
}
