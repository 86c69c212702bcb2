internal import FoundationEssentials
internal import Glibc
internal import System

/// A process and all processes that it started.
struct ProcessFamily {
  let root: pid_t
  /// Text that all members have in their environment, to find those that left their parents; nil in a PID namespace,
  /// which no process can leave.
  let mark: String?

  /// Bytes of memory that only they use: anonymous and shared memory, of all of them together.
  ///
  /// Address space would be the wrong measure: Chromium and LibreOffice reserve much more than they use (with
  /// RLIMIT_DATA at 4 GB Chromium does not even start). A limit for each process would not limit their sum.
  var memory: Int { members.reduce(0) { $0 + Self.memory(of: $1) } }

  /// Processor time of all members, including those that have ended.
  var processorTime: Duration {
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

  private var members: [pid_t] {
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

  /// The parent's ID: the second word after the last bracket, as a program's name may contain spaces and brackets
  /// (proc(5)).
  private static func parent(of process: pid_t) -> pid_t? {
    let words = contents("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ")
    guard let words, words.count > 1, words[0] != "Z" else { return nil }
    return pid_t(words[1])
  }

  /// Clock ticks used: utime, stime, and the same of children that were waited for, from the 14th word on (proc(5)).
  private static func ticks(of process: pid_t) -> Int {
    let words = contents("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ")
    return (words?.dropFirst(11).prefix(4) ?? []).reduce(0) { $0 + (Int($1) ?? 0) }
  }

  private static func isMarked(_ process: pid_t, _ mark: String) -> Bool {
    contents("/proc/\(process)/environ").contains(mark)
  }

  private static func memory(of process: pid_t) -> Int {
    contents("/proc/\(process)/status").split(separator: "\n")
      .filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssShmem:") }
      .reduce(0) { sum, line in
        sum + (Int(line.split { !$0.isNumber }.first ?? "") ?? 0) * 1024
      }
  }

  private static func contents(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
