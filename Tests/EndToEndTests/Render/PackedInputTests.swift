import Glibc
import TestSupport
import Testing

/// Files compressed with gzip are printed as their content.
@Suite(.inTurn) struct PackedInputTests {
  private func packed(_ bytes: [UInt8], _ person: Person) async throws -> [UInt8] {
    let file = try person.document(bytes, "plain")
    let done = try await person.shell("gzip -9 -c '\(file)' > '\(person.path("packed"))'")
    try #require(done.code == 0, "\(done.report)")
    return try EndToEndTests.bytes(of: person.path("packed"))
  }

  @Test(arguments: [
    ("notes.txt.gz", Array("Notes\n".utf8), "text/plain"),
    ("notes", Array("Notes\n".utf8), "text/plain"),
    ("report.pdf.gz", PDF().bytes, "application/pdf"),
    ("till.receipt.gz", Array("#receipt\nTotal\n".utf8), "text/vnd.airprint.receipt"),
  ])
  func `by its content, and by its name without .gz`(
    _ name: String, _ bytes: [UInt8], _ type: String
  ) async throws {
    let person = try await Person.anybody()
    let file = try person.document(try await packed(bytes, person), name)
    let checked = try await person.airprint("check", "--json", file)
    #expect(checked.code == 0, "\(checked.report)")
    #expect(try checked.json.array?.first?.mediaType == .string(type))
  }

  @Test func `from a pipe too`() async throws {
    let person = try await Person.anybody()
    let checked = try await person.airprint(
      "check", "-", "--json", input: try await packed(PDF().bytes, person))
    #expect(try checked.json.array?.first?.mediaType == .string("application/pdf"))
  }

  @Test func `several behind each other are one, and what follows them is left out`() async throws {
    let person = try await Person.anybody()
    let parts = [Array("one\n".utf8), Array("two\u{0C}three\n".utf8)]
    var bytes: [UInt8] = []
    for part in parts { bytes += try await packed(part, person) }
    let checked = try await person.airprint(
      "check", "--json", try person.document(bytes + Array("rest".utf8), "two.txt.gz"))
    #expect(checked.code == 0, "\(checked.report)")
    #expect(try checked.json.array?.first?.pages == .number(2), "\(checked.report)")
  }

  /// Otherwise it would read the document with the user's permissions.
  @Test(.needsNamespaces) func `gzip itself is not run`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(try await packed(Array("Notes\n".utf8), person), "notes.txt.gz")
    let stub = try person.document(Array("#!/bin/sh\ntouch '\(person.path("ran"))'\n".utf8), "gz")
    chmod(stub, 0o755)
    let apart = Namespaces.available.unshare("--mount").joined(separator: " ")
    let checked = try await person.shell(
      "\(apart) sh -c \"mount --bind '\(stub)' /usr/bin/gzip && '$airprint' check '\(file)'\"")
    #expect(checked.code == 0 && checked.stdout.contains("1 page"), "\(checked.report)")
    #expect(access(person.path("ran"), F_OK) != 0)
  }

  @Test func `65: damaged, cut off, and what unpacks to too much`() async throws {
    let person = try await Person.anybody()
    let whole = try await packed(PDF().bytes, person)
    for bytes in [
      Array(whole.prefix(20)), Array(whole.prefix(whole.count - 30)), [0x1F, 0x8B, 0x08],
    ] {
      let checked = try await person.airprint("check", try person.document(bytes, "bad.gz"))
      #expect(checked.code == 65 && checked.stderr.contains("damaged"), "\(checked.report)")
    }
    let bomb = person.path("bomb.gz")
    let made = try await person.shell("head -c 270M /dev/zero | gzip -1 > '\(bomb)'")
    try #require(made.code == 0, "\(made.report)")
    let checked = try await person.airprint("check", bomb)
    #expect(checked.code == 65 && checked.stderr.contains("256 MB"), "\(checked.report)")
  }
}
