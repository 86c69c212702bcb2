internal import AirprintContext
internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

/// Programs that add commands: `airprint-NAME` on the user's PATH is `airprint NAME`.
struct ExternalCommands {
  private let context: Context
  private static let prefix = "airprint-"

  init(_ context: Context) { self.context = context }

  private var folders: [String] {
    (context.environment["PATH"] ?? "").split(separator: ":").map(String.init)
  }

  /// Every name with its program, sorted; of several with the same name, the first on PATH.
  var all: [(name: String, path: String)] {
    var programs: [String: String] = [:]
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names where name.hasPrefix(Self.prefix) {
        let path = "\(folder)/\(name)"
        let command = String(name.dropFirst(Self.prefix.count))
        if programs[command] == nil, ProgramPath.isProgram(path) { programs[command] = path }
      }
    }
    return programs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Replaces this process by the program for a command, with the path of airprint in `AIRPRINT`; returns if there is
  /// none.
  ///
  /// Exit 70 if it can't be started.
  func run(_ name: String, _ arguments: [String]) throws(Failure) {
    guard !name.contains("/"),
      let path = ProgramPath.find(Self.prefix + name, in: folders.joined(separator: ":"))
    else { return }
    var environment = context.environment
    environment["AIRPRINT"] = Context.program
    // Set it as if the shell had started the program.
    signal(SIGPIPE, SIG_DFL)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    execve(path, &words, &variables)
    throw Failure(.fault, "\(path) can't be started: \(SystemError()).")
  }
}
