import PrintModel
import TestSupport
import Testing

@testable import IPP

/// Messages with invalid attributes, as firmware sends them, and their limits.
@Suite struct ReceivedMessageTests {
  private func message(_ bytes: [UInt8]) -> ReceivedMessage? {
    var reader = ByteReader(bytes)
    return try? ReceivedMessage(from: &reader)
  }

  private static func attribute(_ tag: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
    let name = Array(name.utf8)
    return [tag, 0, UInt8(name.count)] + name + [0, UInt8(value.count)] + value
  }

  private static func named(_ name: String) -> [UInt8] { attribute(0x4A, "", Array(name.utf8)) }

  private static let one: [UInt8] = [0, 0, 0, 1]

  /// Only the wrong attribute is left out: what is before and after it is read.
  @Test(
    arguments: [
      // Canon MG4120, MF635Cx: values of different kinds (cups-filters#22, #486).
      (attribute(0x44, "odd", [97]) + attribute(0x21, "", one), ["before", "odd", "after"], 0),
      (
        attribute(0x44, "odd", [97]) + attribute(0x34, "", []) + named("x")
          + attribute(0x21, "", one) + attribute(0x37, "", []), ["before", "odd", "after"], 0
      ),
      // Kyocera FS-4200DN: a member outside a collection (cups#755).
      (named("odd") + attribute(0x21, "", one), ["before", "after"], 2),
      // A value of the wrong length, alone and beside others.
      (attribute(0x21, "odd", [1]), ["before", "after"], 1),
      (attribute(0x21, "odd", one) + attribute(0x21, "", []), ["before", "odd", "after"], 1),
      (attribute(0x22, "odd", one), ["before", "after"], 1),
      (attribute(0x32, "odd", one), ["before", "after"], 1),
      (attribute(0x35, "odd", [0, 9, 97]), ["before", "after"], 1),
      (attribute(0x33, "odd", [0, 0, 0, 9] + one), ["before", "after"], 1),
      // The end of a collection that has not begun.
      (attribute(0x37, "", []), ["before", "after"], 1),
      // libcups reads the four octets of an extended tag as a name's length and name.
      (attribute(0x7F, "odd", [0, 0, 0, 0]), ["before", "odd", "after"], 0),
    ] as [([UInt8], [String], Int)])
  func `a wrong attribute takes nothing along`(
    _ bytes: [UInt8], _ names: [String], _ omissions: Int
  ) throws {
    let head: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 4]
    let before = Self.attribute(0x21, "before", Self.one)
    let after = Self.attribute(0x44, "after", [98])
    let read = try #require(message(head + before + bytes + after + [3]))
    let attributes = try #require(read.groups.first).attributes
    #expect(attributes.map(\.name) == names)
    #expect(attributes.first?.values == [.integer(1)] && attributes.last?.values == [.keyword("b")])
    #expect(read.omissions.count == omissions, "\(read.omissions)")
    // The same in a media-col.
    let members = Self.named("before") + Self.attribute(0x21, "", Self.one)
    let column =
      Self.attribute(0x34, "media-col", []) + members + Self.named("bad")
      + Self.attribute(0x21, "", [9]) + Self.attribute(0x37, "", [])
    let whole = try #require(message(head + column + after + [3])?.groups.first)
    #expect(
      whole.attributes.first?.values == [.collection([Attribute("before", .integer(1))])])
    #expect(whole.attributes.count == 2)
  }

  /// Lexmark: a group begins with a value without a name (SharpIppNext#3).
  @Test func `a value without a name belongs to nothing before it`() throws {
    let bytes: [UInt8] =
      [2, 0, 0, 0, 0, 0, 0, 1, 1] + Self.attribute(0x47, "attributes-charset", [117]) + [4]
      + Self.attribute(0x44, "", [97]) + Self.attribute(0x44, "sides", [98]) + [3]
    let read = try #require(message(bytes))
    #expect(read.groups.map { $0.attributes.map(\.values.count) } == [[1], [1]])
    #expect(read.omissions == ["a value without a name"])
  }

  @Test(
    arguments: [
      ([], [3], []), ([], [4, 3], []), ([], [2, 0x44, 0, 1, 98, 0, 1, 98, 3], ["b"]),
      // Attributes have a name of their own, members have none.
      ([], attribute(0x44, "b", [98]) + [3], ["b"]),
      (attribute(0x34, "", []), attribute(0x44, "b", [98]) + [3], ["b"]),
      (
        attribute(0x34, "", []) + named("y") + attribute(0x21, "", one),
        attribute(0x44, "b", [98]) + attribute(0x44, "", [99]) + attribute(0x34, "c", [])
          + named("z") + attribute(0x21, "", one) + attribute(0x37, "", [])
          + attribute(0x44, "d", [100]) + [3], ["b", "c", "d"]
      ),
    ] as [([UInt8], [UInt8], [String])])
  func `a collection without an end hides nothing, and is left out`(
    _ open: [UInt8], _ end: [UInt8], _ names: [String]
  ) throws {
    let bytes: [UInt8] =
      [2, 0, 0, 0, 0, 0, 0, 1, 4] + Self.attribute(0x34, "media-col", []) + Self.named("x")
      + (open.isEmpty ? Self.attribute(0x21, "", Self.one) : open) + end
    let read = try #require(message(bytes))
    #expect(read.groups.flatMap(\.attributes).map(\.name) == names)
    #expect(read.omissions == ["media-col"])
  }

  @Test func `nothing behind the end of the message is taken`() throws {
    let bytes: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 1] + Self.attribute(0x21, "a", Self.one) + [3]
    var rest = (bytes + [80, 68, 70])[...]
    // Byte by byte, as a slow peer sends it.
    var reader = ByteReader(readsAhead: false) { room in
      guard let first = rest.popFirst() else { return 0 }
      room[0] = first
      return 1
    }
    _ = try ReceivedMessage(from: &reader)
    #expect(Array(rest) == [80, 68, 70])
  }

  /// A complete answer may lack the end's tag, and one that breaks off in an attribute is taken if that is enough.
  @Test(arguments: [
    (false, false, 0, 0), (true, false, 1, 0), (true, true, 1, 1), (false, true, 0, 0),
  ])
  func `an answer without its end`(
    _ isComplete: Bool, _ takesPart: Bool, _ atTag: Int, _ within: Int
  ) {
    let bytes: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 4] + Self.attribute(0x21, "a", Self.one)
    for (bytes, count) in [(bytes, atTag), (bytes + [0x44, 0, 1, 98, 255, 255, 3], within)] {
      var reader = ByteReader(bytes)
      let read = try? ReceivedMessage(from: &reader, takesPart: takesPart) { isComplete }
      #expect(read?.groups.flatMap(\.attributes).count ?? 0 == count)
    }
  }

  @Test(arguments: [(300_000, true), (500_000, false)])
  func `more values than any printer has are no message`(_ count: Int, _ isMessage: Bool) {
    let values = Array(repeating: [0x13, 0, 0, 0, 0] as [UInt8], count: count).joined()
    #expect((message([2, 0, 0, 0, 0, 0, 0, 1, 4] + values + [3]) != nil) == isMessage)
  }

  @Test func `a message longer than any printer's is read no further`() {
    var count = 0
    let head: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 4]
    let endless = Self.attribute(0x30, "a", Array(repeating: 0, count: 200))
    var reader = ByteReader(readsAhead: true) { room in
      let bytes = count == 0 ? head : endless
      room.copyBytes(from: bytes)
      count += bytes.count
      return bytes.count
    }
    #expect(throws: ReceivedMessage.Defect.foreign) { try ReceivedMessage(from: &reader) }
    #expect(count < 17 << 20)
  }

  /// One is read while others stay open; when they have ended, it is read again.
  @Test func `long messages share memory`() throws {
    let messages = LongMessages(1 << 20)
    func reader() -> ByteReader {
      ByteReader(readsAhead: true, sharing: messages) { room in
        room.initializeMemory(as: UInt8.self, repeating: 7)
        return room.count
      }
    }
    do {
      var open = (0..<4).map { _ in reader() }
      for index in 0..<3 { _ = try open[index].take(400 << 10) }
      #expect(throws: ReceivedMessage.Defect.foreign) { try open[3].take(400 << 10) }
      var short = reader()
      #expect(try short.take(100 << 10).count == 100 << 10)
    }
    var last = reader()
    #expect(try last.take(1 << 20).count == 1 << 20)
  }
}
