internal import Glibc

/// Folders of programs.
///
/// For converters the user's own PATH is not asked: what it holds can't be seen in the sandbox,
/// and cron has another.
package enum ProgramPath {
  package static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
  package static var variable: String { folders.joined(separator: ":") }

  /// The path of a program by its name, or as it is when it has a slash; nil when it is not there or not
  /// a program.
  package static func find(_ name: String) -> String? {
    let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    return candidates.first(where: isProgram)
  }

  /// The same with the folders of a PATH.
  package static func find(_ name: String, in variable: String) -> String? {
    guard !name.contains("/") else { return isProgram(name) ? name : nil }
    return variable.split(separator: ":").map { "\($0)/\(name)" }.first(where: isProgram)
  }

  package static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }

  /// True when a program that reads nothing and takes no time ends with 0; its output goes
  /// nowhere.
  package static func succeeds(_ arguments: [String]) -> Bool {
    var start = ProgramStart(arguments, environment: [:])
    start.descriptors = [0: .null, 1: .null, 2: .null]
    guard let process = try? start.start() else { return false }
    return ExitStatus.wait(for: process) == .exit(0)
  }
}
