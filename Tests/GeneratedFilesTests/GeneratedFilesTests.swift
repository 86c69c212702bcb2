import Docs
import FoundationEssentials
import Testing
import Threading

/// The repository.
let root = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/\($1)" }

/// All files as they must be now, made once, which takes a second: on a thread of its own, for tests
/// share two.
let generatedFiles = Task { try await onThread { try GeneratedFile.all(in: root) } }

@Suite struct GeneratedFilesTests {
  @Test func `manual pages and completions are up to date`() async throws {
    for file in try await generatedFiles.value {
      let committed = FileManager.default.contents(atPath: "\(root)/\(file.path)")
      #expect(
        committed == Data(file.text.utf8), "\(file.path) is out of date: run make generate")
    }
  }

  @Test func `every page belongs to a command`() async throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: "\(root)/man")
      .filter { $0.hasSuffix(".1") }.map { "man/\($0)" }
    let made = try await generatedFiles.value.map(\.path)
    #expect(
      Set(pages).subtracting(made).isEmpty, "no command has these pages any more: delete them")
  }
}
