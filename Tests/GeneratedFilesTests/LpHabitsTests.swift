import PrintModel
import Testing

@testable import AirprintCommands

@Suite struct LpHabitsTests {
  /// `-odd` would be read as `-o dd`.
  @Test func `every long option of print is refused with one hyphen`() throws {
    let print = try #require(try CommandInfo.all().commands.first { $0.commandName == "print" })
    let names = (print.arguments ?? []).flatMap { $0.names ?? [] }.filter {
      $0.kind == "long" && $0.name.count > 2
    }.map(\.name)
    #expect(names.count > 60)
    // The parser's own is airprint's.
    for name in names where name != "version" {
      #expect(throws: Failure.self, "\(name)") { try LpHabits.translated(["print", "-\(name)"]) }
    }
  }
}
