import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Worker processes: the fate of a job when one dies, and of the workers when they are no longer needed.
@Suite(.inTurn) struct WorkerTests {
  /// A document whose drawing takes a minute: many pages with stripes over the whole height, because white rows take
  /// no time.
  private static let long: [UInt8] = {
    let stripes = (0..<20).map {
      PDF.Mark(x: 28 * Double($0), y: 0, width: 14, height: 841)
    }
    return PDF(pages: Array(repeating: .a4(stripes), count: 2000)).bytes
  }()

  @Test func `a worker that dies costs one message, and the job is canceled`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printing = try person.start(
      "print", "-d", printer.uri, "--format", "urf", try person.document(WorkerTests.long))
    let workers = try await workersThatDraw(for: printing, person)
    try #require(kill(workers[0], SIGKILL) == 0)
    let printed = await printing.end()
    // The exit code depends on whether some of the document was already sent.
    #expect([65, 74].contains(printed.code), "\(printed.report)")
    let lines = printed.stderr.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains("page.pdf: "), "\(printed.stderr)")
    let state = try await person.state(ofJob: 1, at: printer)
    #expect(state.contains("cancel") || state.contains("abort"), "\(state)")
    try await eventually("the other workers end") { workers.allSatisfy { !isRunning($0) } }
    await printer.stop()
  }

  @Test func `a job that ends when pages are out does not say that nothing is printed`()
    async throws
  {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let printing = try person.start(
      "print", "-d", simulation.uri, "--format", "urf", try person.document(WorkerTests.long))
    try await simulation.wait(for: "printed")
    let workers = try await workersThatDraw(for: printing, person)
    for worker in workers { kill(worker, SIGKILL) }
    let printed = await printing.end()
    #expect(printed.code == 74, "\(printed.report)")
    #expect(printed.stderr.contains("came out before that"), "\(printed.stderr)")
    #expect(!printed.stderr.contains("Nothing"), "\(printed.stderr)")
    #expect(person.journal.contains("\"impressions\""), "\(person.journal)")
    _ = await simulation.end()
  }

  @Test func `workers end with their parent, however it ends`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let printing = try person.start(
      "print", "-d", printer.uri, "--format", "urf", try person.document(WorkerTests.long))
    let workers = try await workersThatDraw(for: printing, person)
    // Whether they were forked or started, they have none of the parent's three standard streams. Only root may look.
    let parents = Set((0...2).compactMap { file($0, of: printing.pid) }).subtracting(["/dev/null"])
    try await eventually("the workers have a document and a socket") {
      getuid() != 0
        || workers.allSatisfy { worker in
          let files = (0...2).compactMap { file($0, of: worker) }
          return files.count == 3 && parents.isDisjoint(with: files)
            && files[1].hasPrefix("socket:")
        }
    }
    printing.signal(SIGKILL)
    #expect(await printing.end().end == .signalled(SIGKILL))
    try await eventually("the workers end") { workers.allSatisfy { !isRunning($0) } }
    await printer.stop()
  }

  /// Both kinds: one that was forked, and waits for a document, and one that is started.
  @Test func `a worker has no variable and no argument that drawing does not need`() async throws {
    let person = try await Person.anybody()
    let secrets = person.variables.merging(["CI_TOKEN": "secret", "TZ": "Asia/Tokyo"]) { $1 }
    let rendering = try person.bench.start(
      ["airprint", "render", "-", "--header", "secret", "-o", person.path("secret.pwg")],
      adding: secrets, input: .sent)
    var workers: [Int32] = []
    try await eventually("a worker waits") {
      workers = children(of: rendering.pid)
      return workers.contains { processText($0, "cmdline").isEmpty == false }
    }
    let started = try person.bench.terminal(["airprint", "render-worker"], adding: secrets)
    workers.append(started.program.pid)
    for worker in workers {
      try await eventually("it has what drawing needs, and no more") {
        let variables = processText(worker, "environ")
        return !variables.contains("secret")
          && ["TZ=Asia/Tokyo", "FONTCONFIG_FILE="].allSatisfy(variables.contains)
      }
      #expect(!processText(worker, "cmdline").contains("secret"))
    }
    started.program.signal(SIGKILL)
    rendering.closeInput()
    _ = await rendering.end()
  }

  private func processText(_ process: Int32, _ file: String) -> String {
    String(decoding: (try? bytes(of: "/proc/\(process)/\(file)")) ?? [], as: UTF8.self)
  }

  /// Returns the workers of a job whose document is being sent; one per core, if there are several.
  private func workersThatDraw(for program: Program, _ person: Person) async throws -> [Int32] {
    var workers: [Int32] = []
    try await eventually("the document is on its way") {
      workers = children(of: program.pid)
      return !workers.isEmpty && person.journal.contains("\"sending\"")
    }
    return workers
  }

  private func children(of parent: Int32) -> [Int32] {
    let text = (try? bytes(of: "/proc/\(parent)/task/\(parent)/children")) ?? []
    let main = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    guard main.isEmpty else { return main }
    // Any of its threads may have started them.
    let threads =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
    return threads.flatMap { thread in
      let text = (try? bytes(of: "/proc/\(parent)/task/\(thread)/children")) ?? []
      return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Returns the file that a descriptor refers to, such as `pipe:[4711]`.
  private func file(_ descriptor: Int, of process: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
  }

  private func isRunning(_ process: Int32) -> Bool {
    let text = (try? bytes(of: "/proc/\(process)/stat")) ?? []
    // The state follows the name in parentheses: Z is a process that has not been waited for.
    let state = String(decoding: text, as: UTF8.self).split(separator: ") ").last?.first
    return state != nil && state != "Z"
  }
}

extension Person {
  /// The records of all jobs.
  fileprivate var journal: String {
    let place = "\(folder)/state/airprint/jobs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.compactMap { try? bytes(of: "\(place)/\($0)/job.json") }
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }
}
