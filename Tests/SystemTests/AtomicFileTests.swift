import FoundationEssentials
import Glibc
import System
import TestSupport
import Testing

/// Creates an empty folder.
private func newFolder() throws -> String {
  var template = Array("\(Scratch.shared.path)/tmp/system-XXXXXX".utf8CString)
  try #require(mkdtemp(&template) != nil)
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

@Suite struct AtomicFileTests {
  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func bytes(of path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map(Array.init) ?? []
  }

  @Test func `a file is replaced whole, and nothing is left beside it`() throws {
    let folder = try newFolder()
    let path = "\(folder)/config"
    #expect(AtomicFile.replace(path, with: [1, 2, 3], mode: 0o644))
    #expect(AtomicFile.replace(path, with: [4], mode: 0o644))
    #expect(bytes(of: path) == [4])
    #expect(try names(in: folder) == ["config"])
  }

  @Test func `what a killed process left is taken over`() throws {
    let folder = try newFolder()
    let path = "\(folder)/config"
    #expect(AtomicFile.write([9, 9, 9, 9, 9], to: "\(path).new"))
    #expect(AtomicFile.replace(path, with: [1]))
    #expect(bytes(of: path) == [1])
    #expect(try names(in: folder) == ["config"])
  }

  @Test func `a file that can't be replaced stays, and the draft goes`() throws {
    let folder = try newFolder()
    let path = "\(folder)/taken"
    try FileManager.default.createDirectory(
      atPath: "\(path)/inside", withIntermediateDirectories: true)
    #expect(!AtomicFile.replace(path, with: [1]))
    #expect([EISDIR, ENOTEMPTY, EEXIST].contains(errno))
    #expect(try names(in: folder) == ["taken"])
  }

  /// What a power failure leaves is the old file or the new one.
  @Test(
    arguments: [
      (true, true, ["fsync config.new", "name config", "fsync folder"]),
      (true, false, ["fsync config.new", "name config"]), (false, true, ["name config"]),
    ])
  func `a file has its name only when it is on disk`(
    _ isDurable: Bool, _ isFinal: Bool, _ steps: [String]
  ) throws {
    let folder = try newFolder()
    let path = "\(folder)/config"
    func word(_ step: DiskWatch.Step) -> String {
      switch step {
      case .synchronize(folder): "fsync folder"
      case .synchronize(let file): "fsync \(file.dropFirst(folder.count + 1))"
      case .name(let file):
        "name \(file.dropFirst(folder.count + 1))"
          + (bytes(of: "\(path).new") == [7] ? "" : " early")
      }
    }
    var done: [String] = []
    #expect(
      DiskWatch.watch {
        done.append(word($0))
        return 0
      } _: {
        AtomicFile.replace(path, with: [7], isDurable: isDurable, isFinal: isFinal)
      })
    #expect(done == steps)
    // A full disk leaves the old file.
    for failing in 0..<min(steps.count, isDurable ? 2 : 1) {
      var index = 0
      #expect(
        !DiskWatch.watch { _ in
          index += 1
          return index == failing + 1 ? ENOSPC : 0
        } _: {
          AtomicFile.replace(path, with: [8], isDurable: isDurable, isFinal: isFinal)
        })
      #expect(errno == ENOSPC && bytes(of: path) == [7])
      #expect(try names(in: folder) == ["config"])
    }
  }

  @Test func `many writers at once leave one whole file`() async throws {
    let folder = try newFolder()
    let path = "\(folder)/shared"
    await withTaskGroup(of: Bool.self) { group in
      for writer in 0..<8 {
        group.addTask {
          await onThread {
            (0..<20).allSatisfy { _ in
              AtomicFile.replace(
                path, with: [UInt8](repeating: UInt8(writer), count: 5000), isDurable: false)
            }
          }
        }
      }
      for await isWritten in group { #expect(isWritten) }
    }
    let content = bytes(of: path)
    #expect(content.count == 5000 && Set(content).count == 1)
    #expect(try names(in: folder) == ["shared"])
  }
}

@Suite struct FileLockTests {
  @Test func `a lock is one holder's, and ends with it`() throws {
    let folder = try newFolder()
    let path = "\(folder)/lock"
    var lock = FileLock(file: path)
    #expect(lock != nil)
    #expect(FileLock.isTaken(path))
    #expect(FileLock(file: path) == nil)
    #expect(errno == EWOULDBLOCK)
    lock = nil
    #expect(!FileLock.isTaken(path))
    #expect(FileLock(file: path, isNew: true) == nil)
    #expect(errno == EEXIST)
  }

  @Test func `a folder that another one took the place of is told`() throws {
    let folder = try newFolder()
    let path = "\(folder)/folder"
    #expect(PrivateFolder.make("\(path)/below"))
    let lock = try #require(FileLock(folder: path))
    #expect(lock.isStill(path))
    #expect(rename(path, "\(path).old") == 0)
    #expect(PrivateFolder.make(path))
    #expect(!lock.isStill(path))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
  }
}
