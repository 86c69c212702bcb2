package import Glibc

/// Folders that only their owner can enter.
package enum PrivateFolder {
  /// Makes a folder, and those above it that are not there.
  ///
  /// False, with `errno`, when one can't be made.
  package static func make(_ path: String, mode: mode_t = 0o700) -> Bool {
    if access(path, F_OK) == 0 { return true }
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, mode) == 0 || errno == EEXIST || errno == EROFS else { return false }
    }
    return access(path, F_OK) == 0
  }
}
