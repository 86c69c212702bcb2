package import Glibc

/// Folders for one account, or for everybody to read.
package enum PrivateFolder {
  /// Creates a folder whose name begins with `path`, as mkdtemp(3) does, and returns its path.
  ///
  /// nil, with `errno`, if it can't be created.
  package static func makeTemporary(_ path: String) -> String? {
    var template = Array("\(path)XXXXXX".utf8CString)
    return mkdtemp(&template) == nil ? nil : template.text
  }

  /// Creates a folder and its missing parents, with this mode whatever the umask.
  ///
  /// False, with `errno`, if one can't be created.
  package static func make(_ path: String, mode: mode_t = 0o700) -> Bool {
    if access(path, F_OK) == 0 { return true }
    var made = ""
    var isReadOnly = false
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, mode) == 0 {
        chmod(made, mode)
        continue
      }
      guard errno != EEXIST else { continue }
      // A folder on the way may be on a read-only file system, and exist.
      guard errno == EROFS else { return false }
      isReadOnly = true
    }
    guard access(path, F_OK) != 0 else { return true }
    if isReadOnly { errno = EROFS }
    return false
  }
}
