internal import Glibc

/// Changes in folders, reported by inotify(7) without polling.
package final class FolderWatch {
  /// Readable when there are news.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError() }
  }

  deinit { close(descriptor) }

  /// Watches a folder whose time is set to say that there are news, once more when it was deleted and made
  /// again.
  package func watch(touchesOf folder: String) {
    inotify_add_watch(
      descriptor, folder, UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
  }

  /// Watches a folder for files that are replaced, as settings are.
  ///
  /// One that is not there is left out.
  package func watch(filesOf folder: String) {
    inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE))
  }

  /// Takes the news away; false when there were none.
  package func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isNew = false
    while read(descriptor, &bytes, bytes.count) > 0 { isNew = true }
    return isNew
  }
}
