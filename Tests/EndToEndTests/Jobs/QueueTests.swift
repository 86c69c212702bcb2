import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `queue add`, `list`, `show`, `remove`, and jobs in place of files.
@Suite(.inTurn) struct QueueTests {
  @Test func `what is queued is kept with its files, and is printed when the files are gone`()
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(MarkedPDF([.a4, .a4]).bytes, "report.pdf")
    let added = try await person.airprint(
      "queue", "add", "-n", "2", "-P", "2", "-t", "The report", file)
    #expect(added.code == 0, "\(added.report)")
    let id = added.stdout.trimmed
    #expect(added.stdout == "\(id)\n" && id.count == 5)
    #expect(added.stderr.contains("airprint queue run"))
    try FileManager.default.removeItem(atPath: file)

    let list = try await person.airprint("queue", "list", "--json").json.array
    #expect(list?.count == 1)
    let row = try #require(list?.first)
    #expect(row.job == .string(id))
    #expect(row.name == .string("The report"))
    #expect(row.pages == .number(2))
    #expect(row.type == .string("document"))
    #expect(row.printer == .null && row.exitCode == .null)
    let table = try await person.airprint("queue", "list").stdout
    for word in [id, "The report", "not tried yet", "none saved"] { #expect(table.contains(word)) }
    let shown = try await person.airprint("queue", "show", id).stdout
    for word in ["--copies 2", "--pages 2", file] { #expect(shown.contains(word), "\(shown)") }

    // The printer is chosen when the job prints, and the paper negotiated then.
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri)
    let run = try await person.airprint("queue", "run", "--json")
    #expect(run.code == 0, "\(run.report)")
    #expect(try run.jsonLines.map { $0.job } == [.string(id)])
    #expect(try run.jsonLines.first?.file == .string(file))
    let jobs = try printer.jobs()
    #expect(jobs.map { $0["job-name"] } == ["The report"])
    #expect(try printer.sheets(of: jobs[0]).count == 2)
    #expect(try await person.queue() == [])
    let listed = try await person.airprint("jobs", "--json").json.array
    #expect(listed?.map { $0.exitCode?.number } == [0])
    await printer.stop()
  }

  @Test func `a file that states its type waits for the printer that is saved for that`()
    async throws
  {
    let person = try await Person.anybody()
    for (name, port, rest) in [("Office", 1, []), ("Till", 2, ["--type", "receipt"])] {
      let saved = try await person.airprint(
        ["pick", "ipp://localhost:\(port)/ipp/print", "--no-contact", "--as", name] + rest
          + (rest.isEmpty ? ["--default"] : []))
      #expect(saved.code == 0, "\(saved.report)")
    }
    let receipt = try person.document(Array("Espresso | 2.40\n".utf8), "1042.receipt")
    let added = try await person.airprint("queue", "add", receipt)
    #expect(added.stderr.contains("for Till"), "\(added.report)")
    let later = try await person.airprint(
      ["print", "--later", "--json"], input: Array("#receipt\nEspresso\n".utf8))
    #expect(try later.jsonLines.first?.printer == .string("Till"), "\(later.report)")
    _ = try await person.add()
    let list = try await person.airprint("queue", "list", "--json").json.array
    #expect(list?.map { $0.printer?.string } == ["Till", "Till", "Office"])
    #expect(list?.allSatisfy { $0.createdAt?.string?.hasSuffix("Z") == true } == true)
    // The document's own type also applies from standard input, which is then still complete.
    let piped = try await person.airprint(
      ["print", "--dry-run"], input: Array("#receipt\nEspresso\n".utf8))
    #expect(piped.stderr.contains("Till does not answer"), "\(piped.report)")
  }

  @Test func `oldest first; the next run has nothing left`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    for name in ["one", "two", "three"] {
      _ = try await person.add("-d", printer.uri, "-t", name)
    }
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    #expect(
      try printer.jobs().map { $0["job-name"] } == ["one", "two", "three"])
    let again = try await person.airprint("queue", "run")
    #expect(again.code == 0 && again.stderr.contains("nothing to print"), "\(again.report)")
    #expect(try printer.jobs().count == 3)
    await printer.stop()
  }

  @Test func `only the jobs that are named, on another printer`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let first = try await person.add("-d", "Nowhere")
    let second = try await person.add("-d", "Nowhere")
    let run = try await person.airprint("queue", "run", second, "-d", printer.uri)
    #expect(run.code == 0, "\(run.report)")
    #expect(try printer.jobs().count == 1)
    #expect(try await person.queue() == [first])
    #expect(try await person.airprint("queue", "run", "zzzzz").code == 69)
    #expect(try await person.airprint("queue", "run", second).code == 76)
    let early = try await person.airprint("reprint", first)
    #expect(early.code == 64 && early.stderr.contains("queue run \(first)"), "\(early.report)")
    // Every job is tried.
    let several = try await person.airprint(
      "queue", "run", "zzzzz", first, "-d", printer.uri, "--json")
    #expect(several.code == 69, "\(several.report)")
    let lines = try several.jsonLines
    #expect(lines.map(\.job) == [.string("zzzzz"), .string(first)], "\(several.report)")
    #expect(lines.map(\.exitCode) == [.number(69), .number(0)], "\(several.report)")
    #expect(try await person.queue().isEmpty)
    await printer.stop()
  }

  @Test func `removed with everything of it; an unknown job is 69`() async throws {
    let person = try await Person.anybody()
    let id = try await person.add()
    let other = try await person.add()
    let removed = try await person.airprint("queue", "remove", "zzzzz", id)
    #expect(removed.code == 69)
    #expect(removed.stderr.contains("Removed page.pdf"), "\(removed.stderr)")
    #expect(!exists(person.path("state/airprint/jobs/\(id)")))
    #expect(try await person.queue() == [other])
    #expect(try await person.airprint("queue", "show", id).code == 69)
    #expect(try await person.airprint("queue", "show", "../jobs").code == 69)
    #expect(try await person.airprint("queue", "remove").code == 64)
    #expect(try await person.airprint("queue", "remove", "--all", other).code == 64)
    _ = try await person.add()
    let cleared = try await person.airprint("queue", "remove", "--all")
    #expect(cleared.code == 0, "\(cleared.report)")
    #expect(try await person.queue().isEmpty)
  }

  @Test func `a printer that nothing here knows is said, and may come`() async throws {
    let person = try await Person.anybody()
    try person.configure(
      "[printers.Till]\nuri = \"ipp://127.0.0.1:9/ipp/print\"\n", in: "printers.toml")
    let file = try person.document(PDF().bytes)
    for (name, sentence) in [
      (
        "Tull", "mean \"Till\"?). The job waits for one on the network that is called exactly that."
      ),
      ("Till", nil), ("192.0.2.7", nil), ("ipp://nowhere.test/ipp/print", nil),
    ] {
      let added = try await person.airprint("queue", "add", "-q", "--json", "-d", name, file)
      #expect(added.code == 0, "\(added.report)")
      let warnings = try added.json["warnings"]?.array ?? []
      #expect(warnings.count == (sentence == nil ? 0 : 1), "\(added.report)")
      #expect(added.stderr.contains("No printer is saved") == (sentence != nil), "\(added.report)")
      #expect(added.stderr.contains(sentence ?? ""), "\(added.report)")
    }
  }

  @Test func `what can't be printed is refused at once`() async throws {
    let person = try await Person.anybody()
    for (printer, words) in [("usb://HP/7", "not over usb"), ("", "name is empty")] {
      let refused = try await person.airprint(
        "queue", "add", "-d", printer, try person.document(PDF().bytes))
      #expect(refused.code == 64 && refused.stderr.contains(words), "\(refused.report)")
    }
    let broken = try person.document(Array("%PDF-1.4 nothing".utf8), "broken.pdf")
    let good = try person.document(PDF().bytes)
    let added = try await person.airprint(
      "queue", "add", broken, person.path("missing.pdf"), good)
    #expect(added.code == 65, "\(added.report)")
    #expect(added.stdout.trimmed.count == 5)
    #expect(try await person.queue() == [added.stdout.trimmed])
    #expect(try await person.airprint("queue", "add", "--quality", "finest", good).code == 64)
  }

  @Test func `a job stands for a file in preview; a file of its name counts more`() async throws {
    let person = try await Person.anybody()
    let id = try await person.add("--paper", "A5", "--color", "gray")
    let picture = person.path("sheet.png")
    let preview = try await person.airprint("preview", id, "-o", picture, "--json")
    #expect(preview.code == 0, "\(preview.report)")
    // This is A5 at 150 dpi.
    #expect(try Sheet(picture: bytes(of: picture), resolution: 150).width == 874)
    let wider = try await person.airprint("preview", id, "-o", picture, "--paper", "A4")
    #expect(wider.code == 0, "\(wider.report)")
    #expect(try Sheet(picture: bytes(of: picture), resolution: 150).width == 1240)

    try Array("no picture of a job\n".utf8).write(to: person.path(id))
    let file = try await person.shell("cd '\(person.folder)' && \"$airprint\" check \(id)")
    #expect(file.stdout.contains("text/plain"), "\(file.report)")
    let text = try await person.shell(
      "cd '\(person.folder)' && \"$airprint\" preview \(id) -o text.png --paper A4")
    #expect(text.code == 0 && exists(person.path("text.png")), "\(text.report)")
    #expect(try await person.airprint("preview", "zzzzz", "-o", picture).code == 66)
  }

  @Test func `a protected document keeps its password until it is printed`() async throws {
    let person = try await Person.anybody()
    let plain = try person.document(PDF().bytes, "plain.pdf")
    let secret = person.path("secret.pdf")
    let made = try await person.bench.run([
      "qpdf", "--encrypt", "tram", "tram", "256", "--", plain, secret,
    ])
    #expect(made.code == 0, "\(made.report)")
    try Array("tram\n".utf8).write(to: person.path("password"))
    #expect(try await person.airprint("queue", "add", secret).code == 65)
    let added = try await person.airprint(
      "queue", "add", "--document-password-file", person.path("password"), secret)
    let id = added.stdout.trimmed
    let printer = try await person.office()
    #expect(
      try await person.airprint("queue", "run", "-d", "ipp://localhost:9/ipp/print").code == 69)
    let run = try await person.airprint("queue", "run", "-d", printer.uri)
    #expect(run.code == 0, "\(run.report)")
    #expect(try printer.jobs().count == 1)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: person.path("state/airprint/jobs/\(id)"))
    #expect(!left.contains("secret"))
    await printer.stop()
  }

  @Test func `an alternate for another paper is copied, too`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [Attributes.onlyA4])
    let main = try person.document(MarkedPDF([.a4]).bytes, "main.pdf")
    let other = try person.document(MarkedPDF([.a4, .a4, .a4]).bytes, "other.pdf")
    let missing = person.path("missing.pdf")
    let refused = try await person.airprint("queue", "add", "--alternate", "A4=\(missing)", main)
    #expect(refused.code == 66, "\(refused.report)")
    let added = try await person.airprint(
      "queue", "add", "-d", printer.uri, "--alternate", "A4=\(other)", main)
    #expect(added.code == 0, "\(added.report)")
    for file in [main, other] { try FileManager.default.removeItem(atPath: file) }
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    let jobs = try printer.jobs()
    #expect(try jobs.first.map { try printer.sheets(of: $0).count } == 3)
    await printer.stop()
  }

  @Test func `what is drawn over and under the pages is copied, too`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [Attributes.onlyA4])
    let main = try person.document(MarkedPDF([.a4]).bytes, "main.pdf")
    let stamp = try person.document(
      Picture(width: 80, height: 40, black: (80, 40)).png(), "paid, by card.png")
    let options = ["-d", printer.uri, "--underlay", "\(stamp)@rect=20,30,100,50", main]
    let refused = try await person.airprint("queue", "add", "--overlay", "\(stamp).gone", main)
    #expect(refused.code == 66 && refused.stderr.contains("--overlay"), "\(refused.report)")
    let direct = try await person.airprint(["print"] + options)
    #expect(direct.code == 0, "\(direct.report)")
    let added = try await person.airprint(["queue", "add"] + options)
    #expect(added.code == 0, "\(added.report)")
    for file in [main, stamp] { try FileManager.default.removeItem(atPath: file) }
    for command in [["queue", "run"], ["reprint"]] {
      let run = try await person.airprint(command)
      #expect(run.code == 0, "\(run.report)")
    }
    let documents = try printer.jobs().map(\.document)
    #expect(documents.count == 3 && Set(documents).count == 1)
    await printer.stop()
  }

  @Test(arguments: [["queue", "add"], ["print", "--detach"]])
  func `the folder of --assets is copied`(_ command: [String]) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [Attributes.onlyA4])
    let folder = person.path("assets")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let picture = try Picture(width: 80, height: 40, black: (80, 40)).png()
    try Data(picture).write(to: URL(filePath: "\(folder)/logo.png"))
    let page = try person.document(Array(#"<img src="logo.png">"#.utf8), "page.html")
    let options = ["-d", printer.uri, "--format", "pwg", "--assets", folder, page]
    let added = try await person.airprint(command + options)
    #expect(added.code == 0, "\(added.report)")
    let kept = person.path("state/airprint/jobs/\(added.stdout.trimmed)")
    let copies = try FileManager.default.subpathsOfDirectory(atPath: kept)
    let isKept = copies.contains { $0.hasSuffix("/logo.png") }
    #expect(isKept, "\(copies)")
    if command[0] == "queue" {
      for file in [folder, page] { try FileManager.default.removeItem(atPath: file) }
      let run = try await person.airprint("queue", "run")
      #expect(run.code == 0, "\(run.report)")
    } else {
      let waited = try await person.airprint("wait", added.stdout.trimmed)
      #expect(waited.code == 0, "\(waited.report)")
    }
    // The page contains only the picture.
    let job = try #require(try printer.jobs().first)
    #expect(try printer.sheets(of: job).first?.ink != nil)
    await printer.stop()
  }

  /// The sender may have made the folder; a file that can't be read when printing at once can't be read later either.
  @Test func `links out of the folder of --assets are not followed`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("assets")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/inside", withIntermediateDirectories: true)
    _ = try person.document(Array("secret".utf8), "secret")
    try Array("own".utf8).write(to: "\(folder)/inside/own")
    for (name, target) in [
      ("relative", "../documents/secret"), ("absolute", person.path("documents/secret")),
      ("twice", "relative"), ("own", "inside/own"), ("inside/up", "../inside/own"),
    ] {
      symlink(target, "\(folder)/\(name)")
    }
    let page = try person.document(Array("<p>text".utf8), "page.html")
    let added = try await person.airprint(
      "queue", "add", "-d", "ipp://localhost:9/ipp/print", "--assets", folder, page)
    #expect(added.code == 0, "\(added.report)")
    let kept = person.path("state/airprint/jobs/\(added.stdout.trimmed)/folder-1")
    let copies = try FileManager.default.subpathsOfDirectory(atPath: kept).sorted()
    #expect(copies == ["inside", "inside/own", "inside/up", "own"])
    #expect(try bytes(of: "\(kept)/own") == Array("own".utf8))
  }

  @Test func `a receipt's pictures are copied`() async throws {
    let person = try await Person.anybody()
    let logo = try person.document(
      Picture(width: 80, height: 40, black: (80, 40)).png(), "logo.png")
    let receipt = try person.document(
      Array("#receipt\nimage: logo.png\nThank you\n".utf8), "till.receipt")
    let till = try await person.till()
    _ = try await person.airprint("queue", "add", "-d", till.uri, "--type", "receipt", receipt)
    let direct = try await person.airprint(
      "print", "-d", till.uri, "--type", "receipt", receipt)
    #expect(direct.code == 0, "\(direct.report)")
    try FileManager.default.removeItem(atPath: logo)
    try FileManager.default.removeItem(atPath: receipt)
    let run = try await person.airprint("queue", "run")
    #expect(run.code == 0, "\(run.report)")
    #expect(!run.stderr.contains("is missing from the receipt"), "\(run.report)")
    let jobs = try till.jobs()
    #expect(jobs.count == 2 && jobs.first?.document == jobs.last?.document)
    await till.stop()
  }
}

extension String {
  var trimmed: String { String(prefix { !$0.isNewline }) }
}

extension Person {
  /// Queues a page and returns the job's ID.
  func add(_ options: String...) async throws -> String {
    let file = try document(PDF().bytes)
    let added = try await airprint(["queue", "add"] + options + [file])
    guard added.code == 0 else { throw Missing("a queued job: \(added.report)") }
    return added.stdout.trimmed
  }

  /// Returns the IDs of the waiting jobs.
  func queue() async throws -> [String] {
    let list = try await airprint("queue", "list", "--json")
    return (try list.json.array ?? []).compactMap { $0.job?.string }
  }
}
