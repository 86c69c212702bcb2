import AirprintContext
import Glibc

/// The files that the targets read, in memory if the system supports that.
///
/// Only one process may use it, for one target at a time.
final class Workplace: Sendable {
  static let shared = Workplace()

  let path: String

  var places: Directories {
    var places = Directories(environment: ["HOME": path, "XDG_CONFIG_HOME": path])
    places.configuration = path
    places.system = "\(path)/none"
    return places
  }

  private init() {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(parent)/airprint-fuzz.\(getpid())"
    mkdir(path, 0o700)
    atexit { Workplace.shared.remove() }
  }

  func folder(_ name: String) -> String {
    mkdir("\(path)/\(name)", 0o700)
    return "\(path)/\(name)"
  }

  func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    guard count == bytes.count else { fatalError("\(path)/\(name) can't be written") }
  }

  private func remove() {
    for name in [
      "config.toml", "printers.toml", "till.receipt", ".lock", "jobs/bcdfg/job.json",
      "jobs/bcdfg/job.json.corrupt",
    ] { unlink("\(path)/\(name)") }
    for name in ["/jobs/bcdfg", "/jobs", ""] { rmdir(path + name) }
  }
}
