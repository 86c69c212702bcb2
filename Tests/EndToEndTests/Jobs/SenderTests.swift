import TestSupport
import Testing

/// `-U`, and the title and account of settings: what a printer is told of who prints what.
@Suite(.inTurn) struct SenderTests {
  @Test func `a job in another name is that user's, also to release and to cancel it`() async throws
  {
    let person = try await Person.anybody()
    let laser = try await person.simulate("laser")
    let file = try person.document(PageShape.a4.landmarks(), "secret plans.pdf")
    var ids: [String] = []
    for _ in 0..<3 {
      let sent = try await person.airprint(
        "print", "-d", laser.uri, "-U", "DOMAIN\\anna", "--hold", "--no-wait", "--json", file)
      #expect(sent.code == 0, "\(sent.report)")
      ids.append(try #require(try sent.jsonLines.first?.job?.string))
    }
    // The simulation lets only a job's user change it.
    #expect(try await person.airprint("cancel", ids[0]).code == 0)
    for (job, id) in [(ids[1], ids[1]), ("\(laser.uri)/3", ids[2])] {
      let released = try await person.airprint("release", job)
      #expect(released.code == 0, "\(released.report)")
      #expect(try await person.airprint("wait", id).code == 0)
    }
    #expect(try laser.job(2, of: "laser").record.user == .string("DOMAIN\\anna"))
    let bad = try await person.airprint("print", "-d", laser.uri, "-U", "", file)
    #expect(bad.code == 64 && bad.stderr.contains("--user"), "\(bad.report)")
    _ = await laser.end()
  }

  @Test(arguments: [("Document", "Document"), ("", "untitled")])
  func `the panel shows the title of the printer's setting, unless one is typed`(
    _ title: String, _ shown: String
  ) async throws {
    let person = try await Person.anybody()
    let laser = try await person.simulate("laser")
    let file = try person.document(PageShape.a4.landmarks(), "secret plans.pdf")
    let picked = try await person.airprint(
      "pick", laser.uri, "--as", "Hall", "--set", "title=\(title)", "--set", "account=Sales")
    #expect(picked.code == 0, "\(picked.report)")
    for words in [[], ["--title", "Mine"]] {
      let printed = try await person.airprint(["print", "-d", "Hall"] + words + [file])
      #expect(printed.code == 0, "\(printed.report)")
    }
    #expect(try laser.job(1, of: "laser").record.name == .string(shown))
    #expect(try laser.job(2, of: "laser").record.name == .string("Mine"))
    _ = await laser.end()
  }
}
