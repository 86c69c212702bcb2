import Glibc
import Synchronization
import TestSupport
import Testing

/// Checks the manual's section DID IT PRINT? with printers that have faults.
///
/// The printer here counts the pages of a complete document, and prints the first page of one that was cut off.
/// `AIRPRINT_FAULTS=1000` tries that many instead of 30.
@Suite(.inTurn) struct FaultTests {
  private static let count = getenv("AIRPRINT_FAULTS").flatMap { Int(String(cString: $0)) } ?? 30
  private static let each = 5

  /// Prints several documents on one printer per case, so that the next job meets what the last one left behind.
  @Test(arguments: 0..<(count + each - 1) / each)
  func `whatever happens on the way, the exit code tells what became of the paper`(
    _ batch: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: Paper.countsPages)
    let numbers = Mutex(Dice(batch))
    let length = Mutex(0)
    let door = try Door.faulty(to: printer.port) {
      let length = length.withLock { $0 }
      return numbers.withLock { Fault.random(length, &$0) }
    }
    var codes: [Int32] = []
    for index in 0..<FaultTests.each {
      let seed = batch * FaultTests.each + index
      // Small documents are sent in one piece, large ones fill every socket on the way.
      let size = numbers.withLock {
        [0, 40_000, 3_000_000].randomElement(using: &$0) ?? 0
      }
      let document = PDF(
        pages: [.a4(), .a4(), .a4()], title: "fault \(seed)", ballast: size
      ).bytes
      length.withLock { $0 = document.count }
      let file = try person.document(document, "\(seed).pdf")
      let printed = try await person.airprint(
        "print", "-d", door.uri, "--format", "pdf", "--timeout", "3", file)
      let code = try #require(printed.code, "seed \(seed): \(printed.report)")
      codes.append(code)
      // The printer may still be busy.
      try await person.idle(printer)
      let whole = try printer.jobs().filter { $0.document == document }.count
      #expect(Paper.allows(code, whole), "seed \(seed): \(whole) printed, \(printed.report)")
    }
    Paper.tally.withLock { tally in for code in codes { tally[code, default: 0] += 1 } }
    if FaultTests.count > 30 {
      print("faults until now, by exit code:", Paper.tally.withLock { $0 })
    }
    door.shut()
    await printer.stop()
  }

  @Test(arguments: 0..<8)
  func `kill -9 of the printer at any moment`(_ seed: Int) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: Paper.countsPages)
    var numbers = Dice(1000 + seed)
    let document = PDF(
      pages: [.a4(), .a4(), .a4()], ballast: seed % 2 == 0 ? 0 : 6_000_000
    ).bytes
    let file = try person.document(document)
    let printing = try person.start(
      "print", "-d", printer.uri, "--format", "pdf", "--timeout", "3", file)
    try await Task.sleep(for: .milliseconds(Int.random(in: 20..<600, using: &numbers)))
    printer.program.signal(SIGKILL)
    let printed = await printing.end()
    let code = try #require(printed.code, "\(printed.report)")
    let whole = try printer.jobs().filter { $0.document == document }.count
    #expect(Paper.allows(code, whole), "seed \(seed): \(whole) printed, \(printed.report)")
  }

  @Test(arguments: 0..<10)
  func `kill -9 of airprint at any moment: the journal tells, and nothing is in the way`(
    _ seed: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: Paper.countsPages)
    var numbers = Dice(2000 + seed)
    let document = PDF(
      pages: [.a4(), .a4(), .a4()], ballast: seed % 2 == 0 ? 0 : 6_000_000
    ).bytes
    let file = try person.document(document)
    let printing = try person.start(
      "print", "-d", printer.uri, "--format", "pdf", "--timeout", "20", file)
    try await Task.sleep(for: .milliseconds(Int.random(in: 20..<500, using: &numbers)))
    printing.signal(SIGKILL)
    _ = await printing.end()
    // The killed process's empty job must not block the next job.
    let next = try await person.airprint(
      "print", "-d", printer.uri, "-t", "next", "--timeout", "60", "--format", "pdf",
      try person.document(PDF().bytes, "next.pdf"))
    #expect(next.code == 0, "seed \(seed): \(next.report)")
    try await person.idle(printer)
    let jobs = try #require(try await person.airprint("jobs", "--json").json.array)
    let whole = try printer.jobs().filter { $0.document == document }.count
    for job in jobs where job.name == .string("page.pdf") {
      let code = try #require(job.exitCode?.number, "\(job)")
      #expect(Paper.allows(Int32(code), whole), "seed \(seed): \(whole) printed, \(job)")
    }
    #expect(whole <= 1)
    await printer.stop()
  }

  @Test func `kill -9 before the document's first byte arrives: the empty job is canceled`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office(command: Paper.countsPages)
    // IPP 2.0, Send-Document.
    let door = try Door.leading(to: printer.port, keepsBack: [2, 0, 0, 6])
    let printing = try person.start(
      "print", "-d", door.uri, "--format", "pdf", try person.document(PDF().bytes))
    try await eventually("the document is on its way") { door.isStalled }
    printing.signal(SIGKILL)
    _ = await printing.end()
    let next = try await person.airprint(
      "print", "-d", door.uri, "--format", "pdf", "--timeout", "60",
      try person.document(PDF().bytes, "next.pdf"))
    #expect(next.code == 0, "\(next.report)")
    let jobs = try #require(try await person.airprint("jobs", "--json").json.array)
    let first = try #require(jobs.first { $0.name == .string("page.pdf") })
    // Only the printer knows that no byte arrived.
    #expect(first.exitCode == .number(74) && first.state == .string("canceled"), "\(first)")
    #expect(try printer.jobs().count == 1)
    door.shut()
    await printer.stop()
  }

  @Test(arguments: 0..<6)
  func `kill -9 of a detached job at any moment: wait prints it, or says what is not known`(
    _ seed: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(command: Paper.countsPages)
    var numbers = Dice(3000 + seed)
    let document = PDF(
      pages: [.a4(), .a4(), .a4()], ballast: seed % 2 == 0 ? 0 : 6_000_000
    ).bytes
    let id = try await person.airprint(
      "print", "--detach", "-d", printer.uri, "--format", "pdf", "--timeout", "20",
      try person.document(document)
    ).line
    try await Task.sleep(for: .milliseconds(Int.random(in: 1..<400, using: &numbers)))
    _ = try await person.shell(
      "for p in /proc/[0-9]*; do if tr '\\0' ' ' < $p/cmdline | grep -q '__job \(id)'; then "
        + "kill -9 ${p#/proc/}; fi; done 2>/dev/null")
    let waited = try await person.airprint("wait", id)
    try await person.idle(printer)
    let whole = try printer.jobs().filter { $0.document == document }.count
    let code = try #require(waited.code, "\(waited.report)")
    #expect(Paper.allows(code, whole), "seed \(seed): \(whole) printed, \(waited.report)")
    #expect([0, 74].contains(code), "\(waited.report)")
    await printer.stop()
  }
}

/// The table in the manual.
enum Paper {
  /// Shell commands of a printer that prints everything it received.
  static let countsPages = """
    if tail -c 20 "$1" | grep -q '%%EOF'; then pages=3; else pages=1; fi
    echo "ATTR: job-impressions=$pages job-impressions-completed=$pages" >&2
    """

  /// Exit codes of the long run, for its report.
  static let tally = Mutex([Int32: Int]())

  /// Returns true if an exit code allows this number of complete documents at the printer.
  static func allows(_ code: Int32, _ whole: Int) -> Bool {
    switch code {
    case 0: whole == 1
    case 74, 75, 82: whole <= 1
    default: whole == 0
    }
  }
}

extension Person {
  /// Waits until a printer is idle, if it is still running.
  func idle(_ printer: VirtualPrinter) async throws {
    guard printer.program.isRunning else { return }
    try await eventually("\(printer.name) is idle") {
      let answer = try await bench.run([
        "ipptool", "-tv", printer.uri, "get-printer-attributes.test",
      ])
      return answer.stdout.contains("printer-state (enum) = idle")
    }
  }
}
