import Confinement
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The restrictions that don't hold on this machine.
private let gaps = WorkerSandbox.gaps(in: exitCode(of: ["ConfinementProbe", "gaps"]))

/// The sandbox, tested from inside by the tests' own process (Tests/ConfinementProbe).
struct ConfinementTests {
  private struct Attempt: Hashable {
    var name: String
    var problem: Int32
  }

  private func probe(_ arguments: String...) async throws -> (Outcome, [Attempt]) {
    let outcome = try await run(["ConfinementProbe"] + arguments)
    let attempts = outcome.stdout.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t")
      return Attempt(name: String(parts[0]), problem: parts.last.flatMap { Int32($0) } ?? -1)
    }
    return (outcome, attempts)
  }

  /// Creates a folder with a file `there`.
  private func folder() throws -> String {
    let path = "\(Scratch.shared.path)/confined-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try "kept".write(toFile: "\(path)/there", atomically: false, encoding: .utf8)
    return path
  }

  @Test(.enabled(if: gaps.isEmpty, "this kernel lacks Landlock or seccomp"))
  func `network, files, processes and privileges are out of reach`() async throws {
    let folder = try folder()
    let (outcome, attempts) = try await probe("all", folder)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(attempts.count > 50, "\(outcome.stdout)")
    for attempt in attempts {
      #expect([EPERM, EACCES].contains(attempt.problem), "\(attempt)")
    }
    // None of the attempts had any effect.
    #expect(try String(contentsOfFile: "\(folder)/there", encoding: .utf8) == "kept")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["there"])
  }

  @Test(.enabled(if: !gaps.contains(.files), "this kernel has no Landlock"))
  func `only fonts, libraries and what was named can be read`() async throws {
    let folder = try folder()
    let own = "\(Scratch.shared.path)/data/fonts"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    for link in ["\(folder)-link", "\(folder)/link"] {
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: link.hasSuffix("-link") ? folder : "there")
    }
    try "a font".write(toFile: "\(own)/x.ttf", atomically: false, encoding: .utf8)
    for (path, readable, problem) in [
      ("\(folder)/there", "/no/such/folder", EACCES), ("\(folder)/there", folder, 0),
      ("/etc/passwd", folder, EACCES), ("/proc/1/status", folder, EACCES),
      ("/etc/fonts/fonts.conf", folder, 0), ("\(own)/x.ttf", folder, 0),
      // Put there after the folder was listed.
      ("\(folder)/there", "\(folder)-link/there", EACCES),
      ("\(folder)/there", "\(folder)/link", EACCES),
    ] {
      let (outcome, attempts) = try await probe("read", path, readable)
      #expect(attempts == [Attempt(name: "read", problem: problem)], "\(path): \(outcome)")
    }
  }

  @Test(.enabled(if: !gaps.contains(.files), "this kernel has no Landlock"))
  func `folders that fontconfig was told of can be read`() async throws {
    let folder = try folder()
    let settings = "\(folder)/config/fontconfig"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try "<fontconfig><dir>\(folder)</dir></fontconfig>".write(
      toFile: "\(settings)/fonts.conf", atomically: false, encoding: .utf8)
    let environment = Scratch.shared.environment.merging(
      ["XDG_CONFIG_HOME": "\(folder)/config"]
    ) { $1 }
    let outcome = try await run(
      ["ConfinementProbe", "read", "\(folder)/there"], environment: environment)
    #expect(outcome.stdout == "read\t0\n", "\(outcome)")
  }

  @Test(arguments: ["hoard", "hoard at once"])
  func `memory ends at the limit, and the exit code says so`(_ way: String) async throws {
    let (outcome, _) = try await probe(way)
    #expect(outcome.code == WorkerSandbox.outOfMemory, "\(outcome)")
  }

  @Test(arguments: ["crash", "descend"])
  func `a crash or a stack that is used up is another exit code`(_ way: String) async throws {
    let (outcome, _) = try await probe(way)
    let code = try #require(outcome.code, "\(outcome)")
    #expect(code != 0 && code != WorkerSandbox.outOfMemory, "\(outcome)")
  }

  @Test(.enabled(if: !gaps.contains(.calls), "this kernel takes no filter"))
  func `no process can be started, a thread can`() async throws {
    #expect(try await probe("fork bomb").1 == [Attempt(name: "fork", problem: EPERM)])
    #expect(try await probe("thread").1 == [Attempt(name: "thread", problem: 0)])
  }

  /// As where a container forbids a call, or where 16 sandboxes are around this one.
  @Test(
    .enabled(if: gaps.isEmpty, "this kernel lacks Landlock or seccomp"),
    arguments: [
      ("layers", WorkerSandbox.Gap.files), ("landlock_add_rule", .files),
      ("landlock_restrict_self", .files), ("prlimit64", .limits), ("capset", .privileges),
    ])
  func `a restriction that can't be applied is a gap, and the others hold`(
    _ call: String, _ gap: WorkerSandbox.Gap
  ) async throws {
    let (outcome, _) = try await probe("without", call, "gaps")
    #expect(WorkerSandbox.gaps(in: outcome.code) == [gap], "\(outcome)")
  }
}
