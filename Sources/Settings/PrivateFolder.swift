internal import Glibc

/// Folders of the person's that are nobody else's business.
package enum PrivateFolder {
  /// Makes a folder, and those above it that are not there, with mode 0700; below /etc, which is
  /// everybody's to read, 0755. False, with errno, when one can't be made, and when root who came by sudo
  /// would leave it in a person's home.
  package static func make(_ path: String) -> Bool {
    guard FileTrust.foreigner(of: path) == nil else {
      errno = EPERM
      return false
    }
    let mode: mode_t = path.hasPrefix("/etc/") ? 0o755 : 0o700
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, mode) == 0 || errno == EEXIST || errno == EROFS else { return false }
    }
    return true
  }
}
