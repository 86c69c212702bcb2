import TestSupport
import Testing

/// Printing on a server that is not our code, and that has features no other test printer has.
@Suite(.inTurn) struct PrinterApplicationTests {
  @Test func `a printer application: sheets, labels, held and canceled jobs`() async throws {
    let person = try await Person.anybody()
    let server = try await PrinterApplication(person)
    let listed = try await person.airprint("discover", server.place, "--all", "--json")
    let uris = try listed.json.array?.compactMap { $0.uri?.string }
    #expect(Set(uris ?? []) == [server.sheet, server.label], "\(listed.report)")
    #expect(try await person.airprint("pick", server.sheet, "--as", "Sheet").code == 0)
    #expect(
      try await person.airprint("pick", server.label, "--as", "Label", "--type", "label").code == 0)
    let shown = try await person.airprint("show", "Label")
    #expect(shown.stdout.contains("loaded      4x6, main-roll, labels"), "\(shown.report)")

    let document = try person.document(PDF(pages: [.a4(), .a4()]).bytes)
    let printed = try await person.airprint("print", "-d", "Sheet", "-t", "sheets", document)
    #expect(printed.code == 0, "\(printed.report)")
    let pages = server.pages(of: "sheets").split(separator: "\n")
    #expect(pages.count == 2, "\(pages)")
    #expect(
      pages.allSatisfy { $0.contains("2480x3507 pixels 300 dpi iso_a4_210x297mm main") }, "\(pages)"
    )

    // A landscape label is turned, and no label is cut before its end.
    let wide = try person.document(PageShape(432, 288).landmarks(), "wide.pdf")
    let label = try await person.airprint("print", "--type", "label", "-t", "wide", wide)
    #expect(label.code == 0, "\(label.report)")
    #expect(
      server.pages(of: "wide").contains("812x1218 pixels 203 dpi na_index-4x6_4x6in main-roll"),
      "\(server.pages(of: "wide"))")

    // Formats that it reads itself are held, also until a time.
    let picture = try person.document(try Picture(width: 80, height: 120).jpeg(), "photo.jpg")
    for hold in [["--hold"], ["--hold", halfADayAway]] {
      let held = try await person.airprint(
        ["print", "-d", "Sheet", "--no-wait", "--json", "--format", "jpeg"] + hold + [picture])
      #expect(try held.jsonLines.first?.state == .string("pending-held"), "\(held.report)")
      let id = try #require(try held.jsonLines.first?.job?.string)
      if hold.count == 1 {
        #expect(try await person.airprint("release", id).code == 0)
        #expect(try await person.airprint("wait", id).code == 0)
      } else {
        #expect(try await person.airprint("cancel", id).code == 0)
        #expect(try await person.airprint("wait", id).code == 81)
      }
    }
    // Raster is printed as it arrives, and a message reports that.
    let early = try await person.airprint(
      "print", "-d", "Sheet", "--hold", "--no-wait", "--json", document)
    #expect(early.stderr.contains("does not hold the job"), "\(early.report)")
    #expect(try early.jsonLines.first?.state != .string("pending-held"), "\(early.report)")
    // Of the queue, it is followed.
    _ = try await person.add("--hold", "-d", "Sheet", document)
    let queued = try await person.airprint("queue", "run", "--json")
    #expect(queued.code == 0 && queued.stderr.contains("does not hold the job"), "\(queued.report)")
    #expect(try queued.jsonLines.first?.printed == .string("all"), "\(queued.report)")
    await server.end()
  }
}
