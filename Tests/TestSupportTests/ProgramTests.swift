import Glibc
import TestSupport
import Testing

@Suite struct ProgramTests {
  @Test func `a program's output, errors and exit code come apart`() async throws {
    let outcome = try await run(["sh", "-c", "echo out; echo err >&2; exit 7"])
    #expect(outcome.stdout == "out\n")
    #expect(outcome.stderr == "err\n")
    #expect(outcome.end == .exited(7))
    #expect(outcome.code == 7)
  }

  @Test func `a program that a signal ends has no exit code`() async throws {
    let outcome = try await run(["sh", "-c", "kill -TERM $$"])
    #expect(outcome.end == .signalled(SIGTERM))
    #expect(outcome.code == nil)
  }

  @Test func `the wall time is the program's`() async throws {
    let outcome = try await run(["sleep", "0.3"])
    #expect(outcome.wallTime >= .milliseconds(300))
  }

  @Test func `a program that takes too long is killed`() async throws {
    let outcome = try await run(["sleep", "3600"], timeout: .milliseconds(200))
    #expect(outcome.end == .timedOut)
    #expect(outcome.wallTime < .seconds(1200))
  }

  @Test func `a program that leaves another one with its output is not waited for`() async throws {
    let outcome = try await run(["sh", "-c", "sleep 3600 & echo $!"])
    #expect(outcome.code == 0)
    #expect(outcome.wallTime < .seconds(1200))
    let pid = try #require(Int32(outcome.stdout.dropLast()))
    #expect(kill(pid, SIGKILL) == 0)
  }

  @Test func `more than a pipe holds goes in and comes out`() async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let outcome = try await run(["cat"], input: bytes)
    #expect(outcome.output == bytes)
    // A program that does not read its input.
    #expect(try await run(["true"], input: bytes).code == 0)
  }

  @Test func `without input there is none`() async throws {
    #expect(try await run(["cat"], timeout: .seconds(5)).end == .exited(0))
  }

  @Test func `a program knows nothing of the person who runs the tests`() async throws {
    let outcome = try await run(["env"])
    let names = outcome.stdout.split(separator: "\n").compactMap { $0.split(separator: "=").first }
    #expect(
      Set(names.map(String.init)).subtracting(["ASAN_OPTIONS", "TSAN_OPTIONS"]) == [
        "PATH", "LANG", "LC_ALL", "TZ", "HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
        "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "DBUS_SYSTEM_BUS_ADDRESS",
        "FONTCONFIG_FILE",
      ])
    // There is no controlling terminal to prompt on.
    #expect(try await run(["sh", "-c", ": < /dev/tty"]).code != 0)
  }

  @Test func `a running program is fed, read and signalled`() async throws {
    let program = try Program(
      ["sh", "-c", "trap 'echo stopped; exit 3' TERM; while read -r x; do echo \"<$x>\"; done"],
      input: .sent)
    program.send("one\n")
    try await program.wait(for: "<one>")
    #expect(program.isRunning)
    program.signal(SIGTERM)
    program.closeInput()
    let outcome = await program.end()
    #expect(outcome.stdout == "<one>\nstopped\n")
    #expect(outcome.code == 3)
    #expect(!program.isRunning)
    program.signal(SIGKILL)  // meets nobody
  }

  @Test func `waiting for words that do not come says what came`() async throws {
    let program = try Program(["sh", "-c", "echo something else"])
    let problem = await #expect(throws: Missing.self) { try await program.wait(for: "words") }
    #expect(problem?.description.contains("something else") == true)
  }

  @Test func `signals that this process blocks or ignores are a program's own`() async throws {
    #expect(try await run(["sh", "-c", "kill -PIPE $$; echo alive"]).end == .signalled(SIGPIPE))
  }

  @Test func `arguments need not be text`() async throws {
    let arguments: [[UInt8]] = [
      Array("printf".utf8), Array("%s".utf8), [0xFF, 0x20, 0xFE],
    ]
    #expect(await (try Program(bytes: arguments)).end().output == [0xFF, 0x20, 0xFE])
  }

  @Test func `a program that is not installed is named`() {
    let problem = #expect(throws: Missing.self) { try locate("no-such-program") }
    #expect(problem?.description == "no-such-program is not installed")
  }

  @Test func `airprint is the one that was built with these tests`() throws {
    let folder = CommandLine.arguments[0].split(separator: "/").dropLast().joined(separator: "/")
    #expect(try locate("airprint") == "/\(folder)/airprint")
  }
}
