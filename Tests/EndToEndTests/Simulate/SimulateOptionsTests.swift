import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The options of a simulated printer, at its start and while it runs.
@Suite(.inTurn) struct SimulateOptionsTests {
  @Test func `without sensors nothing is reported ready, and what is asked for is printed`()
    async throws
  {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--no-sensors")
    let state = try await simulation.attributes("get-printer-attributes.test")
    #expect(!state.contains("media-col-ready (") && !state.contains("media-ready ("), "\(state)")
    #expect(state.contains("media-supported ("))
    let document = try person.document(PageShape.a5.landmarks())
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--paper", "A5", "--resolution", "300", document)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(
      try simulation.job(1, of: "laser").record.pages?.array?.first?.paper == .string("A5"))
    _ = await simulation.end()
  }

  /// As raster with the printer's copies, as raster with repeated pages, and as a PDF.
  @Test(arguments: ["urf", "pwg", "pdf"])
  func `uncollated copies lie together`(_ format: String) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("save-original")
    let document = try person.document(PageShape.a5.landmarks(pages: 3))
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--format", format, "--resolution", "300", "--sides", "long",
      "-n", "2", "-o", "collate=false", document)
    #expect(printed.code == 0, "\(printed.report)")
    let job = try simulation.job(1, of: "save-original")
    // The third page's first copy has a blank back, which only a raster with repeated pages contains.
    let numbers = job.record.pages?.array?.compactMap { $0.page?.number }
    #expect(numbers == (format == "urf" ? [1, 2, 3, 4, 5, 7] : [1, 2, 3, 4, 5, 6, 7]))
    let pictures = try [1, 2, 3, 4, 5, 7].map { try bytes(of: "\(job.folder)/page-\($0).png") }
    #expect(pictures[0] == pictures[2] && pictures[1] == pictures[3] && pictures[4] == pictures[5])
    #expect(Set([pictures[0], pictures[1], pictures[4]]).count == 3)
    _ = await simulation.end()
  }

  @Test func `one port lists several printers and serves them`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--server", "receipt")
    let host = "localhost:\(simulation.port)"
    let listed = try await person.airprint("discover", host, "--json")
    #expect(listed.code == 0, "\(listed.report)")
    let uris = try listed.json.array?.compactMap { $0.uri?.string } ?? []
    #expect(
      Set(uris)
        == ["laser", "receipt"].reduce(into: []) { $0.insert("ipps://\(host)/ipp/print/\($1)") },
      "\(listed.report)")
    let unclear = try await person.airprint("pick", host)
    #expect(unclear.code == 64 && unclear.stderr.contains("several printers"), "\(unclear.report)")
    let till = "ipp://\(host)/ipp/print/receipt"
    #expect(try await person.airprint("pick", till, "--as", "Till").code == 0)
    let printed = try await person.airprint(
      "print", "-d", "Till", try person.document(Array("#receipt\nTea\n".utf8), "tea.receipt"))
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try simulation.job(1, of: "receipt").pages == 1)
    _ = await simulation.end()
  }

  @Test func `a job with a PIN prints when that is typed at the printer`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let document = try person.document(PageShape.a5.landmarks())
    let pin = try person.document(Array("4711\n".utf8), "pin")
    let sent = try await person.airprint(
      "print", "-d", simulation.secureURI, "--resolution", "300", "--pin-file", pin, "--no-wait",
      "--json", document)
    #expect(sent.code == 0, "\(sent.report)")
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    try await eventually("the job waits for its PIN") {
      try await simulation.attributes("get-jobs.test").contains("job-password-wait")
    }
    #expect(try await person.airprint("release", id).code != 0)
    let wrong = try await person.airprint("simulate", "pin", simulation.name, "4712")
    #expect(
      wrong.code == 64 && wrong.stderr.contains("waits for this PIN"),
      "\(wrong.code) \(wrong.report)")
    let typed = try await person.airprint("simulate", "pin", simulation.name, "4711")
    #expect(typed.code == 0 && !typed.stderr.contains("4711"), "\(typed.report)")
    let printed = try await person.airprint("wait", id)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(try simulation.job(1, of: "laser").pages == 1)
    _ = await simulation.end()
  }

  @Test func `pages are opened on the desktop, one at a real printer's pace`() async throws {
    let (person, environment) = try await Person.withDesktop()
    let simulation = try await person.simulate(
      "laser", "--open", "--print-times", adding: environment)
    let document = try person.document(PageShape.a5.landmarks(pages: 2))
    let begun = ContinuousClock.now
    let printed = try await person.airprint(
      "print", "-d", simulation.uri, "--resolution", "300", document)
    #expect(printed.code == 0, "\(printed.report)")
    // Two pages at 40 per minute take at least this long on any machine.
    #expect(ContinuousClock.now - begun >= .seconds(3))
    try await eventually("the pages are opened") { access(person.path("shown"), F_OK) == 0 }
    #expect(try person.shown() == "\(simulation.folder)/laser/job-1/pages.pdf")
    _ = await simulation.end()
  }

  @Test func `jobs tells how many come first, and how long they take`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("photo", "--print-times")
    let document = try person.document(PageShape(288, 432).landmarks(pages: 5))
    for _ in 0..<2 {
      let sent = try await person.airprint("print", "--detach", "-d", simulation.uri, document)
      #expect(sent.code == 0, "\(sent.report)")
    }
    // One page a minute; of the second job, the number of pages may not be known yet.
    try await eventually("the second job waits for the first") {
      let jobs = try await person.airprint("jobs", simulation.uri, "--json").json.array
      let words = (jobs ?? []).map { $0.trouble?.string ?? "" }
      return words.count == 2 && words[0] == "about 5 min"
        && words[1].hasPrefix("1 job ahead, about ")
    }
    _ = await simulation.end()
  }

  @Test func `69: --open without a desktop`() async throws {
    let person = try await Person.anybody()
    let outcome = try await person.airprint(
      "simulate", "laser", "--open", "--port", "0", "--output", person.path("pages"),
      adding: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
    #expect(outcome.code == 69 && outcome.stderr.contains("no desktop"), "\(outcome.report)")
  }

  @Test func `a fault that is asked for later meets the next job`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let document = try person.document(PageShape.a5.landmarks(pages: 2))
    let print = ["print", "-d", simulation.uri, "--resolution", "300", document]
    #expect(try await person.airprint(print).code == 0)
    let told = try await person.airprint("simulate", "fault", simulation.name, "cancel@2")
    #expect(told.code == 0, "\(told.report)")
    #expect(try await person.airprint(print).code == 81)
    #expect(try simulation.job(2, of: "laser").pages == 1)
    #expect(try await person.airprint(print).code == 0, "the fault was for one job")
    _ = await simulation.end()
  }

  /// The pictures are smaller than the file of all pages, which is longer than files may be.
  @Test func `a file of all pages that can't be written is told`() async throws {
    let person = try await Person.anybody()
    let page = PDF.Page(width: 420, height: 595, marks: [PDF.corner])
    let pages = try person.document(PDF(pages: Array(repeating: page, count: 12)).bytes)
    let folder = person.path("pages")
    let printed = try await person.shell(
      """
      trap '' XFSZ; ulimit -f 240
      exec "$airprint" simulate office --port 0 --name "Sim \(UUID().uuidString.prefix(8))" --output '\(folder)' \
        --exec '"$airprint" print "\(pages)"'
      """)
    // Every page is there, but not in one file.
    #expect(printed.code == 74, "\(printed.report)")
    #expect(
      printed.stderr.contains("/job-1/pages.pdf can't be written: File too large"),
      "\(printed.report)")
  }
}
