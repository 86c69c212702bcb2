import Glibc
import System
import TestSupport
import Testing

@Suite struct ProgramStartTests {
  /// Runs a shell command, and returns its output and exit.
  private func run(
    _ command: String, _ change: (inout ProgramStart) -> Void = { _ in }
  ) throws -> (output: String, status: System.ExitStatus) {
    let ends = try SocketPair()
    defer { close(ends.own) }
    var start = ProgramStart(["/bin/sh", "-c", command], environment: ["PATH": "/usr/bin:/bin"])
    start.descriptors = [0: .null, 1: .copy(of: ends.other)]
    change(&start)
    let process = try start.start()
    close(ends.other)
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1024)
    while case let count = read(ends.own, &piece, piece.count), count > 0 {
      output += piece[..<count]
    }
    return (String(decoding: output, as: UTF8.self), System.ExitStatus.wait(for: process))
  }

  /// Returns a mask in /proc/self/status as a set of signal numbers.
  private func signals(_ name: String, of text: String) throws -> Set<Int32> {
    let line = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("\(name):") }, "\(text)")
    let word = try #require(line.split(whereSeparator: \.isWhitespace).last)
    let mask = try #require(UInt64(word, radix: 16))
    return Set((1...64).filter { mask >> UInt64($0 - 1) & 1 == 1 })
  }

  @Test func `what is started has SIGPIPE as every program expects it`() throws {
    // As in airprint; this is safe in a test process.
    signal(SIGPIPE, SIG_IGN)
    for isInterruptible in [false, true] {
      let (text, status) = try run("cat /proc/self/status") { $0.isInterruptible = isInterruptible }
      #expect(status == .exit(0))
      #expect(try !signals("SigIgn", of: text).contains(SIGPIPE))
    }
  }

  @Test func `no signal is blocked in what is started, unless that is asked for`() throws {
    var (blocked, former) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    // A shell would clear the mask itself.
    let usual = try run("") { start in
      start.program = "/bin/cat"
      start.arguments = ["cat", "/proc/self/status"]
    }
    #expect(try signals("SigBlk", of: usual.output).isEmpty)
    let kept = try run("") { start in
      start.program = "/bin/cat"
      start.arguments = ["cat", "/proc/self/status"]
      start.keepsSignalMask = true
    }
    #expect(try signals("SigBlk", of: kept.output).contains(SIGUSR2))
  }

  @Test func `it gets the descriptors that are named, and no others`() throws {
    // Not close-on-exec, like a descriptor that airprint's parent left open.
    let stray = open("/dev/null", O_RDONLY)
    defer { close(stray) }
    let lock = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    defer { close(lock) }
    let (text, _) = try run("for n in /proc/self/fd/*; do readlink $n; done; true") {
      $0.descriptors[2] = .null
      $0.descriptors[5] = .copy(of: lock)
    }
    let files = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("/dev/") }
    #expect(files == ["/dev/null", "/dev/null", "/dev/zero"], "\(text)")
  }

  @Test func `a program that was named is found, and how it ended is told`() throws {
    #expect(try run("exit 3").status == .exit(3))
    #expect(try run("kill -KILL $$").status == .signal(SIGKILL))
    #expect(System.ExitStatus.signal(SIGTERM).code == 143)
    #expect(throws: SystemError(ENOENT)) { try ProgramStart(["/nowhere/at/all"]).start() }
  }

  @Test func `its group is its own where that is asked for`() throws {
    let own = try run("ps -o pid=,pgid=,sid= -p $$") { $0.group = .own }
    let words = own.output.split(whereSeparator: \.isWhitespace)
    try #require(words.count == 3, "\(own.output)")
    #expect(words[0] == words[1] && words[1] != words[2])
    let session = try run("ps -o pid=,sid= -p $$") { $0.group = .session }
    let leader = session.output.split(whereSeparator: \.isWhitespace)
    #expect(leader.count == 2 && leader[0] == leader[1], "\(session.output)")
  }
}
