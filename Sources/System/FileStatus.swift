package import Glibc

/// The owner, kind and size of a file, as stat(2) returns them.
package typealias FileStatus = stat

extension FileStatus {
  /// Makes the status of what a path leads to; nil, with `errno`, if there is none.
  package init?(_ path: String) {
    self.init()
    guard fstatat(AT_FDCWD, path, &self, 0) == 0 else { return nil }
  }

  /// Makes the status of what has this path, which may be a link itself; nil, with `errno`, if there is none.
  package init?(link path: String) {
    self.init()
    guard lstat(path, &self) == 0 else { return nil }
  }

  /// Makes the status of an open file; nil, with `errno`, if there is none.
  package init?(descriptor: Int32) {
    self.init()
    guard fstat(descriptor, &self) == 0 else { return nil }
  }

  /// `S_IFREG`, `S_IFDIR` and so on (inode(7)).
  package var kind: mode_t { st_mode & S_IFMT }
}
