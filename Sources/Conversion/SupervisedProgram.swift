internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

/// A running program, watched until it ends or exceeds a limit.
struct SupervisedProgram {
  var start: ProgramStart
  /// Its name in messages.
  var name: String
  var timeLimit: Duration
  /// Processor time for the program and its children; nil: no limit.
  var processorLimit: Duration?
  /// Bytes; nil: no limit.
  var memoryLimit: Int?
  /// Its processes and what they use, once it runs.
  var family = ProcessFamily()
  /// Lets children outlive the program, unless it was stopped.
  var keepsOthers = false

  /// Runs the program.
  ///
  /// Throws exit 65 at a limit, 130 or 143 when the user stopped it; then none of its processes is left.
  func run(_ cancellation: Cancellation) throws(Failure) -> ExitStatus {
    let process: pid_t
    do throws(SystemError) {
      process = try start.start()
    } catch {
      throw .document("\(name) can't be started: \(error).")
    }
    var family = family
    family.root = process
    let deadline = ContinuousClock.now + timeLimit
    var nextLook = ContinuousClock.now + .milliseconds(50)
    var pause: UInt32 = 1_000
    while true {
      if let status = ExitStatus.poll(process) {
        // Kill what it left behind rather than wait for its output.
        if !keepsOthers { kill(-process, SIGKILL) }
        if family.mark != nil { family.endOthers() }
        // Ctrl-C, or a SIGTERM to all of a service, may end the program, or one that it waits for, before airprint sees
        // the signal.
        if [SIGINT, SIGTERM, SIGHUP].contains(status.code - 128) {
          _ = cancellation.sleep(.milliseconds(500))
        }
        if status != .exit(0), let signal = cancellation.signal {
          throw .interrupted(by: signal)
        }
        return status
      }
      do throws(Failure) {
        try check(family, deadline, &nextLook, cancellation)
      } catch {
        family.end()
        throw error
      }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }

  private func check(
    _ family: ProcessFamily, _ deadline: ContinuousClock.Instant,
    _ nextLook: inout ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(Failure) {
    if let signal = cancellation.signal {
      throw .interrupted(by: signal)
    }
    let now = ContinuousClock.now
    if now >= deadline {
      let seconds = timeLimit.components.seconds
      throw .document("\(name) took longer than \(seconds) s and was stopped.")
    }
    guard now >= nextLook else { return }
    nextLook = now + .milliseconds(100)
    let members = family.members
    if let processorLimit, family.processorTime(of: members) > processorLimit {
      throw .document(
        "\(name) took more than \(processorLimit.components.seconds) s of processor time, which "
          + "page-time in config.toml allows, and was stopped.")
    }
    if let memoryLimit, family.memory(of: members) > memoryLimit {
      throw .document("\(name) took more than \(memoryLimit >> 20) MB of memory and was stopped.")
    }
  }
}

/// The end of a program's output on standard error, as readable lines.
struct ProgramMessages {
  private(set) var all: [String] = []

  /// Limits of one line, in characters, and of the part of a file that is read, in bytes.
  private static let longestLine = 300
  private static let most = 1 << 20

  /// Reads the file behind `descriptor`.
  ///
  /// Removes `prefixes` from paths: these folders no longer exist when the message is read.
  init(_ descriptor: Int32, hiding prefixes: [String]) {
    let most = ProgramMessages.most
    let start = max(0, lseek(descriptor, 0, SEEK_END) - off_t(most))
    let bytes = piece(of: descriptor, from: start, most: most) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let plain = ProgramMessages.plain(line, prefixes)
      if !plain.isEmpty { all.append(plain) }
    }
  }

  /// What lines of the form `airprint: WORD: text` say, without duplicates.
  var stated: [(word: String, text: String)] {
    matching(["airprint: *: *"]).map { line in
      let parts = line.split(separator: ":", maxSplits: 2).map { String($0.drop { $0 == " " }) }
      return (parts[1], parts[2])
    }
  }

  /// Lines that match one of these shell patterns, without duplicates.
  func matching(_ patterns: [String]) -> [String] {
    all.filter { line in patterns.contains { fnmatch($0, line, 0) == 0 } }.unique
  }

  /// A line without control characters, the run's folders, and spaces at both ends.
  private static func plain(_ line: Substring, _ prefixes: [String]) -> String {
    var text = String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
          .prefix(longestLine)))
    for prefix in prefixes where !prefix.isEmpty {
      text = text.replacing("file://\(prefix)", with: "").replacing(prefix, with: "")
    }
    return String(text.trimming { $0 == " " })
  }
}

/// A process, all processes that it started, and where they write.
struct ProcessFamily {
  var root: pid_t = 0
  /// Text that all members have in their environment, to find those that left their parents; nil in a PID namespace,
  /// which no process can leave.
  var mark: String?
  /// Folders in memory, as their mount namespace has them.
  var folders: [String] = []
  /// Files outside that they write, as descriptors of this process.
  var files: [Int32] = []

  /// Bytes that only they use, all of them together: their memory, what their folders in memory hold, what they have
  /// written to files, and the most that the kernel may keep for their sockets and pipes.
  ///
  /// Address space would be the wrong measure: Chromium and LibreOffice reserve much more than they use (with
  /// RLIMIT_DATA at 4 GB Chromium does not even start). A limit for each process, folder or file would not limit their
  /// sum.
  func memory(of members: [pid_t]) -> Int {
    members.reduce(0) { $0 + Self.memory(of: $1) + Self.pipes(of: $1) }
      + used(by: members) + files.reduce(0) { $0 + Self.length(of: $1) }
  }

  /// Bytes in their folders, including those of files that have no name any more, and in their sockets.
  private func used(by members: [pid_t]) -> Int {
    let own = Self.mounts(of: getpid())
    guard !folders.isEmpty, let inside = members.first(where: { Self.mounts(of: $0) != own }) else {
      return 0
    }
    return folders.reduce(Self.sockets(of: inside)) { sum, folder in
      let path = "/proc/\(inside)/root\(folder)"
      var space = statvfs()
      // Until bubblewrap has made its folders, those of this machine are seen there.
      guard FileStatus(path)?.st_dev != FileStatus(folder)?.st_dev, statvfs(path, &space) == 0
      else { return sum }
      let (blocks, files) = (space.f_blocks - space.f_bfree, space.f_files - space.f_ffree)
      // A file takes about a kilobyte of the kernel's memory.
      return sum + Int(blocks * space.f_frsize) + Int(files) << 10
    }
  }

  /// Its mount namespace; nil when it has ended.
  private static func mounts(of process: pid_t) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/mnt")
  }

  private static func length(of file: Int32) -> Int {
    Int(FileStatus(descriptor: file)?.st_blocks ?? 0) << 9
  }

  /// Processor time of all members, including those that have ended.
  func processorTime(of members: [pid_t]) -> Duration {
    let ticks = members.reduce(0) { $0 + Self.ticks(of: $1) }
    return .milliseconds(ticks * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
  }

  /// Kills all of them, and reaps the root.
  func end() {
    kill(-root, SIGKILL)
    // In a PID namespace, all processes end with the first one.
    if mark != nil { endOthers() }
    kill(root, SIGKILL)
    ExitStatus.wait(for: root)
  }

  /// Kills all but the root.
  ///
  /// Each round finds processes that were started during the previous one.
  func endOthers() {
    for _ in 0..<50 {
      let others = members.filter { $0 != root }
      if others.isEmpty { return }
      for member in others { kill(member, SIGKILL) }
      usleep(2_000)
    }
  }

  var members: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let parents = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        pid_t(name).flatMap { process in Self.parent(of: process).map { (process, $0) } }
      })
    var members: Set<pid_t> = [root]
    // Children have larger IDs than their parents unless IDs wrapped around, so a few rounds find all.
    while true {
      let found = parents.filter { members.contains($0.value) && !members.contains($0.key) }.keys
      if found.isEmpty { break }
      members.formUnion(found)
    }
    if let mark {
      members.formUnion(parents.keys.filter { $0 != getpid() && Self.isMarked($0, mark) })
    }
    return Array(members)
  }

  /// The parent's ID; nil for a process that has ended.
  private static func parent(of process: pid_t) -> pid_t? {
    guard let (state, words) = status(of: process, words: 1), state != "Z" else { return nil }
    return pid_t(words[0])
  }

  /// Clock ticks used: utime, stime, and the same of children that were waited for, from the 14th word on (proc(5)).
  private static func ticks(of process: pid_t) -> Int {
    status(of: process, words: 14)?.words[10...].reduce(0, +) ?? 0
  }

  /// What /proc says of it after the last bracket: the third word, and as many of the numbers that follow; nil if it is
  /// gone.
  ///
  /// A program's name may contain spaces and brackets. Read as C does, because this is done for every process of the
  /// machine, ten times a second.
  private static func status(of process: pid_t, words: Int) -> (
    state: Unicode.Scalar, words: [Int]
  )? {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { text in
      guard let start = text.baseAddress else { return nil }
      start[max(0, read(descriptor, start, text.count - 1))] = 0
      guard let bracket = strrchr(start, 0x29), strlen(bracket) > 2 else { return nil }
      var next: UnsafeMutablePointer<CChar>? = bracket + 3
      let words = (0..<words).map { _ in
        guard let place = next else { return 0 }
        return strtol(place, &next, 10)
      }
      return (Unicode.Scalar(UInt8(bitPattern: bracket[2])), words)
    }
  }

  private static func isMarked(_ process: pid_t, _ mark: String) -> Bool {
    contents("/proc/\(process)/environ").contains(mark)
  }

  /// Bytes of a process: anonymous and shared memory, also on a swap device, and its page tables.
  private static func memory(of process: pid_t) -> Int {
    let kinds = ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"]
    return contents("/proc/\(process)/status").split(separator: "\n")
      .filter { line in kinds.contains { line.hasPrefix($0) } }
      .reduce(0) { sum, line in
        sum + (Int(line.split { !$0.isNumber }.first ?? "") ?? 0) * 1024
      }
  }

  /// Bytes for its open files: over the user's share (fs.pipe-user-pages-soft, pipe(7)), a pipe has two pages.
  private static func pipes(of process: pid_t) -> Int {
    let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    return (files ?? []).count * 2 * Int(getpagesize())
  }

  /// Bytes that the sockets of its network namespace can hold, including those that no process has open, in a message to
  /// another one.
  ///
  /// Their usual buffers: `SeccompFilter` lets no converter enlarge them. Those of TCP grow by themselves, but not beyond
  /// what TCP uses on the whole machine.
  private static func sockets(of process: pid_t) -> Int {
    let counts = numbers(in: "/proc/\(process)/net/sockstat")
    guard counts.count > 5 else { return 0 }
    let (all, pages) = (counts[0], counts[5])
    let local = contents("/proc/\(process)/net/unix").split(separator: "\n").count - 1
    func largest(_ settings: String...) -> Int {
      settings.reduce(0) { $0 + (numbers(in: "/proc/sys/net/\($1)").last ?? 212_992) }
    }
    return all * largest("core/rmem_default", "core/wmem_default")
      + min(
        max(0, all - local) * largest("ipv4/tcp_rmem", "ipv4/tcp_wmem"), pages * Int(getpagesize()))
  }

  private static func numbers(in path: String) -> [Int] {
    contents(path).split { !$0.isNumber }.compactMap { Int($0) }
  }

  private static func contents(_ path: String) -> String {
    String(decoding: wholeFile(path), as: UTF8.self)
  }
}
