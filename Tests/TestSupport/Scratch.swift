import FoundationEssentials
import Glibc

/// A folder for one test, and the lifetime of everything started in it.
///
/// A shell waits on a pipe whose other end only this process holds. When the process closes it or ends in any way,
/// the shell kills every program that has the folder's path in its environment, in any session, and removes the
/// folder.
package final class Scratch: Sendable {
  /// The folder that the whole test process shares.
  package static let shared: Scratch = {
    do { return try Scratch() } catch { fatalError("no scratch folder: \(error)") }
  }()

  package let path: String
  private let guardian: Program

  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let template = strdup("\(parent)/airprint-test.XXXXXX")
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { throw Missing("a folder in \(parent)") }
    path = String(cString: template)
    guardian = try Program(
      ["/bin/sh", "-c", Self.watch, "sh", path], environment: ["PATH": "/usr/bin:/bin"],
      input: .sent)
    for folder in ["home", "config", "cache", "state", "data", "runtime", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(folder)", withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    }
  }

  /// Kills everything that was started here and removes the folder.
  ///
  /// This also happens when the process ends.
  package func close() async {
    guardian.closeInput()
    // Killed too early, on a busy machine or by a test that is canceled, it would leave programs running.
    _ = await Task.detached { [guardian] in await guardian.end(within: .seconds(120)) }.value
  }

  /// The environment for programs: what they need of the machine, and nothing of the user who runs the tests.
  ///
  /// There is no D-Bus at its address.
  package var environment: [String: String] {
    [
      "PATH": searchPath.joined(separator: ":"),
      "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "FONTCONFIG_FILE": FontSet.all.file,
      "HOME": "\(path)/home", "TMPDIR": "\(path)/tmp",
      "XDG_CONFIG_HOME": "\(path)/config", "XDG_CACHE_HOME": "\(path)/cache",
      "XDG_STATE_HOME": "\(path)/state", "XDG_DATA_HOME": "\(path)/data",
      "XDG_RUNTIME_DIR": "\(path)/runtime",
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)/no-bus",
    ].merging(Self.sanitizers) { $1 }
  }

  /// The settings of `make test-asan` and `make test-tsan`, which also apply to programs that the tests start.
  private static let sanitizers = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }

  /// Writes a file and returns its path.
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = "\(path)/\(name)"
    try writeFile(bytes, to: path)
    return path
  }

  private static let watch = """
    read -r _
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
      victims=$(grep -lsF -- "$1/" /proc/[0-9]*/environ)
      [ -n "$victims" ] || break
      for victim in $victims; do
        victim=${victim#/proc/}
        kill -KILL "${victim%/environ}" 2>/dev/null
      done
      sleep 0.02
    done
    rm -rf -- "$1"
    """
}
