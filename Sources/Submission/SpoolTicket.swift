internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import System

/// A place in the line of this user's jobs for one printer: first come, first served.
///
/// A ticket is a file with the next number, `turns/PRINTER/000017`, on which its process holds a flock(2). The lowest
/// number that is locked is served. A process that is killed releases its lock, and the line moves on.
final class SpoolTicket {
  private let folder: String
  private let number: Int
  private let ticket: FileLock
  /// Number of the ticket just ahead: only that one is checked, not the whole line.
  private var ahead: Int?

  /// Takes the next number of the line in `folder`.
  ///
  /// Exit 73 if it can't be written.
  init(in folder: String) throws(Failure) {
    self.folder = folder
    let lock = try SpoolTicket.lock(folder)
    defer { withExtendedLifetime(lock) {} }
    number = (SpoolTicket.numbers(folder).max() ?? 0) + 1
    guard let ticket = FileLock(file: SpoolTicket.path(folder, number), isNew: true) else {
      throw .cannotWrite(folder, SystemError())
    }
    self.ticket = ticket
  }

  deinit { unlink(SpoolTicket.path(folder, number)) }

  /// Returns the number of locked tickets before this one; 0: it is this one's turn.
  ///
  /// Tickets of processes that have ended are deleted.
  func others() throws(Failure) -> Int {
    if let ahead, FileLock.isTaken(SpoolTicket.path(folder, ahead)) { return 1 }
    // New tickets are locked before other processes can see them.
    let lock = try SpoolTicket.lock(folder)
    defer { withExtendedLifetime(lock) {} }
    var held: [Int] = []
    for other in SpoolTicket.numbers(folder) where other < number {
      let path = SpoolTicket.path(folder, other)
      if FileLock.isTaken(path) { held.append(other) } else { unlink(path) }
    }
    ahead = held.max()
    return held.count
  }

  /// Takes the lock that protects the assignment of numbers.
  private static func lock(_ folder: String) throws(Failure) -> FileLock {
    guard PrivateFolder.make(folder),
      let lock = FileLock(file: "\(folder)/lock", waits: true)
    else { throw .cannotWrite(folder, SystemError()) }
    return lock
  }

  private static func numbers(_ folder: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { Int($0) }
  }

  private static func path(_ folder: String, _ number: Int) -> String {
    let digits = "\(number)"
    return "\(folder)/\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)"
  }
}
