import FoundationEssentials
import Glibc
import PrintModel
import TestSupport
import Testing

@testable import Printing

/// Output files: their location, and that the old file stays until the new one is complete.
@Suite struct OutputFileTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Returns the real path of the output, and its mode.
  private func target(_ path: String) throws -> (path: String, mode: mode_t?) {
    let target = try OutputPlace(path)
    defer { close(target.folder) }
    let real = realpath("/proc/self/fd/\(target.folder)", nil)
    defer { free(real) }
    return ("\(real.map { String(cString: $0) } ?? "?")/\(target.name)", target.mode)
  }

  private func real(_ path: String) -> String {
    let real = realpath(path, nil)
    defer { free(real) }
    return real.map { String(cString: $0) } ?? "?"
  }

  @Test func `a file that is there, one that is not, and one by way of a link`() throws {
    let old = try place.write("old", to: "old.txt")
    chmod(old, 0o640)
    #expect(try target(old) == (real(place.folder) + "/old.txt", 0o640))
    #expect(try target("\(place.folder)/new.txt") == (real(place.folder) + "/new.txt", nil))
    symlink("old.txt", "\(place.folder)/link")
    symlink("link", "\(place.folder)/again")
    #expect(try target("\(place.folder)/again") == (real(place.folder) + "/old.txt", 0o640))
    _ = try place.write("x", to: "folder/inner.txt")
    symlink("\(place.folder)/folder", "\(place.folder)/way")
    #expect(
      try target("\(place.folder)/way/inner.txt").path == real(place.folder) + "/folder/inner.txt")
    #expect(try target("\(place.folder)/way/../new.txt").path == real(place.folder) + "/new.txt")
    // A link to a missing file creates that file.
    symlink("not-yet.txt", "\(place.folder)/dangling")
    #expect(try target("\(place.folder)/dangling").path == real(place.folder) + "/not-yet.txt")
  }

  @Test func `folders, circles of links and ways through files are exit 73`() throws {
    _ = try place.write("x", to: "file")
    symlink("b", "\(place.folder)/a")
    symlink("a", "\(place.folder)/b")
    for path in ["", "/file/new.txt", "/a", "/none/new.txt", "/file/"] {
      let failure = failureOf { _ = try target(place.folder + path) }
      #expect(failure?.code == .cannotWrite, "\(path)")
    }
  }

  @Test func `the old file stays until the new one is whole, and keeps its mode`() throws {
    let path = try place.write("old", to: "out.txt")
    chmod(path, 0o604)
    let file = try OutputFile(path)
    try file.write(Array("new".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o604)
  }

  private static let canGiveAway: Bool = {
    let path = "\(Scratch.shared.path)/given-file"
    return mkdir(path, 0o700) == 0 && chown(path, 65_534, 65_534) == 0
  }()

  /// The old file is readable by everyone; the new one must not be.
  @Test(.enabled(if: canGiveAway)) func `another user's file lends nothing its mode`() throws {
    let path = try place.write("theirs", to: "theirs.txt")
    chmod(path, 0o666)
    let new = "\(place.folder)/new.txt"
    for file in [path, new] {
      if file == path { try #require(chown(path, 65_534, 65_534) == 0) }
      let output = try OutputFile(file)
      try output.write(Array("mine".utf8))
      try output.finish()
    }
    var (status, usual) = (stat(), stat())
    #expect(stat(path, &status) == 0 && stat(new, &usual) == 0)
    #expect(status.st_mode == usual.st_mode && status.st_mode & 0o777 != 0o666)
    #expect(status.st_uid == geteuid())
  }

  @Test func `what was not finished leaves nothing behind`() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: place.folder)
    do {
      let file = try OutputFile("\(place.folder)/half.txt")
      try file.write(Array("half".utf8))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.folder).count == before.count + 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder) == before)
  }
}
