import FoundationEssentials
import TestSupport
import Testing

@testable import Submission

/// The journal's own time, which a wrong clock does not affect.
@Suite struct JournalTimeTests {
  private func seconds(_ time: JournalTime) throws -> Double {
    struct Note: Decodable { var seconds: Double }
    return try JSONDecoder().decode(Note.self, from: try JSONEncoder().encode(time)).seconds
  }

  @Test func `it goes as the machine does, and a machine that was off counts a day at most`() throws
  {
    let year = 31_536_000.0
    let first = JournalTime(after: nil, boot: "a", sinceBoot: 100, wall: 1_000_000)
    #expect(try seconds(first) == 0)
    // The wall clock jumps ahead, and back again.
    let ahead = JournalTime(after: first, boot: "a", sinceBoot: 160, wall: 1_000_000 + 2 * year)
    #expect(try seconds(ahead) == 60)
    let back = JournalTime(after: ahead, boot: "a", sinceBoot: 200, wall: 0)
    #expect(try seconds(back) == 100)
    let off = JournalTime(after: back, boot: "b", sinceBoot: 5, wall: 3_600)
    #expect(try seconds(off) == 3_700)
    let long = JournalTime(after: off, boot: "c", sinceBoot: 5, wall: year)
    #expect(try seconds(long) == 3_700 + 86_400)
    let earlier = JournalTime(after: long, boot: "d", sinceBoot: 5, wall: 0)
    #expect(try seconds(earlier) == 3_700 + 86_400)
    // On systems that do not identify each boot.
    let nameless = JournalTime(after: earlier, boot: "", sinceBoot: 900, wall: 10)
    #expect(try seconds(nameless) == 3_700 + 86_410)
  }

  @Test func `it is kept in the journal's folder`() throws {
    let scratch = try Scratch()
    let first = JournalTime.now(in: scratch.path)
    #expect(first == 0)
    #expect(JournalTime.now(in: scratch.path) < 60)
    #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/.time"))
  }
}
