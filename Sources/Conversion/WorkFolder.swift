internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

/// A folder that only this user can enter, for one run of a program.
///
/// It is removed when this object is released. If airprint is killed, its next run removes the folder.
final class WorkFolder {
  let path: String
  /// Locked as long as this process lives, which marks the folder as in use.
  private let lock: FileLock?

  /// Creates the folder; throws exit 73 when that fails.
  init(in parent: String) throws(Failure) {
    WorkFolder.removeAbandoned(in: parent)
    guard let path = PrivateFolder.makeTemporary("\(parent)/\(WorkFolder.prefix)") else {
      throw .cannotWrite(parent, SystemError())
    }
    self.path = path
    lock = FileLock(folder: path)
  }

  deinit {
    WorkFolder.remove(path)
  }

  private static let prefix = "airprint-run-"

  /// Makes a folder in it, and returns its path.
  func folder(_ name: String) throws(Failure) -> String {
    let folder = "\(path)/\(name)"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw .cannotWrite(folder, SystemError())
    }
    return folder
  }

  /// Opens a new file in it, for reading and writing.
  func file(_ name: String) throws(Failure) -> Int32 {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(file, SystemError()) }
    return descriptor
  }

  func write(_ text: String, to name: String) throws(Failure) {
    let descriptor = try file(name)
    defer { close(descriptor) }
    guard writeAll(Array(text.utf8)[...], to: descriptor) else {
      throw .cannotWrite(name, SystemError())
    }
  }

  /// Copies the regular file behind `descriptor`.
  func copy(_ descriptor: Int32, to name: String) throws(Failure) {
    let target = try file(name)
    defer { close(target) }
    let isRead = try readPieces(of: descriptor, isWhole: true) { (piece) throws(Failure) in
      guard writeAll(piece, to: target) else { throw .cannotWrite(name, SystemError()) }
      return true
    }
    guard isRead else { throw .unreadable("The file can't be read: \(SystemError()).") }
  }

  /// Exit 73 if there is no space left, which a program that failed may have reported in its own words or not at all.
  func refuseFull() throws(Failure) {
    var space = statvfs()
    guard statvfs(path, &space) == 0, space.f_bavail * space.f_frsize < 1 << 16 else { return }
    throw .cannotWrite(path, SystemError(ENOSPC))
  }

  /// Removes this user's folders that no process has locked.
  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = "\(parent)/\(name)"
      guard let lock = FileLock(folder: folder),
        let status = FileStatus(descriptor: lock.descriptor), status.st_uid == geteuid(),
        // A new folder is not locked yet: only old ones are removed.
        time(nil) - status.st_mtim.tv_sec > 60
      else { continue }
      withExtendedLifetime(lock) { remove(folder) }
    }
  }

  /// Removes everything a program left, including folders without permissions.
  private static func remove(_ path: String) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      makeRemovable(path)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func makeRemovable(_ path: String) {
    guard FileStatus(link: path)?.kind == S_IFDIR else { return }
    chmod(path, 0o700)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      makeRemovable("\(path)/\(name)")
    }
  }
}
