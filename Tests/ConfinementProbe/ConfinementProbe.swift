// The program that ConfinementTests starts: it enters the sandbox and then tries what a hostile document would do.
// Each line of output is the attempt, a tab, and 0 or errno.

import CProbe
import Confinement
import Glibc

@main
enum ConfinementProbe {
  /// Runs `ConfinementProbe WHAT [PATH] [READABLE]`; `ConfinementProbe without CALL WHAT …` where a system call fails;
  /// `ConfinementProbe without CALL run PROGRAM …` another program there.
  static func main() {
    var arguments = CommandLine.arguments
    if arguments.count > 3, arguments[1] == "without" {
      let problem = probe_prevent(arguments[2])
      guard problem == 0 else {
        fatalError("\(arguments[2]): \(String(cString: strerror(problem)))")
      }
      arguments.removeSubrange(1...2)
    }
    if arguments.count > 2, arguments[1] == "run" {
      var words = arguments.dropFirst(2).map { strdup($0) } + [nil]
      execv(arguments[2], &words)
      fatalError("\(arguments[2]): \(String(cString: strerror(errno)))")
    }
    let path = arguments.count > 2 ? arguments[2] : ""
    var confinement = WorkerSandbox(memory: 256 << 20)
    confinement.reads = Array(arguments.dropFirst(3))
    let gaps = confinement.enter()
    for gap in gaps { say("gap \(gap.rawValue)", 0) }
    switch arguments.count > 1 ? arguments[1] : "" {
    case "all": probe_all(path) { name, problem in ConfinementProbe.say(name, problem) }
    case "read": say("read", probe_read(path))
    case "hoard": probe_hoard()
    case "hoard at once": probe_hoard_at_once()
    case "fork bomb": say("fork", probe_fork_bomb())
    case "gaps": exit(WorkerSandbox.exitStatus(for: gaps))
    case "thread": say("thread", probe_thread())
    case "crash": abort()
    case "descend": say("depth", probe_descend(0))
    default: say("what?", EINVAL)
    }
  }

  private static func say(_ name: UnsafePointer<CChar>?, _ problem: Int32) {
    say(name.map { String(cString: $0) } ?? "?", problem)
  }

  private static func say(_ name: String, _ problem: Int32) { print("\(name)\t\(problem)") }
}
