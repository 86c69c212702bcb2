internal import Glibc

/// Changes in folders, reported by inotify(7) without polling.
package final class FolderWatch {
  /// Readable if there are changes.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError() }
  }

  deinit { close(descriptor) }

  /// Watches a folder that is touched to report changes; call it again if the folder was deleted and recreated.
  package func watch(touchesOf folder: String) {
    inotify_add_watch(
      descriptor, folder, UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
  }

  /// Watches a folder for files that are replaced, such as settings.
  ///
  /// A missing folder is ignored.
  package func watch(filesOf folder: String) {
    inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE))
  }

  /// Discards the pending changes; false if there were none.
  package func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isNew = false
    while read(descriptor, &bytes, bytes.count) > 0 { isNew = true }
    return isNew
  }
}
