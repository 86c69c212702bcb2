internal import FoundationEssentials
internal import Glibc
internal import PrintModel

/// A folder that only this person can enter, for one run of a program. It is removed when this object
/// goes; what a killed airprint left behind is removed by the next one.
final class WorkFolder {
  let path: String
  /// Locked for as long as this process lives: how others tell that the folder is in use.
  private let lock: Int32

  /// Exit 73 when it can't be made.
  init(in parent: String) throws(Failure) {
    WorkFolder.removeAbandoned(in: parent)
    var template = Array("\(parent)/\(WorkFolder.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .cannotWrite, "\(parent) can't be written: \(String(cString: strerror(errno))).")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    flock(lock, LOCK_EX | LOCK_NB)
  }

  deinit {
    WorkFolder.remove(path)
    close(lock)
  }

  private static let prefix = "airprint-run-"

  /// Makes a folder in it, and gives its path.
  func folder(_ name: String) throws(Failure) -> String {
    let folder = "\(path)/\(name)"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw WorkFolder.failure(folder) }
    return folder
  }

  /// Opens a new file in it, for reading and writing.
  func file(_ name: String) throws(Failure) -> Int32 {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw WorkFolder.failure(file) }
    return descriptor
  }

  func write(_ text: String, to name: String) throws(Failure) {
    let descriptor = try file(name)
    defer { close(descriptor) }
    try WorkFolder.write(Array(text.utf8), to: descriptor, name)
  }

  /// A copy of the regular file behind `descriptor`.
  func copy(_ descriptor: Int32, to name: String) throws(Failure) {
    let target = try file(name)
    defer { close(target) }
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      let count = piece.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, offset)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(.unreadable, "The file can't be read: \(String(cString: strerror(errno))).")
      }
      if count == 0 { return }
      try WorkFolder.write(piece[..<count], to: target, name)
      offset += off_t(count)
    }
  }

  private static func write(
    _ bytes: some RandomAccessCollection<UInt8>, to descriptor: Int32, _ name: String
  ) throws(Failure) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(name) }
      done += count
    }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.cannotWrite, "\(path) can't be written: \(String(cString: strerror(errno))).")
  }

  /// Removes the folders of this person that nobody has locked.
  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = open(
        "\(parent)/\(name)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      var status = stat()
      guard fstat(folder, &status) == 0, status.st_uid == geteuid(),
        // Between its making and its locking a folder is nobody's: only old ones are looked at.
        time(nil) - status.st_mtim.tv_sec > 60, flock(folder, LOCK_EX | LOCK_NB) == 0
      else { continue }
      remove("\(parent)/\(name)")
    }
  }

  /// Whatever a program left: folders without permissions too.
  private static func remove(_ path: String) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      makeRemovable(path)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func makeRemovable(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
    chmod(path, 0o700)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      makeRemovable("\(path)/\(name)")
    }
  }
}
