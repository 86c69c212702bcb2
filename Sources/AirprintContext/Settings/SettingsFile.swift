internal import Glibc
package import PrintModel
internal import System

/// Replaces settings files as a whole, under the folder's lock.
enum SettingsFile {
  /// Takes the lock, lets `change` read the current file and return the new text, and writes that.
  ///
  /// Throws exit 73 when the file can't be written, or the folder belongs to another account; and
  /// whatever `change` throws.
  static func replace(
    _ path: String, mode: mode_t, _ change: () throws(Failure) -> String
  ) throws(Failure) {
    let folder = FileTrust.folder(of: path)
    if let refusal = FileTrust.refusal(of: folder) { throw refusal }
    guard FileTrust.makeFolder(folder), let lock = FileLock(file: "\(folder)/.lock", waits: true)
    else { throw .cannotWrite(path, SystemError()) }
    defer { withExtendedLifetime(lock) {} }
    let bytes = Array(try change().utf8)
    guard bytes.count <= TOMLFile.longest else {
      throw Failure(
        .cannotWrite,
        "\(path) would be longer than \(TOMLFile.longest >> 20) MB. Nothing was saved.")
    }
    guard AtomicFile.replace(path, with: bytes, mode: mode) else {
      throw .cannotWrite(path, SystemError())
    }
  }
}

extension Directories {
  /// Replaces a file of the administrator's as `SettingsFile.replace` does, and lets everybody read it.
  func replaceSystem(
    _ path: String, _ change: () throws(Failure) -> String
  ) throws(Failure) {
    try SettingsFile.replace(path, mode: 0o644, change)
    chmod(system, 0o755)
  }

  /// Throws exit 73 if this user may not write the administrator's file of this name; before a user takes the trouble
  /// of an edit or a choice.
  package func refuseUnwritableSystem(_ name: String) throws(Failure) {
    guard access(FileTrust.existing(system), W_OK) == 0 else {
      throw .cannotWrite("\(system)/\(name)", SystemError())
    }
  }
}
