import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The target of `-o`: the user's own links are followed, links of others in a shared folder are not.
@Suite struct OutputPlaceTests {
  private static let canGiveAway: Bool = {
    let path = "\(Scratch.shared.path)/given-link"
    return symlink("/", path) == 0 && lchown(path, 65_534, 65_534) == 0
  }()

  private func render(_ person: Person, to path: String) async throws -> Outcome {
    let text = try person.document(Array("text".utf8), "a.txt")
    return try await person.airprint("render", text, "-o", path, "-q")
  }

  @Test func `links of one's own are followed, folders and files`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("real")
    mkdir(folder, 0o755)
    symlink("real", person.path("by-folder"))
    symlink("../real/file.pwg", person.path("real/by-file"))
    symlink(folder + "/new.pwg", person.path("by-new"))
    try Array("old".utf8).write(to: "\(folder)/file.pwg")
    chmod("\(folder)/file.pwg", 0o640)
    for (path, file) in [
      ("by-folder/a.pwg", "a.pwg"), ("real/by-file", "file.pwg"), ("by-new", "new.pwg"),
      ("real/../by-folder/./b.pwg", "b.pwg"),
    ] {
      let outcome = try await render(person, to: person.path(path))
      #expect(outcome.code == 0, "\(outcome.report)")
      #expect(try bytes(of: "\(folder)/\(file)").starts(with: Array("RaS2".utf8)), "\(path)")
    }
    var status = stat()
    #expect(lstat(person.path("real/by-file"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat("\(folder)/file.pwg", &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
        !$0.hasSuffix(".part")
      })
  }

  /// In `print`, -o takes a job option: copied from there, it would name the output file.
  @Test(arguments: ["media=A5", "fit-to-page", "finishings=staple"])
  func `64: a job option after -o`(_ word: String) async throws {
    let person = try await Person.anybody()
    let text = try person.document(Array("text".utf8), "a.txt")
    for command in ["preview", "render"] {
      let outcome = try await person.airprint(command, text, "-o", word)
      #expect(outcome.code == 64, "\(outcome.report)")
      #expect(outcome.stderr.contains("use --option \(word)"), "\(outcome.report)")
      let path = try await person.airprint(command, text, "-o", person.path(word))
      #expect(path.code == 0, "\(path.report)")
    }
  }

  @Test func `73: what can't be a file`() async throws {
    let person = try await Person.anybody()
    symlink("loop", person.path("loop"))
    mkdir(person.path("folder"), 0o755)
    for path in ["loop", "folder/", "no/such/folder", "a.txt/b", "loop/c"] {
      let outcome = try await render(person, to: person.path(path))
      #expect(outcome.code == 73, "\(path): \(outcome.report)")
    }
  }

  @Test(.enabled(if: canGiveAway))
  func `73: a stranger's link in a folder for all, anywhere on the way`() async throws {
    let person = try await Person.anybody()
    let shared = person.path("shared")
    mkdir(shared, 0o1777)
    chmod(shared, 0o1777)
    try Array("mine".utf8).write(to: person.path("mine"))
    for (link, path) in [
      (person.path("mine"), "shared/link"), (person.folder, "shared/folder/mine"),
    ] {
      let name = path.split(separator: "/")[1]
      symlink(link, "\(shared)/\(name)")
      lchown("\(shared)/\(name)", 65_534, 65_534)
      let outcome = try await render(person, to: person.path(path))
      #expect(outcome.code == 73, "\(outcome.report)")
      #expect(
        outcome.stderr.contains("is a link that belongs to another user"), "\(outcome.report)")
    }
    #expect(try bytes(of: person.path("mine")) == Array("mine".utf8))
    // The same applies to a device, where nothing would be replaced.
    symlink("/dev/null", "\(shared)/device")
    lchown("\(shared)/device", 65_534, 65_534)
    let outcome = try await render(person, to: person.path("shared/device"))
    #expect(outcome.code == 73, "\(outcome.report)")
    #expect(outcome.stderr.contains("is a link that belongs to another user"), "\(outcome.report)")
  }

  @Test(.enabled(if: canGiveAway))
  func `73: a stranger's pipe in a folder for all, even if it is read`() async throws {
    let person = try await Person.anybody()
    let text = try person.document(Array("secret".utf8), "a.txt")
    let shared = person.path("shared")
    mkdir(shared, 0o1777)
    chmod(shared, 0o1777)
    let pipe = "\(shared)/pipe.pwg"
    for (owner, code) in [(65_534, 73), (geteuid(), 0)] as [(uid_t, Int32)] {
      try #require(mkfifo(pipe, 0o666) == 0 && chmod(pipe, 0o666) == 0)
      try #require(chown(pipe, owner, owner) == 0)
      let outcome = try await person.shell(
        "cat '\(pipe)' > '\(pipe).read' & $airprint render '\(text)' -o '\(pipe)' -q; "
          + "code=$?; wait; exit $code")
      #expect(outcome.code == code, "\(outcome.report)")
      #expect(outcome.stderr.contains("belongs to another user") == (code != 0))
      #expect(try bytes(of: "\(pipe).read").isEmpty == (code != 0))
      unlink(pipe)
    }
  }

  @Test func `73: a pipe that nobody reads`() async throws {
    let person = try await Person.anybody()
    try #require(mkfifo(person.path("pipe"), 0o600) == 0)
    let outcome = try await render(person, to: person.path("pipe"))
    #expect(outcome.code == 73, "\(outcome.report)")
    #expect(outcome.stderr.contains("no program reads this pipe"), "\(outcome.report)")
  }

  @Test func `pipes and devices are written to, by links of one's own and of the kernel`()
    async throws
  {
    let person = try await Person.anybody()
    symlink("/dev/null", person.path("null"))
    for path in ["/dev/null", person.path("null"), "/dev/fd/1", "/proc/self/fd/1"] {
      let outcome = try await render(person, to: path)
      #expect(outcome.code == 0, "\(path): \(outcome.report)")
      let isHead = outcome.output.starts(with: Array("RaS2".utf8))
      #expect(isHead == path.hasSuffix("/1"), "\(path)")
    }
    let text = try person.document(Array("text".utf8), "b.txt")
    let piped = try await person.shell(
      """
      mkfifo \(person.path("pipe"))
      head -c 4 \(person.path("pipe")) & $airprint render \(text) -o \(person.path("pipe")) -q; wait
      """)
    #expect(piped.stdout.hasPrefix("RaS2"), "\(piped.report)")
  }
}
