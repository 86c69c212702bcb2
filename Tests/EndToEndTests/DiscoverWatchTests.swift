import Glibc
import TestSupport
import Testing

/// `discover --watch`: what comes and goes, until somebody has seen enough.
@Suite(.inTurn, .needsNamespaces) struct DiscoverWatchTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `JSON lines tell what comes and goes, until a signal`(_ signal: Int32) async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let first = try await bench.publish("First", txt: ["pdl=image/urf", "kind=label"])
    let watching = try person.start("discover", "--watch", "--json")
    try await watching.wait(for: "\"First\"")
    let second = try await bench.publish("Second", txt: ["pdl=image/urf"])
    try await watching.wait(for: "\"Second\"")
    await first.withdraw()
    try await watching.wait(for: "vanished")
    await second.withdraw()
    try await eventually("both are gone") {
      String(decoding: watching.output, as: UTF8.self).split(separator: "vanished").count == 3
    }
    watching.signal(signal)
    let watched = await watching.end(within: .seconds(20))
    #expect(watched.end == .signalled(signal), "\(watched.report)")
    // A printer changes when another address of it becomes known.
    let lines = try watched.jsonLines.filter { $0.event != .string("changed") }
    #expect(
      lines.map { [$0.event?.string, $0.name?.string] } == [
        ["appeared", "First"], ["appeared", "Second"], ["vanished", "First"],
        ["vanished", "Second"],
      ])
    #expect(lines[0].types?.strings == ["label"])
    #expect(lines[0].uri?.string != nil)
    await bench.close()
  }

  @Test func `rows for people, and who is gone`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    let watching = try person.start("discover", "--watch")
    let one = try await bench.publish("Guest", txt: ["pdl=image/urf"])
    try await watching.wait(for: "Guest")
    await one.withdraw()
    try await watching.wait(for: "Guest is gone.")
    #expect(watching.isRunning)
    watching.signal(SIGTERM)
    #expect(await watching.end(within: .seconds(20)).end == .signalled(SIGTERM))
    await bench.close()
  }

  @Test func `on a terminal Ctrl-C ends it and leaves the terminal right`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    _ = try await bench.publish("Guest", txt: ["pdl=image/urf"])
    let session = try person.terminal("discover", "--watch")
    try await session.wait(for: "Guest")
    session.type(Key.interrupt)
    #expect(await session.end(within: .seconds(20)).end == .signalled(SIGINT))
    #expect(!session.screen.isCursorHidden)
    await bench.close()
  }
}
