import Conversion
import FoundationEssentials
import Glibc
import PrintModel
import TestSupport
import Testing
import System

/// Misbehaving converters, each a shell script.
@Suite struct ConversionTests {
  /// Writes a PDF that is only valid in its first bytes.
  private static let pdf = "printf '%%PDF-1.4\\nx' > \"$2\""

  @Test(arguments: [true, false])
  func `the result is what the command wrote, and nothing is left`(
    _ isSandboxed: Bool
  ) async throws {
    let run = try Run("{ cat head.txt; cat \"$1\"; } > \"$2\"; ls -A; ls -A \"$TMPDIR\" >&2")
    run.converter.files["head.txt"] = "%PDF-1.4 {width}x{height} {margin-left} {kind} {other}\n"
    let made = try await run.convert(isSandboxed: isSandboxed)
    #expect(made.text == "%PDF-1.4 226.77x14400 5.67 roll {other}\nthe document\n")
    #expect(made.losses.isEmpty && made.scale == 1)
    #expect(run.left.isEmpty)
  }

  @Test(
    arguments: [
      ("exit 3", "sh failed with exit code 3."),
      ("echo first >&2; printf 'no \\033[31mglyph' >&2; exit 1", "sh failed: no  [31mglyph."),
      ("echo done", "sh wrote no document: done."),
      ("kill -9 $$", "sh"),
      ("echo hello > \"$2\"", "sh wrote something that is not application/pdf."),
      (": > \"$2\"", "sh wrote no document."),
      ("mkdir \"$2\"", "sh wrote no document."),
      ("ln -s /etc/hostname \"$2\"", "sh wrote no document."),
      ("mkfifo \"$2\"", "sh wrote no document."),
      ("head -c 3000000 /dev/urandom > \"$2\"", "sh wrote something that is not application/pdf."),
    ], [true, false])
  func `65: a converter that fails, with its last line`(
    _ case: (script: String, words: String), _ isSandboxed: Bool
  ) async throws {
    let run = try Run(`case`.script)
    let failure = await #expect(throws: Failure.self) {
      try await run.convert(isSandboxed: isSandboxed)
    }
    #expect(failure?.code == .document)
    #expect(failure?.message.hasPrefix(`case`.words) == true, "\(failure?.message ?? "")")
    #expect(run.left.isEmpty)
  }

  @Test(arguments: [true, false])
  func `65: a converter that hangs is killed with its children`(_ isSandboxed: Bool) async throws {
    // A child in the same group, one in its own session, and one whose parent is gone.
    let nap = "sleep \(31_536_000 + Int.random(in: 1...1_000_000))"
    let run = try Run("\(nap) & setsid \(nap) & (setsid \(nap) &) ; \(nap)")
    run.converter.timeLimit = 1
    let failure = await #expect(throws: Failure.self) {
      try await run.convert(isSandboxed: isSandboxed)
    }
    #expect(failure?.message == "sh took longer than 1 s and was stopped.")
    try await eventually("nobody sleeps") { processes(nap).isEmpty }
    #expect(run.left.isEmpty)
  }

  @Test(arguments: [true, false])
  func `65: a converter that spins, by itself or by its children`(_ isSandboxed: Bool) async throws
  {
    for script in ["while :; do :; done", "(while :; do :; done) & (while :; do :; done) & wait"] {
      let run = try Run(script)
      run.processorTime = 1
      let failure = await #expect(throws: Failure.self) {
        try await run.convert(isSandboxed: isSandboxed)
      }
      #expect(
        failure?.message
          == "sh took more than 1 s of processor time, which page-time in config.toml allows, and "
          + "was stopped.")
    }
  }

  @Test(arguments: [true, false])
  func `a converter inherits no descriptors`(_ isSandboxed: Bool) async throws {
    let left = fcntl(0, F_DUPFD, 97)
    #expect(left >= 97)
    defer { close(left) }
    let run = try Run(
      "{ printf %%PDF-; [ -e /proc/$$/fd/\(left) ] && echo inherited; } > \"$2\"; :")
    #expect(try await run.convert(isSandboxed: isSandboxed).text == "%PDF-")
  }

  @Test(arguments: [true, false])
  func `children that outlive a converter that is done are killed too`(
    _ isSandboxed: Bool
  ) async throws {
    let nap = "sleep \(31_536_000 + Int.random(in: 1...1_000_000))"
    // The converter only ends once its child is running.
    let run = try Run(
      "(setsid sh -c ': > \"$1\"; exec \(nap)' sh \"$2.child\" > /dev/null 2>&1 &) ; "
        + "until [ -e \"$2.child\" ]; do sleep 0.02; done; \(Self.pdf)")
    _ = try await run.convert(isSandboxed: isSandboxed)
    try await eventually("nobody sleeps") { processes(nap).isEmpty }
  }

  @Test(arguments: [true, false])
  func `65: a converter that eats memory, by itself or by its children`(
    _ isSandboxed: Bool
  ) async throws {
    let eater = "perl -e '$x = \"x\" x 40_000_000; sleep 60'"
    for script in ["perl -e 'push @x, \"x\" x 1_000_000 while 1'", "\(eater) & \(eater) & wait"] {
      let run = try Run(script)
      run.converter.memoryLimit = 64 << 20
      let failure = await #expect(throws: Failure.self) {
        try await run.convert(isSandboxed: isSandboxed)
      }
      #expect(failure?.message == "sh took more than 64 MB of memory and was stopped.")
    }
  }

  @Test func `a file grows no further than the memory's limit`() async throws {
    let run = try Run("printf %%PDF- > \"$2\"; yes >> \"$2\"")
    run.converter.memoryLimit = 20 << 20
    let failure = await #expect(throws: Failure.self) { try await run.convert(isSandboxed: false) }
    #expect(failure?.code == .document)
  }

  /// The last converter gets the signal before airprint does.
  @Test(arguments: [
    ("sleep 600", true, SIGTERM), ("sleep 600", false, SIGTERM), ("kill -INT $$", false, SIGINT),
  ])
  func `130 or 143: stopped by the person`(
    _ command: String, _ isSandboxed: Bool, _ signal: Int32
  ) async throws {
    let run = try Run(command)
    let cancellation = Cancellation()
    detachThread {
      usleep(300_000)
      cancellation.raise(signal: signal)
    }
    let failure = await #expect(throws: Failure.self) {
      try await run.convert(isSandboxed: isSandboxed, cancellation)
    }
    #expect(failure?.code == (signal == SIGINT ? .interrupted : .terminated))
    #expect(run.left.isEmpty)
  }

  @Test func `65: a program that is not installed, and what installs it`() async throws {
    let run = try Run("exit 0")
    run.converter.program = "no-such-program"
    run.converter.package = "no-such-package"
    let failure = await #expect(throws: Failure.self) { try await run.convert(isSandboxed: false) }
    #expect(failure?.message == "no-such-program is not installed: apt install no-such-package.")
  }

  @Test func `what could not be loaded is told once, without the run's folders`() async throws {
    let run = try Run("echo ERROR: Failed to load file://{folder}/a.png >&2; echo x; \(Self.pdf)")
    run.converter.command[2] += "; echo ERROR: Failed to load file://$PWD/a.png >&2; exit 0"
    run.converter.notLoaded = ["*Failed to load*"]
    let made = try await run.convert(isSandboxed: false)
    #expect(made.losses == [Loss(.converter, "Failed to load a.png")])
  }

  @Test(arguments: [
    ("damaged: a.png: cut short", [Loss(.damage, "a.png: cut short")], 1),
    ("no-such-word: text", [Loss(.converter, "text")], 1),
    ("scale: 0.5", [], 0.5), ("scale: 2", [], 1), ("scale: 0", [], 1), ("scale: nan", [], 1),
  ])
  func `what a converter states with its kind`(
    _ line: String, _ losses: [Loss], _ scale: Double
  ) async throws {
    let run = try Run("echo 'airprint: \(line)' >&2; \(Self.pdf)")
    let made = try await run.convert(isSandboxed: false)
    #expect(made.losses == losses && made.scale == scale)
  }

  @Test(arguments: [
    (
      "ERROR: Failed to load image at 'a.png': URLError: <urlopen error [Errno 2] No such file: 'a.png'>",
      "Failed to load image at 'a.png': No such file"
    ),
    (
      "Failed to load image at 'file:///tmp/b.png': URLError: <urlopen error [Errno 2] No such file: '/tmp/b.png'>",
      "Failed to load image at 'file:///tmp/b.png': No such file (converters see only the document's folder)"
    ),
    (
      "Failed to load http://a/: URLError: <urlopen error [Errno 111] Connection refused>",
      "Failed to load http://a/: Connection refused (converters have no network)"
    ),
    ("Failed to load: <urlopen error", "Failed to load: <urlopen error"),
  ])
  func `a resource that is missing is told with the reason`(
    _ line: String, _ words: String
  ) async throws {
    let run = try Run("echo \"\(line)\" >&2; \(Self.pdf)")
    run.converter.notLoaded = ["*Failed to load*"]
    let made = try await run.convert(isSandboxed: false)
    #expect(made.losses.map(\.message) == [words])
  }
}

/// Resources that a converter can't access.
///
/// Where namespaces are forbidden there is no sandbox, and `doctor` reports that.
@Suite(
  .enabled(if: ConverterSandbox.isUsable, "bubblewrap is not there, or may not make namespaces"))
struct SandboxTests {
  @Test(arguments: [
    "cat /etc/passwd", "cat /etc/hostname", "ls /home", "ls /root", "cat beside.txt",
    "ls /proc/1/root/etc/passwd",
    "sh -c 'cat /proc/sys/vm/stat_interval > /proc/sys/vm/stat_interval' 2>/dev/null",
    "sh -c ': > /proc/sysrq-trigger' 2>/dev/null",
    "sh -c 'echo > /proc/pressure/memory' 2>/dev/null", "head -c 1 /proc/keys",
    "head -c 1 /proc/kpageflags",
    "touch /usr/touched", "touch /touched", "touch /dev/touched", "ls /document",
    // Keys of the session, and memory that is neither a process's nor a folder's.
    """
    python3 -c 'import ctypes; exit(ctypes.CDLL("libkeyutils.so.1").keyctl_get_keyring_ID(-3, 0) < 0)'
    """,
    "perl -e 'defined shmget(0, 4096, 0600) or die'", "perl -e 'defined msgget(0, 0600) or die'",
    "python3 -c 'import os; os.memfd_create(\"x\")'",
    "python3 -c 'import mmap; mmap.mmap(-1, 4096)'",
    """
    python3 -c 'import socket; s, _ = socket.socketpair(); old = s.getsockopt(1, 7); s.setsockopt(1, 7, 1 << 20)
    exit(s.getsockopt(1, 7) == old)'
    """,
    "python3 -c 'import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)'",
    "unshare --user true",
    "perl -e 'socket(S, 2, 1, 6) or die; connect(S, pack(\"SnC4x8\", 2, 9, 127, 0, 0, 1)) or die'",
    "perl -MIO::Socket -e 'IO::Socket::INET->new(PeerAddr => \"192.0.2.1:80\") or die \"$@\"'",
  ])
  func `what it must not do fails`(_ command: String) async throws {
    let run = try Run("if \(command); then echo it worked; else printf %%PDF- > \"$2\"; fi")
    try Array("secret".utf8).write(to: "\(run.folder)/beside.txt")
    _ = try await run.convert(isSandboxed: true)
  }

  /// Each is less than the limit, and so is each file.
  @Test(arguments: [
    "head -c 50M /dev/zero > /dev/shm/a; head -c 50M /dev/zero > /tmp/a",
    "for number in 1 2 3 4; do head -c 20M /dev/zero > $number; done",
    "exec 9> x; rm x; head -c 40M /dev/zero >&9; perl -e '$x = \"x\" x 40_000_000; sleep 60'",
    "head -c 40M /dev/zero > x; head -c 40M /dev/zero >&2",
    "number=0; while :; do number=$((number + 1)); : > $number; done",
    // Buffers of the kernel: of sockets that are open, or in a message; of pipes.
    """
    perl -MSocket -e 'for (1..300) { socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) or last; push @all, $a, $b;
      for ($a, $b) { setsockopt($_, SOL_SOCKET, SO_SNDBUF, 1 << 22); $_->blocking(0); 1 while syswrite $_, "x" x 100000 } }
      sleep 60' -MIO::Handle
    """,
    """
    python3 -c 'import socket, time
    for _ in range(300):
        a, b = socket.socketpair(); c, d = socket.socketpair(); keep = globals().setdefault("keep", [])
        socket.send_fds(a, [b"x"], [c.fileno(), d.fileno()]); c.close(); d.close(); keep.append((a, b))
    time.sleep(60)'
    """,
    "for child in 1 2 3 4 5 6 7 8 9; do perl -e 'pipe($_->{r}, $_->{w}) for @all = map { {} } 1..500; sleep 60' & done",
  ])
  func `65: more memory in all, in processes, folders, files and messages`(
    _ script: String
  ) async throws {
    let run = try Run("\(script); sleep 60")
    run.converter.memoryLimit = 64 << 20
    let failure = await #expect(throws: Failure.self) { try await run.convert(isSandboxed: true) }
    #expect(failure?.message == "sh took more than 64 MB of memory and was stopped.")
    #expect(run.left.isEmpty)
  }

  @Test func `no process outside is seen`() async throws {
    let run = try Run("printf %%PDF- > \"$2\"; ls -d /proc/[0-9]* | wc -l >> \"$2\"")
    let made = try await run.convert(isSandboxed: true)
    let count = Int(made.text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 99
    #expect(count < 8, "\(made.text)")
  }

  @Test func `the document's folder is there to be read for those who may`() async throws {
    let run = try Run("cat {base}/beside.txt > \"$2\"; touch {base}/touched; exit 0")
    run.converter.readsFolder = true
    try Array("%PDF- beside".utf8).write(to: "\(run.folder)/beside.txt")
    let made = try await run.convert(isSandboxed: true)
    #expect(made.text == "%PDF- beside")
    #expect(access("\(run.folder)/touched", F_OK) != 0)
  }

  @Test func `paths that the converter names`() async throws {
    let run = try Run("cat \(Scratch.shared.path)/tmp/named/a.txt > \"$2\"")
    let named = "\(Scratch.shared.path)/tmp/named"
    try FileManager.default.createDirectory(atPath: named, withIntermediateDirectories: true)
    try Array("%PDF- named".utf8).write(to: "\(named)/a.txt")
    run.converter.reads = [named]
    #expect(try await run.convert(isSandboxed: true).text == "%PDF- named")
  }
}

/// A converter that is a shell script (`$1` is its input, `$2` its output), and a folder to run it in.
private final class Run: @unchecked Sendable {
  var converter: Converter
  let folder: String
  var processorTime = 30

  init(_ script: String) throws {
    folder = "\(Scratch.shared.path)/tmp/run-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/tmp", withIntermediateDirectories: true)
    try Array("the document\n".utf8).write(to: "\(folder)/page.txt")
    converter = Converter(
      name: "test", source: "test.toml", types: ["text/test": [".txt"]],
      command: ["sh", "-c", script, "sh", "{input}", "{output}"])
    converter.timeLimit = 50
  }

  func convert(
    isSandboxed: Bool, _ cancellation: Cancellation = Cancellation()
  ) async throws -> (text: String, losses: [Loss], scale: Double) {
    let (converter, folder, processorTime) = (converter, folder, processorTime)
    return try await onThread { () throws(Failure) in
      let box = PageBox(
        size: PageSize(width: 226.771, height: 20_000),
        content: Rectangle(x: 5.67, y: 0, width: 215, height: 20_000), isRoll: true)
      var conversion = Conversion(
        converter, suffix: "txt", base: folder, box: box, temporary: "\(folder)/tmp")
      conversion.processorTime = processorTime
      conversion.isSandboxed = isSandboxed && ConverterSandbox.isUsable
      let document = open("\(folder)/page.txt", O_RDONLY | O_CLOEXEC)
      defer { close(document) }
      let made = try conversion.run(on: document, cancellation: cancellation)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = bytes.withUnsafeMutableBytes {
        pread(made.descriptor, $0.baseAddress, $0.count, 0)
      }
      return (
        String(decoding: bytes.prefix(max(0, count)), as: UTF8.self), made.losses, made.scale
      )
    }
  }

  /// The files that runs left in their temporary folder.
  var left: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp")) ?? ["?"]
  }
}

extension [UInt8] {
  fileprivate func write(to path: String) throws { try Data(self).write(to: URL(filePath: path)) }
}

/// Returns the processes with this command line.
private func processes(_ command: String) -> [String] {
  let wanted = command.replacing(" ", with: "\0") + "\0"
  return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { name in
    let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") ?? Data()
    return Int(name) != nil && String(decoding: bytes, as: UTF8.self) == wanted
  }
}
