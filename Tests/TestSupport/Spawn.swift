import Glibc
package import Synchronization

/// An error for something that a test needs and could not get.
package struct Missing: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The time limit for anything that should take a moment.
///
/// It is much longer than needed, because a machine may be slow or busy, and only what never happens is an error.
package let timeout = Duration.seconds(240)

/// Waits until `condition` is true, checking every 2 ms at first and then every 16 ms; throws `Missing(what)` when the
/// time is over.
package func eventually(
  _ what: @autoclosure () -> String, within limit: Duration = timeout,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  var pause = Duration.milliseconds(2)
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw Missing("not within \(limit): \(what())") }
    try await Task.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(16))
  }
}

/// Allows only one program to be started at a time.
///
/// Otherwise a descriptor could leak into another program between its creation and its close-on-exec mark.
package let spawning = Mutex(())

/// A function that sets up a new program's descriptors.
typealias SpawnActions = (inout posix_spawn_file_actions_t) -> Void

/// Starts a program in a session of its own, with no signal blocked or ignored.
func spawn(
  _ arguments: [[UInt8]], _ environment: [String: String], _ prepare: SpawnActions
) throws -> pid_t {
  let path = try locate(String(decoding: arguments.first ?? [], as: UTF8.self))
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  prepare(&actions)

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Swift's Glibc hides
  posix_spawnattr_setflags(
    &attributes, Int16(newSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)

  let variables = environment.map { Array("\($0.key)=\($0.value)".utf8) }
  return try withStrings(arguments) { arguments in
    try withStrings(variables) { variables in
      var pid: pid_t = 0
      let problem = spawning.withLock { _ in
        posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
      }
      guard problem == 0 else { throw Missing("\(path): \(String(cString: strerror(problem)))") }
      return pid
    }
  }
}

/// Calls `body` with a null-terminated array of C strings, valid during the call only.
private func withStrings<Result>(
  _ strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
) rethrows -> Result {
  let pointers = strings.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) }
  defer { for pointer in pointers { free(pointer) } }
  return try body(pointers + [nil])
}

/// The C compiler: swift.org's Swift includes clang, while Debian's hides its own and needs the system's.
package let cCompiler = (try? locate("clang")) == nil ? "cc" : "clang"

/// Returns the path of a program.
///
/// A path stays unchanged. `airprint` and the tests' own programs are those built with the tests. Any other name is
/// looked up in `PATH` and in the folders of system administration programs.
package func locate(_ program: String) throws -> String {
  if program.contains("/") { return program }
  if ["airprint", "TerminalDriver", "ConfinementProbe"].contains(program) {
    // SwiftPM puts the test bundle and the executables into the same folder.
    let folder = CommandLine.arguments[0].split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(program)"
    guard access(path, X_OK) == 0 else { throw Missing("\(path): not built") }
    return path
  }
  for folder in searchPath {
    let path = "\(folder)/\(program)"
    if access(path, X_OK) == 0 { return path }
  }
  throw Missing("\(program) is not installed")
}

/// The folders where programs are looked up.
let searchPath: [String] = {
  let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
  let folders = path.split(separator: ":").map(String.init)
  return folders + ["/usr/sbin", "/sbin"].filter { !folders.contains($0) }
}()

/// The pipes of one program.
struct Pipes {
  private var input: [Int32]?
  private let output: [Int32]
  private let errors: [Int32]?

  init(withInput: Bool, withErrors: Bool = true) throws {
    input = withInput ? try Pipes.make() : nil
    output = try Pipes.make()
    errors = withErrors ? try Pipes.make() : nil
  }

  func actions(_ actions: inout posix_spawn_file_actions_t) {
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors[1], 2) }
  }

  /// Closes the program's ends; the caller then owns the test's ends.
  func keepOwnEnds() -> (writeEnd: Int32?, readEnds: [Int32]) {
    if let input { close(input[0]) }
    close(output[1])
    if let errors { close(errors[1]) }
    return (input?[1], [output[0]] + (errors.map { [$0[0]] } ?? []))
  }

  private static func make() throws -> [Int32] {
    var ends: [Int32] = [-1, -1]
    try spawning.withLock { _ in
      guard pipe(&ends) == 0 else { throw Missing("a pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    return ends
  }
}

/// Duplicates a descriptor.
func duplicate(_ descriptor: Int32) throws -> Int32 {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
  guard copy >= 0 else { throw Missing("a descriptor") }
  return copy
}

/// F_SETLEASE and F_SETSIG of fcntl(2), which Swift's Glibc lacks.
private let (setLease, setSignal): (Int32, Int32) = (1024, 10)

/// Writes a file, and waits until no program that was started meanwhile has it open.
///
/// A file that is open for writing can't be executed (ETXTBSY). Descriptors of Foundation's files are inherited; this one
/// is until the program is executed.
package func writeFile(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
  guard descriptor >= 0 else { throw Missing("\(path): \(String(cString: strerror(errno)))") }
  writeAll(bytes, to: descriptor)
  close(descriptor)
  let reading = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard reading >= 0 else { return }
  defer {
    _ = fcntl(reading, setLease, F_UNLCK)
    close(reading)
  }
  // A lease for reading is not given as long as anybody may write. Who opens the file for that while it is held would
  // send SIGIO, which ends a process.
  _ = fcntl(reading, setSignal, SIGURG)
  for _ in 0..<5_000 where fcntl(reading, setLease, F_RDLCK) != 0 {
    guard errno == EAGAIN else { return }
    usleep(1_000)
  }
}

/// Writes until everything is written, or the reader is gone.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    rest = rest.dropFirst(count)
  }
}
