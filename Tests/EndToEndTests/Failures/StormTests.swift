import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Everything at once that happens to machines and printers: kill -9 and signals at any moment, connections that are
/// cut and reset, printers that restart and lose answers, disks that are full or broken, clocks that jump; with jobs
/// of `print`, `--detach` and the queue.
///
/// Documents are counted at the printer: none is printed twice, no accepted job is lost silently, and no exit status
/// is wrong.
///
/// `AIRPRINT_STORM=1000` tries that many jobs, and prints the totals; the usual run has 20.
@Suite(.inTurn) struct StormTests {
  private static let count = getenv("AIRPRINT_STORM").flatMap { Int(String(cString: $0)) } ?? 20
  private static let each = 10
  private static let tally = Mutex([String: Int]())

  enum Fault: String, CaseIterable {
    case none, kill, terminate, interrupt, hangUp, stop, wire, restart, disk, clock, output
  }

  enum Mode: CaseIterable {
    case print, detach, queue
  }

  /// One job, and what airprint reported about it.
  private struct Job {
    var name: String
    var mode: Mode
    var fault: Fault
    /// The exit code of `print`; for other modes, of the command that submits the job.
    var code: Int32?
    var words = ""

    var isAccepted: Bool { mode != .print && code == 0 }
  }

  @Test(arguments: 0..<(count + each - 1) / each)
  func `none is printed twice, none is lost, no exit status is untrue`(_ batch: Int) async throws {
    let person = try await Person.anybody()
    let document = PDF(pages: [.a4(), .a4(), .a4()], ballast: batch % 2 * 400_000).bytes
    let printer = try StormPrinter(document, pages: 3)
    var storm = Storm(
      person: person, printer: printer, faults: try await FaultLibrary(person),
      file: try person.document(document), numbers: Dice(batch))
    let way = try storm.way()
    var jobs: [Job] = []
    for index in 0..<Self.each {
      let kind = Fault.allCases.randomElement(using: &storm.numbers) ?? .none
      let mode = Mode.allCases.randomElement(using: &storm.numbers) ?? .print
      var job = Job(name: "storm-\(batch)-\(index)", mode: mode, fault: kind)
      try await storm.send(&job)
      jobs.append(job)
    }
    let ends = try await storm.settled()
    for job in jobs { judge(job, ends, printer.whole(job.name)) }
    if Self.count > 20 { Swift.print("storm until now:", Self.tally.withLock { "\($0)" }) }
    way.shut()
    printer.close()
  }

  /// Compares the reports about a job with the paper.
  ///
  /// `ends` are the journal's entries.
  private func judge(_ job: Job, _ ends: [String: Storm.End], _ whole: Int) {
    let end = ends[job.name]
    let report = "\(job) \(end.map { "\($0)" } ?? "no record"), \(whole) printed"
    #expect(whole <= 1, "printed twice: \(report)")
    var untrue = false
    if job.mode == .print, let code = job.code {
      untrue = !Self.allows(code, whole, job.words)
    } else if job.mode != .print, job.code != 0, job.code != nil, end == nil {
      // It was refused, with a reason.
      untrue = whole > 0
    }
    if let end, let code = end.code { untrue = untrue || !Self.allows(code, whole, end.words) }
    #expect(!untrue, "untrue: \(report)")
    // The job was accepted, but it was neither printed, nor reported to have ended otherwise, nor is it waiting with
    // a reason.
    let isLost =
      job.isAccepted && whole == 0 && (end == nil || end?.code == nil && !(end?.waits ?? true))
    #expect(!isLost, "lost silently: \(report)")
    Self.tally.withLock {
      $0["jobs", default: 0] += 1
      $0["whole", default: 0] += whole
      $0["twice", default: 0] += whole > 1 ? 1 : 0
      $0["untrue", default: 0] += untrue ? 1 : 0
      $0["lost", default: 0] += isLost ? 1 : 0
    }
  }

  /// Returns true if an exit code and message allow this count (airprint(1), DID IT PRINT?).
  private static func allows(_ code: Int32, _ whole: Int, _ words: String) -> Bool {
    switch code {
    case 0: whole == 1
    case 74, 75, 82: whole <= 1
    // Depends on the message.
    case 130, 143:
      whole == 0
        || ["had been printed", "may still print", "was over"].contains { words.contains($0) }
    default: whole == 0
    }
  }
}

extension StormTests {
  /// One user's jobs on one printer.
  private struct Storm {
    let person: Person
    let printer: StormPrinter
    let faults: FaultLibrary
    let file: String
    var numbers: Dice
    private let wire = Wire()

    init(
      person: Person, printer: StormPrinter, faults: FaultLibrary, file: String, numbers: Dice
    ) {
      self.person = person
      self.printer = printer
      self.faults = faults
      self.file = file
      self.numbers = numbers
    }

    /// The end of a job in the journal.
    struct End {
      var code: Int32?
      var words: String
      var waits: Bool
    }

    /// The faults of the connection to the printer, while they are enabled.
    private final class Wire: Sendable {
      let isBad = Mutex(false)
      let uri = Mutex("")
      let numbers = Mutex(Dice(4_711))
    }

    func way() throws -> Door {
      let wire = wire
      let door = try Door.faulty(to: printer.port) {
        guard wire.isBad.withLock({ $0 }) else { return nil }
        return wire.numbers.withLock { EndToEndTests.Fault.random(400_000, &$0) }
      }
      wire.uri.withLock { $0 = door.uri }
      return door
    }

    private var uri: String { wire.uri.withLock { $0 } }

    /// Sends a job, in its own mode.
    mutating func send(_ job: inout Job) async throws {
      let base = ["--timeout", "4", "-t", job.name]
      switch job.mode {
      case .print: try await run(["print"] + base + ["-d", uri, file], &job)
      case .detach:
        try await run(["print", "--detach"] + base + ["-d", uri, file], &job)
        if job.fault == .kill || job.fault == .terminate { try await endDetached(job) }
      case .queue:
        let fault = job.fault
        // In two of three jobs, only `queue run` has the fault, not `queue add`.
        if Int.random(in: 0..<3, using: &numbers) > 0 { job.fault = .none }
        try await run(["queue", "add"] + base + ["-d", uri, file], &job)
        job.fault = fault
        var runs = job
        for _ in 0..<2 { try await run(["queue", "run"], &runs) }
      }
    }

    /// Runs a command while a fault occurs.
    private mutating func run(_ arguments: [String], _ job: inout Job) async throws {
      let adding = environment(job.fault)
      let delay = Duration.milliseconds(Int.random(in: 1..<900, using: &numbers))
      wire.isBad.withLock { $0 = job.fault == .wire }
      let outcome: Outcome
      if job.fault == .output {
        let output = ["</dev/null >&-", ">/dev/full", "2>/dev/full", ">&- 2>&-"]
          .randomElement(using: &numbers)
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        outcome = try await person.shell("$airprint \(words) \(output ?? "")")
      } else {
        let program = try person.bench.start(
          ["airprint"] + arguments, adding: person.variables.merging(adding) { $1 })
        try await Task.sleep(for: delay)
        try await happen(job.fault, to: program)
        outcome = await program.end(within: .seconds(90))
      }
      wire.isBad.withLock { $0 = false }
      (job.code, job.words) = (outcome.code, outcome.stderr)
      if case .signalled(let number) = outcome.end {
        // A crash is the worst outcome.
        #expect([SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(number), "\(job) \(outcome.report)")
        // The messages before `print` dies from the signal count as its exit code would.
        if number == SIGINT { job.code = 130 }
        if number == SIGTERM { job.code = 143 }
        if outcome.stderr.isEmpty { job.code = nil }
      }
      #expect(outcome.end != .timedOut && outcome.code != 70, "\(job) \(outcome.report)")
    }

    private func happen(_ fault: Fault, to program: Program) async throws {
      switch fault {
      case .kill: program.signal(SIGKILL)
      case .terminate: program.signal(SIGTERM)
      case .interrupt: program.signal(SIGINT)
      case .hangUp: program.signal(SIGHUP)
      case .stop:
        program.signal(SIGSTOP)
        try await Task.sleep(for: .seconds(1))
        program.signal(SIGCONT)
      case .restart: printer.restart()
      case .none, .wire, .disk, .clock, .output: break
      }
    }

    private mutating func environment(_ fault: Fault) -> [String: String] {
      let seed = Int.random(in: 0..<100_000, using: &numbers)
      switch fault {
      case .disk:
        let kinds = [
          "fsync:15", "rename:10", "write:10", "short:30,write:5", "open:10", "mkdir:15",
          "flock:10",
          "fsync:100", "rename:100", "write:100", "flock:100",
          "fsync:8,rename:8,write:5,open:5,mkdir:5",
        ]
        return faults.environment([
          "FAULTS": kinds.randomElement(using: &numbers) ?? "", "FAULT_SEED": "\(seed)",
          "FAULT_ERRNO": "\([ENOSPC, EIO, EROFS].randomElement(using: &numbers) ?? EIO)",
        ])
      case .clock:
        let days = [-400, -31, -20_000, 31, 400].randomElement(using: &numbers) ?? 0
        return faults.environment(["FAULT_SHIFT": "\(days * 86_400)"])
      default: return [:]
      }
    }

    /// Ends the process that prints a detached job, at a random moment.
    private mutating func endDetached(_ job: Job) async throws {
      try await Task.sleep(for: .milliseconds(Int.random(in: 1..<400, using: &numbers)))
      let number = job.fault == .kill ? 9 : 15
      _ = try await person.shell(
        "for p in /proc/[0-9]*; do if tr '\\0' ' ' < $p/cmdline | grep -q ' __job ' && "
          + "tr '\\0' '\\n' < $p/environ | grep -qF '\(person.folder)/state'; then "
          + "kill -\(number) ${p#/proc/}; fi; done 2>/dev/null")
    }

    /// Runs the queue until all jobs have ended, at most 12 times, and returns the journal's result for each name.
    func settled() async throws -> [String: End] {
      var ends: [String: End] = [:]
      for _ in 0..<12 {
        _ = try await person.airprint("queue", "run", "-q")
        let jobs = try await person.airprint("jobs", "--json").json.array ?? []
        let waiting = try await person.airprint("queue", "list", "--json").json.array ?? []
        let names = Set(waiting.compactMap { $0.name?.string })
        ends = [:]
        var isOpen = false
        for job in jobs {
          guard let name = job.name?.string else { continue }
          let code = names.contains(name) ? nil : job.exitCode?.number.map { Int32($0) }
          if code == nil { isOpen = true }
          ends[name] = End(
            code: code, words: job.message?.string ?? "", waits: names.contains(name))
        }
        if !isOpen { break }
        try await Task.sleep(for: .milliseconds(500))
      }
      return ends
    }
  }
}
