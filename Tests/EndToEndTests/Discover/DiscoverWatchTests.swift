import Glibc
import TestSupport
import Testing

/// `discover --watch`: printers appear and vanish until it is interrupted.
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
    let watched = await watching.end()
    #expect(watched.end == .signalled(signal), "\(watched.report)")
    // A `changed` event follows when another of its addresses becomes known.
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

  /// Runs for 15 s, or with `AIRPRINT_WATCH=3600` for an hour.
  @Test func `who is there is known whoever comes and goes`() async throws {
    let seconds = getenv("AIRPRINT_WATCH").flatMap { Int(String(cString: $0)) } ?? 15
    let bench = try await Bench()
    let person = try Person(at: bench)
    let watching = try person.start("discover", "--watch", "--json")
    let names = (1...12).map { "Printer \($0)" }
    var present: [String: Announcement] = [:]
    var events = 0
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
      let name = names.randomElement() ?? ""
      if let printer = present.removeValue(forKey: name) {
        await printer.withdraw()
      } else {
        present[name] = try await bench.publish(
          name, port: 631 + .random(in: 0...3), txt: ["pdl=image/urf"])
      }
      events += 1
      guard events.isMultiple(of: 5) else { continue }
      let truth = Set(present.keys)
      try await eventually("after \(events) changes \(truth) are there") {
        watching.present == truth
      }
    } while ContinuousClock.now < end
    let truth = Set(present.keys)
    try await eventually("in the end \(truth) are there") { watching.present == truth }
    if seconds > 15 { Swift.print("\(events) changes, \(watching.residentMemory ?? 0) kB") }
    #expect(watching.isRunning && watching.errors.isEmpty)
    watching.signal(SIGTERM)
    _ = await watching.end()
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
    #expect(await watching.end().end == .signalled(SIGTERM))
    await bench.close()
  }

  @Test func `on a terminal Ctrl-C ends it and leaves the terminal right`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    _ = try await bench.publish("Guest", txt: ["pdl=image/urf"])
    let session = try person.terminal("discover", "--watch")
    try await session.wait(for: "Guest")
    session.type(Key.interrupt)
    #expect(await session.end().end == .signalled(SIGINT))
    #expect(!session.screen.isCursorHidden)
    await bench.close()
  }
}

extension Program {
  /// The names of the printers that a watch has reported and not withdrawn.
  fileprivate var present: Set<String> {
    var names: Set<String> = []
    for line in output.split(separator: 0x0A) {
      guard let event = try? JSON(Array(line)), let name = event.name?.string else { continue }
      if event.event == .string("vanished") { names.remove(name) } else { names.insert(name) }
    }
    return names
  }
}
