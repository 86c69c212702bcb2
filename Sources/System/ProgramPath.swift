internal import Glibc

/// Folders of programs.
///
/// The user's PATH is not used for converters: its programs are not visible in the sandbox, and cron has a different
/// one.
package enum ProgramPath {
  package static let variable = "/usr/local/bin:/usr/bin:/bin"

  /// Returns the path of a program by its name in the folders of a PATH, or the name itself if it contains a slash; nil
  /// if it does not exist or is not a program.
  package static func find(_ name: String, in variable: String = variable) -> String? {
    candidates(name, variable).first(where: isProgram)
  }

  /// Returns the file that would be the program if it were executable; nil if there is none.
  package static func unexecutable(_ name: String, in variable: String = variable) -> String? {
    candidates(name, variable).first(where: isFile)
  }

  private static func candidates(_ name: String, _ variable: String) -> [String] {
    name.contains("/") ? [name] : variable.split(separator: ":").map { "\($0)/\(name)" }
  }

  package static func isProgram(_ path: String) -> Bool { isFile(path) && access(path, X_OK) == 0 }

  private static func isFile(_ path: String) -> Bool {
    FileStatus(path)?.kind == S_IFREG
  }

  /// Returns true if a program exits with 0; it must read nothing and end quickly, and its output is discarded.
  package static func succeeds(_ arguments: [String]) -> Bool {
    var start = ProgramStart(arguments, environment: [:])
    start.descriptors = [0: .null, 1: .null, 2: .null]
    guard let process = try? start.start() else { return false }
    return ExitStatus.wait(for: process) == .exit(0)
  }
}
