internal import Glibc
internal import PrintModel
internal import System

/// Writes a settings file whole, under the folder's lock.
enum SettingsFile {
  /// Takes the lock, lets `change` read what is there and give the new text, and writes it.
  ///
  /// Exit 73 when that can't be done, 78 for a folder that is not the caller's.
  static func replace(
    _ name: String, in folder: String, mode: mode_t, _ change: () throws(Failure) -> String
  ) throws(Failure) {
    let path = "\(folder)/\(name)"
    try FileTrust.checkOwner(of: folder)
    guard FileTrust.makeFolder(folder), let lock = FileLock(file: "\(folder)/.lock", waits: true)
    else { throw failure(path) }
    defer { withExtendedLifetime(lock) {} }
    let bytes = Array(try change().utf8)
    guard bytes.count <= TOMLFile.longest else {
      throw Failure(
        .cannotWrite,
        "\(path) would be longer than \(TOMLFile.longest >> 20) MB. Nothing was saved.")
    }
    guard AtomicFile.replace(path, with: bytes, mode: mode) else { throw failure(path) }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.cannotWrite, "\(path) can't be written: \(SystemError()).")
  }
}
