import FoundationEssentials
import TestSupport

extension Person {
  /// Returns a user whose xdg-open records what it is asked to open and exits with this code, and the environment for
  /// it.
  static func withDesktop(_ code: Int = 0) async throws -> (Person, [String: String]) {
    let person = try await Person.anybody()
    let folder = person.path("bin")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let script =
      "#!/bin/sh\necho \"$1\" > '\(person.path("shown"))'\n"
      + "grep SigIgn /proc/self/status > '\(person.path("signals"))'\nexit \(code)\n"
    try writeFile(Array(script.utf8), to: "\(folder)/xdg-open", mode: 0o755)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (
      person, ["PATH": "\(folder):\(path)", "DISPLAY": ":99", "TMPDIR": person.folder]
    )
  }

  /// Returns the last file that xdg-open was asked to open.
  func shown() throws -> String {
    String(decoding: try bytes(of: path("shown")), as: UTF8.self).split(separator: "\n").joined()
  }
}
