import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `doctor`: the checks of an installation, and how to fix what fails.
@Suite(.inTurn) struct DoctorTests {
  private func check(_ report: JSON, _ area: String, _ name: String) -> JSON? {
    report.checks?.array?.first { $0.area == .string(area) && $0.name == .string(name) }
  }

  @Test func `0 when a saved printer answers; 69 when none does`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let picked = try await person.airprint("pick", printer.uri, "--as", "Laser")
    try #require(picked.code == 0, "\(picked.report)")
    let well = try await person.airprint("doctor", "--json")
    #expect(well.code == 0, "\(well.report)")
    let report = try well.json
    #expect(report.exitCode == .number(0))
    #expect(check(report, "printers", "Laser")?.state == .string("ok"), "\(well.stdout)")
    let converter = try #require(check(report, "converters", "markdown"))
    #expect(converter.keys == ["area", "name", "state", "optional", "detail", "fix"])
    #expect(converter.state == .string("ok"), "\(well.stdout)")
    #expect(converter.optional == .boolean(true))
    #expect(check(report, "fonts", "any")?.state == .string("ok"))
    for wall in ["bubblewrap", "Landlock", "seccomp", "limits", "privileges"] {
      #expect(check(report, "sandbox", wall) != nil, "\(well.stdout)")
    }

    let poppler = try #require(check(report, "libraries", "Poppler"))
    #expect(poppler.state == .string("ok") && poppler.detail?.string?.contains(".") == true)
    #expect(check(report, "libraries", "libcups")?.detail?.string?.hasPrefix("2.") == true)
    for library in report.checks?.array ?? [] where library.area == .string("libraries") {
      #expect(library.state == .string("ok"), "\(library)")
      // The detail is a version; for poppler-data it is a file's name.
      let isData = library.name == .string("poppler-data")
      #expect(isData || library.detail?.string?.contains { $0.isNumber } == true, "\(library)")
    }

    let words = try await person.airprint("doctor")
    #expect(words.code == 0 && words.stdout.contains("pandoc"), "\(words.report)")

    let spare = try await person.office("Spare")
    let other = try await person.airprint("pick", spare.uri, "--as", "Spare")
    try #require(other.code == 0, "\(other.report)")
    await spare.stop()
    let half = try await person.airprint("doctor")
    #expect(half.code == 0, "\(half.report)")
    #expect(
      half.stdout.hasSuffix("Ready to print on Laser. Not ready: Spare.\n"), "\(half.report)")

    await printer.stop()
    let ill = try await person.airprint("doctor", "--json")
    #expect(ill.code == 69, "\(ill.report)")
    #expect(check(try ill.json, "printers", "Laser")?.state == .string("missing"))
  }

  /// It tries the sandbox: the kernel has Landlock, but 16 sandboxes are around this one already.
  @Test func `a sandbox that can't be entered is missing`() async throws {
    let person = try await Person.anybody()
    let report = try await person.bench.run(
      [
        "ConfinementProbe", "without", "layers", "run", try locate("airprint"), "doctor", "--json",
      ], adding: person.variables)
    let landlock = try #require(check(try report.json, "sandbox", "Landlock"), "\(report.report)")
    #expect(landlock.state == .string("missing"), "\(landlock)")
    #expect(landlock.detail?.string?.contains("can read your files") == true, "\(landlock)")
    // A worker reports the same.
    let file = try person.document(PDF().bytes)
    let checked = try await person.bench.run(
      [
        "ConfinementProbe", "without", "layers", "run", try locate("airprint"), "check", "-v", file,
      ],
      adding: person.variables)
    #expect(checked.stderr.contains(landlock.detail?.string ?? "?"), "\(checked.report)")
  }

  @Test func `a printer that is named`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let named = try await person.airprint("doctor", "--json", printer.uri)
    #expect(named.code == 0, "\(named.report)")
    await printer.stop()
    #expect(try await person.airprint("doctor", "--json", printer.uri).code == 69)
  }

  @Test func `75: a printer that is named and would not print now; quiet says only that`()
    async throws
  {
    let person = try await Person.anybody()
    let till = try await person.simulate("receipt")
    #expect(try await person.airprint("doctor", till.uri, "--quiet").code == 0)
    _ = try await person.airprint("simulate", "load", till.name, "main-roll=none")
    let ill = try await person.airprint("doctor", till.uri)
    #expect(
      ill.code == 75 && ill.stdout.contains("out of paper: load the main roll"), "\(ill.report)")
    let quiet = try await person.airprint("doctor", till.uri, "--quiet")
    #expect(quiet.code == 75 && quiet.stdout.isEmpty, "\(quiet.report)")
    #expect(quiet.stderr.split(separator: "\n").count == 1, "\(quiet.report)")
    #expect(try await person.airprint("doctor", adding: ["AIRPRINT_PRINTER": "nobody"]).code == 69)
    _ = await till.end()
  }

  @Test func `what is missing says what installs it`() async throws {
    let person = try await Person.anybody()
    try person.converter(
      """
      command = ["no-such-program", "{input}"]
      package = "no-such-package"
      [types]
      "text/x-a" = [".a"]
      """, "own")
    let report = try await person.airprint("doctor", "--json").json
    let own = try #require(check(report, "converters", "own"))
    #expect(own.state == .string("missing") && own.fix == .string("apt install no-such-package"))
    let words = try await person.airprint("doctor")
    #expect(words.stdout.contains("apt install no-such-package"), "\(words.report)")
  }

  @Test func `every value and where it comes from`() async throws {
    let person = try await Person.anybody()
    try person.configure("quality = \"draft\"\ntimeout = 60\n[types.receipt]\ncolor = \"gray\"\n")
    let report = try await person.airprint("doctor", "--json").json
    let settings = try #require(report.settings?.array)
    let source = JSON.string("\(person.folder)/config/airprint/config.toml")
    for (name, value, scope) in [
      ("quality", "draft", JSON.null), ("timeout", "60", .null),
      ("color", "gray", .string("types.receipt")),
    ] {
      let found = try #require(settings.first { $0.name == .string(name) }, "\(name)")
      #expect(found.value == .string(value) && found.scope == scope && found.source == source)
      #expect(found.overridden == .boolean(false))
    }
  }

  @Test func `73: no job can be recorded, so nothing would be printed`() async throws {
    let person = try await Person.anybody()
    try [UInt8]().write(to: person.path("state"))
    let looked = try await person.airprint("doctor", "--quiet")
    #expect(looked.code == 73 && looked.stderr.contains("state/airprint/jobs"), "\(looked.report)")
  }

  @Test(arguments: ["config.toml", "printers.toml", "quirks.toml", "converters/own.toml"])
  func `78: a file that is wrong`(_ name: String) async throws {
    let person = try await Person.anybody()
    if name.hasPrefix("converters/") {
      try person.converter("nonsense = =\n", "own")
    } else {
      try person.configure("nonsense = 1\n", in: name)
    }
    let looked = try await person.airprint("doctor")
    #expect(looked.code == 78, "\(looked.report)")
    #expect(looked.stdout.contains("\(name):1:"), "\(looked.stdout)")
  }
}
