import FoundationEssentials
import TestSupport
import Testing

/// PDFs with password protection, and PDFs with page labels.
@Suite(.inTurn) struct ProtectedTests {
  /// Creates a PDF with a user and an owner password, encrypted by QPDF.
  private func locked(
    _ person: Person, _ method: [String], reader: String, name: String = "locked.pdf"
  ) async throws -> String {
    let plain = try person.document(PDF(title: "Secret").bytes, "plain.pdf")
    let output = person.path(name)
    let outcome = try await person.bench.run(
      ["qpdf", "--allow-weak-crypto", "--encrypt", reader, "owner"] + method + [
        "--", plain, output,
      ])
    try #require(outcome.code == 0, "\(outcome.report)")
    return output
  }

  @Test func `a PDF for the holders of certificates asks for no password`() async throws {
    let person = try await Person.anybody()
    let pdf = RawPDF(objects: [
      "<< /Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s4 /V 2 /Length 128 /Recipients [<00>] >>"
    ]).with { $0.trailer = "/Root 1 0 R /Encrypt 5 0 R /ID [<00> <00>]" }
    let refused = try await person.airprint("check", try person.document(pdf.bytes, "signed.pdf"))
    #expect(refused.code == 65, "\(refused.report)")
    #expect(refused.stderr.contains("only with a certificate"), "\(refused.report)")
    #expect(!refused.stderr.contains("password"), "\(refused.report)")
  }

  @Test func `on a terminal it is asked for`() async throws {
    let person = try await Person.anybody()
    let file = try await locked(person, ["256"], reader: "sesame")
    let session = try person.terminal("render", file, "-o", person.path("x.pdf"))
    try await session.wait(for: "Password for locked.pdf:")
    session.type("open\r")
    try await session.wait(for: "Wrong password.\nPassword for locked.pdf:")
    session.type("sesame\r")
    #expect(await session.end().code == 0, "\(session.screen.text)")
  }

  @Test(arguments: [
    ["40"], ["128", "--use-aes=n"], ["128", "--use-aes=y"], ["256"],
  ])
  func `the reader's and the owner's password open it, no other does`(
    _ method: [String]
  ) async throws {
    let person = try await Person.anybody()
    let file = try await locked(person, method, reader: "pässword 1")
    let refused = try await person.airprint("check", file)
    #expect(refused.code == 65)
    #expect(
      refused.stderr.contains("protected by a password: give it with --document-password-file"))
    for (content, opens) in [
      ("pässword 1\nsecond line", true), ("owner\r\n", true), ("wrong", false), ("Owner", false),
      ("wröng", false),
    ] {
      let key = try person.document(Array(content.utf8), "key")
      let checked = try await person.airprint("check", "--document-password-file", key, file)
      #expect(checked.code == (opens ? 0 : 65), "\(content): \(checked.report)")
      if !opens {
        #expect(
          checked.stderr.contains("the password in --document-password-file does not open it"))
        #expect(!checked.stderr.contains(content))
      }
    }
  }

  @Test func `print, preview and render open it; it is drawn, and no argument holds the password`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try await locked(person, ["256"], reader: "s3cret")
    let key = try person.document(Array("s3cret\n".utf8), "key")
    let output = person.path("page.pwg")
    for command in [
      ["print", "-d", printer.uri, "--json"], ["render", "-o", output, "--resolution", "72"],
      ["preview", "-o", person.path("page.png")],
    ] {
      let done = try await person.airprint(command + ["--document-password-file", key, file])
      #expect(done.code == 0, "\(done.report)")
      let refused = try await person.airprint(command + [file])
      #expect(refused.code == 65, "\(refused.report)")
    }
    let ink = try #require(try Sheet.read(output).first?.ink)
    #expect(ink.right - ink.left > 69)
    // The printer has no password, so the PDF that it receives is drawn here.
    let plan = try await person.airprint(
      "print", "-d", printer.uri, "--document-password-file", key, "--format", "pdf", file)
    #expect(plan.code == 0, "\(plan.report)")
    let sent = try #require(try printer.jobs().last?.document)
    #expect(!String(decoding: sent, as: UTF8.self).contains("/Encrypt"))
    #expect(sent != (try bytes(of: file)))
    await printer.stop()
  }

  @Test func `a pipe holds the password too; a file without one is refused`() async throws {
    let person = try await Person.anybody()
    let file = try await locked(person, ["256"], reader: "s3cret")
    let piped = try await person.shell(
      "$airprint check --document-password-file <(echo s3cret) '\(file)'")
    #expect(piped.code == 0, "\(piped.report)")
    let empty = try person.document([0x0A], "empty")
    let missing = person.path("missing")
    #expect(
      try await person.airprint("check", "--document-password-file", empty, file).code == 64)
    let unread = try await person.airprint("check", "--document-password-file", missing, file)
    #expect(unread.code == 66 && unread.stderr.contains(missing), "\(unread.report)")
  }

  @Test func `a PDF that only its owner may change opens for everybody`() async throws {
    let person = try await Person.anybody()
    let file = try await locked(person, ["256"], reader: "")
    #expect(try await person.airprint("check", file).code == 0)
  }

  @Test func `pages are named by their labels, and by position`() async throws {
    let person = try await Person.anybody()
    var document = PDF(
      pages: (0..<5).map { index in
        PDF.Page(
          width: 200, height: 200,
          marks: [PDF.Mark(x: 20 * Double(index), y: 0, width: 20, height: 20)])
      })
    document.catalog =
      "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D >> 4 << /S /D /P (A-) >>] >>"
    let file = try person.document(document.bytes, "labels.pdf")
    let checked = try await person.airprint("check", "--json", file)
    #expect(
      try checked.json.array?.first?.pageLabels?.strings == ["i", "ii", "1", "2", "A-1"])
    for (list, pages) in [
      ("ii", [1]), ("i-ii,A-1", [0, 1, 4]), ("1", [0]), ("ii-4", [1, 2, 3]), ("A-1-", [4]),
    ] {
      let sides = try await person.rendered(
        document.bytes, "-P", list, "--paper", "200x200pt", "--resolution", "72")
      #expect(sides.map { Int((($0.ink?.left ?? -20) / 20).rounded()) } == pages, "\(list)")
    }
    let wrong = try await person.airprint("render", file, "-o", person.path("x.pwg"), "-P", "iii")
    #expect(wrong.code == 64 && wrong.stderr.contains("iii"), "\(wrong.report)")
    let counted = try person.document(PDF(pages: [.a4(), .a4()]).bytes, "counted.pdf")
    let plain = try await person.airprint("check", "--json", counted)
    #expect(try plain.json.array?.first?.pageLabels == .null)
  }
}
