import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `queue watch`: which printers it notices, how often it calls the hook, and that it ends.
@Suite(.inTurn) struct QueueWatchTests {
  @Test func `a printer on the network: called once an appearance`() async throws {
    let person = try await Person.anybody()
    let calls = person.path("calls")
    try person.configure(
      "on-available = 'echo \"$AIRPRINT_JOBS for $AIRPRINT_PRINTER\" >> \(calls)'\n")
    let name = "Late \(UInt32.random(in: 0 ... .max))"
    let visible = ["_print", "_universal"]
    let printer = try await person.printer(name, Attributes.office, subtypes: visible)
    // ippeveprinter makes its key at the first handshake, and two if two come at once.
    let shown = try await Person(at: person.bench).airprint("show", printer.secureURI)
    #expect(shown.code == 0, "\(shown.report)")
    await printer.stop()
    let first = try await person.add("-d", name)
    let watch = try person.start("queue", "watch")
    let once = try person.bench.start(printer.program.arguments)
    try await eventually("it has called") { exists(calls) }
    let second = try await person.add("-d", name)
    once.signal(SIGTERM)
    _ = await once.end()
    try await watch.wait(for: "no longer answers")
    let again = try person.bench.start(printer.program.arguments)
    try await eventually("it has called again") { try lines(calls).count >= 2 }
    // The new job is for the same printer, so it does not cause a call of its own.
    try await eventually("the printer is seen twice") {
      watch.errorText.ranges(of: "is available").count == 2
    }
    let said = try lines(calls)
    #expect(said.count == 2, "\(said)")
    #expect(said.first?.hasPrefix("\(first) for ") == true, "\(said)")
    #expect(said.last?.hasPrefix("\(first) \(second) for ") == true, "\(said)")
    await end(watch)
    again.signal(SIGTERM)
    _ = await again.end()
  }

  @Test func `on a terminal it says that it waits, and Ctrl-C ends it`() async throws {
    let person = try await Person.anybody()
    let session = try person.terminal("queue", "watch")
    try await session.wait(for: "Watching for the printers of queued jobs. Ctrl-C ends this.")
    session.type(Key.interrupt)
    #expect(await session.end().end == .signalled(SIGINT))
  }

  @Test func `a saved address: polled, and printed with --print`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let id = try await person.add("-d", printer.uri, "--format", "pdf")
    await printer.stop()
    let watch = try person.start("queue", "watch", "--print", "--json")
    try await Task.sleep(for: .seconds(1))
    #expect(try await person.queue() == [id])
    let again = try person.bench.start(printer.program.arguments)
    _ = try await printer.jobs(atLeast: 1)
    // A job that is queued while the printer is available is printed at once.
    let next = try await person.add("-d", printer.uri, "--format", "pdf")
    _ = try await printer.jobs(atLeast: 2)
    try await eventually("nothing waits") { try await person.queue() == [] }
    try await eventually("both are told") {
      try watch.jsonLines.filter { $0.exitCode != nil }.count >= 2
    }
    let told = try watch.jsonLines
    #expect(told.first?.event == .string("available"))
    #expect(told.compactMap { $0.exitCode }.map(\.number) == [0, 0])
    #expect(
      Set(told.filter { $0.exitCode != nil }.compactMap { $0.job?.string }) == [id, next])
    await end(watch)
    again.signal(SIGTERM)
    _ = await again.end()
  }

  @Test(arguments: [true, false])
  func `SIGTERM: a job of which no page is counted waits again, or is left if that is no proof`(
    _ isProof: Bool
  ) async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter()
    printer.with { ($0.ending, $0.statesBeginning) = ((3, ["job-queued"], 0), isProof) }
    let id = try await person.add("-d", printer.uri)
    let watch = try person.start("queue", "watch", "--print")
    try await eventually("it is at the printer") { printer.count(OddPrinter.getJobAttributes) > 1 }
    await end(watch)
    #expect(printer.with { $0.jobs[1]?.state } == (isProof ? 7 : 3))
    #expect(try await person.queue() == (isProof ? [id] : []))
    printer.with {
      $0.ending.state = 9
      if !isProof { $0.jobs[1]?.state = 9 }
    }
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    #expect(try await person.airprint("wait", id).code == 0)
    #expect(printer.documents.count == (isProof ? 2 : 1))
    printer.close()
  }

  @Test func `a notification with Print and Later; Print prints`() async throws {
    let person = try Person(at: try await Bench(withDaemon: true))
    let bench = person.bench
    let desktop = try await Desktop(at: bench, answering: "print")
    let printer = try await person.office()
    let watch = try bench.start(
      ["airprint", "queue", "watch"],
      adding: person.variables.merging(Desktop.variables(bench)) { $1 })
    _ = try await person.add("-d", printer.uri, "-t", "A <b>bold</b> name & more")
    let jobs = try await printer.jobs(atLeast: 1)
    #expect(jobs.map { $0["job-name"] } == ["A <b>bold</b> name & more"])
    let shown = try #require(desktop.shown.first)
    #expect(shown.contains("1 job waiting: A &lt;b&gt;bold&lt;/b&gt; name &amp; more"), "\(shown)")
    #expect(shown.contains("print,Print,later,Later"), "\(shown)")
    try await eventually("nothing waits") { try await person.queue() == [] }
    #expect(desktop.shown.filter { $0.contains(" | ") }.count == 1)
    await end(watch)
    await bench.close()
  }

  @Test func `Later: nothing is printed; what is removed takes its notification away`()
    async throws
  {
    let person = try Person(at: try await Bench(withDaemon: true))
    let bench = person.bench
    let desktop = try await Desktop(at: bench)
    let printer = try await person.office()
    let watch = try bench.start(
      ["airprint", "queue", "watch"],
      adding: person.variables.merging(Desktop.variables(bench)) { $1 })
    let id = try await person.add("-d", printer.uri)
    try await eventually("the person is called") { !desktop.shown.isEmpty }
    #expect(try await person.queue() == [id])
    _ = try await person.airprint("queue", "remove", id)
    try await eventually("the notification is gone") { desktop.shown.contains("closed") }
    #expect(try printer.jobs().isEmpty)
    await end(watch)
    await bench.close()
  }

  @Test(.needsTwoHosts, .needsRoot) func `an address of this machine changes: asked again at once`()
    async throws
  {
    let hosts = try await TwoHosts()
    let here = try Person(at: hosts.a)
    let printer = try await Person(at: hosts.b).office()
    let uri = "ipp://\(TwoHosts.ipv4[1]):\(printer.port)/ipp/print"
    _ = try await hosts.a.run(["ip", "address", "del", "\(TwoHosts.ipv4[0])/24", "dev", "eth0"])
    let id = try await here.add("-d", uri)
    let watch = try here.start("queue", "watch", "--print", "-v")
    try await watch.wait(for: "is not there")
    _ = try await hosts.a.run(["ip", "address", "add", "\(TwoHosts.ipv4[0])/24", "dev", "eth0"])
    try await watch.wait(for: "the network has changed")
    _ = try await printer.jobs(atLeast: 1)
    try await eventually("\(id) is printed") { try await here.queue() == [] }
    await end(watch)
    await hosts.close()
  }

  @Test(arguments: [false, true])
  func `systemd is told when it is ready, how it is, that it lives, and that it ends`(
    _ isAbstract: Bool
  ) async throws {
    let person = try await Person.anybody()
    let name = isAbstract ? "@airprint-\(UUID())" : person.path("notify")
    let listener = try NotifySocket(name)
    let watch = try person.bench.start(
      ["airprint", "queue", "watch"],
      adding: person.variables.merging(
        ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "400000"]) { $1 })
    try await eventually("it is ready") { listener.said.contains("READY=1") }
    try await eventually("it lives") { listener.said.count { $0 == "WATCHDOG=1" } >= 2 }
    _ = try await person.add("-d", "nobody")
    try await eventually("it has a status") { listener.said.contains("STATUS=1 job waiting") }
    watch.signal(SIGTERM)
    let outcome = await watch.end()
    #expect(outcome.code == 0, "\(outcome.report)")
    try await eventually("it says so") { listener.said.last == "STOPPING=1" }
  }

  private func end(_ watch: Program) async {
    watch.signal(SIGTERM)
    let outcome = await watch.end()
    #expect(outcome.code == 0, "\(outcome.report)")
  }
}

private func lines(_ path: String) throws -> [String] {
  String(decoding: try bytes(of: path), as: UTF8.self).split(separator: "\n").map(String.init)
}

extension Program {
  fileprivate var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// The JSON lines so far, without an incomplete last line.
  fileprivate var jsonLines: [JSON] {
    get throws {
      let text = String(decoding: output, as: UTF8.self)
      return try text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).map {
        try JSON(Array($0.utf8))
      }
    }
  }
}

/// The service manager's end of sd_notify(3).
private final class NotifySocket: Sendable {
  private let descriptor: Int32
  private let heard = Heard()

  private final class Heard: @unchecked Sendable {
    var lines: [String] = []
  }

  init(_ name: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count <= room else { throw Missing("a shorter path than \(name)") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard status == 0 else { throw Missing("a socket at \(name)") }
  }

  deinit { close(descriptor) }

  /// The messages so far.
  ///
  /// Only one thread may read it at a time.
  var said: [String] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return heard.lines }
      heard.lines += String(decoding: buffer[..<count], as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
  }
}
