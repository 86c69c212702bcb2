internal import FoundationEssentials
internal import Glibc
internal import System

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
      guard Self.device(of: path) != Self.device(of: folder), statvfs(path, &space) == 0 else {
        return sum
      }
      let (blocks, files) = (space.f_blocks - space.f_bfree, space.f_files - space.f_ffree)
      // A file takes about a kilobyte of the kernel's memory.
      return sum + Int(blocks * space.f_frsize) + Int(files) << 10
    }
  }

  private static func device(of path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }

  /// Its mount namespace; nil when it has ended.
  private static func mounts(of process: pid_t) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/mnt")
  }

  private static func length(of file: Int32) -> Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_blocks) << 9 : 0
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
