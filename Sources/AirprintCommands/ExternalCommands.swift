internal import AirprintContext
internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

/// Programs that add commands: `airprint-NAME` on the user's PATH is `airprint NAME`.
enum ExternalCommands {
  private static let prefix = "airprint-"
  private static let path = Context.current.environment["PATH"] ?? ""

  /// Every name with its program, sorted; of several with the same name, the first on PATH.
  static var all: [(name: String, path: String)] {
    var programs: [String: String] = [:]
    for folder in path.split(separator: ":").map(String.init) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names where name.hasPrefix(prefix) {
        let path = "\(folder)/\(name)"
        let command = String(name.dropFirst(prefix.count))
        if programs[command] == nil, ProgramPath.isProgram(path) { programs[command] = path }
      }
    }
    return programs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Replaces this process by the program for a command, with the path of airprint in `AIRPRINT`; returns if there is
  /// none.
  ///
  /// Exit 70 if it can't be started.
  static func run(_ name: String, _ arguments: [String]) throws(Failure) {
    guard !name.contains("/"), let path = ProgramPath.find(prefix + name, in: path) else { return }
    var environment = Context.current.environment
    environment["AIRPRINT"] = Context.program
    // Set it as if the shell had started the program.
    signal(SIGPIPE, SIG_DFL)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    execve(path, &words, &variables)
    throw .fault("\(path) can't be started: \(SystemError()).")
  }
}
