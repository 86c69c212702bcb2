internal import Glibc

/// Folders of programs.
///
/// The user's PATH is not used for converters: its programs are not visible in the sandbox, and cron has a different
/// one.
package enum ProgramPath {
  package static let variable = "/usr/local/bin:/usr/bin:/bin"

  /// Returns the path of a program by its name, or the name itself if it contains a slash; nil if it does not exist or
  /// is not a program.
  ///
  /// - `variable`: the folders, as in PATH.
  package static func find(_ name: String, in variable: String = ProgramPath.variable) -> String? {
    guard !name.contains("/") else { return isProgram(name) ? name : nil }
    return variable.split(separator: ":").map { "\($0)/\(name)" }.first(where: isProgram)
  }

  package static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }

  /// Returns true if a program exits with 0; it must read nothing and end quickly, and its output is discarded.
  package static func succeeds(_ arguments: [String]) -> Bool {
    var start = ProgramStart(arguments, environment: [:])
    start.descriptors = [0: .null, 1: .null, 2: .null]
    guard let process = try? start.start() else { return false }
    return ExitStatus.wait(for: process) == .exit(0)
  }
}
