import AirprintCommands
import Docs
import FoundationEssentials
import PrintModel
import Testing
import System

/// The repository.
let root = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/\($1)" }

/// All files as they have to be now, created once.
///
/// This takes a second, on its own thread, because tests share two.
let generatedFiles = Task { try await onThread { try GeneratedFile.all(in: root) } }

@Suite struct GeneratedFilesTests {
  /// Checks that `--help` of every command that does something has an example.
  @Test func `every command has an example`() throws {
    let airprint = try CommandInfo.all()
    var rest = [(airprint.commandName, airprint)]
    var seen = 0
    while let (path, command) = rest.popLast() {
      seen += 1
      #expect(command.discussion?.contains("  \(path)") == true, "\(path)")
      rest += command.commands.map { ("\(path) \($0.commandName)", $0) }
    }
    #expect(seen > 25)
  }

  @Test func `manual pages are up to date`() async throws {
    let files = try await generatedFiles.value
    #expect(files.count > 30)
    for file in files {
      let committed = FileManager.default.contents(atPath: "\(root)/\(file.path)")
      #expect(
        committed == Data(file.text.utf8), "\(file.path) is out of date: run make generate")
    }
  }

  @Test func `menus offer every picture that is drawn, except what few people have`() throws {
    let file = try #require(FileManager.default.contents(atPath: "\(root)/packaging/menus/types"))
    let types = Set(String(decoding: file, as: UTF8.self).split(separator: "\n").map(String.init))
    #expect(
      DocumentFormat.pictures.map(\.key).filter { !types.contains($0) } == [
        "image/vnd.microsoft.icon", DocumentFormat.jpeg2000, DocumentFormat.appleIcon,
        "image/x-portable-anymap", "image/x-tga",
      ])
  }

  @Test func `every page belongs to a command`() async throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: "\(root)/man")
      .filter { $0.hasSuffix(".1") }.map { "man/\($0)" }
    let made = try await generatedFiles.value.map(\.path)
    #expect(
      Set(pages).subtracting(made).isEmpty, "no command has these pages any more: delete them")
  }
}
