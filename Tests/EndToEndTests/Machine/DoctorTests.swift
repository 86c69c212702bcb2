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
    // It is saved, and there is nothing to save again.
    #expect(check(try ill.json, "printers", "Laser")?.fix == .null)
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
      ill.code == 75 && ill.stdout.contains("the main roll is out of paper"),
      "\(ill.report)")
    let quiet = try await person.airprint("doctor", till.uri, "--quiet")
    #expect(quiet.code == 75 && quiet.stdout.isEmpty, "\(quiet.report)")
    #expect(quiet.stderr.split(separator: "\n").count == 1, "\(quiet.report)")
    #expect(try await person.airprint("doctor", adding: ["AIRPRINT_PRINTER": "nobody"]).code == 69)
    _ = await till.end()
  }

  /// The second printer is low, and then out of paper.
  @Test func `a line for Nagios, metrics for Prometheus, and the worst of all`() async throws {
    let person = try await Person.anybody()
    func nagios(_ code: Int32, _ line: String, _ words: String...) async throws {
      let told = try await person.airprint(["doctor", "--nagios"] + words)
      #expect(told.code == code && told.stdout.hasPrefix(line), "\(told.report)")
      #expect(told.stdout.count { $0 == "\n" } == 1 && told.stderr.isEmpty, "\(told.report)")
    }
    try await nagios(3, "PRINTERS UNKNOWN: airprint has no printers saved\n")
    let office = try await person.simulate("laser", "--supply", "black=80")
    let till = try await person.simulate("receipt")
    for (printer, name) in [(office, "Office"), (till, "Till")] {
      let picked = try await person.airprint("pick", printer.uri, "--as", name)
      try #require(picked.code == 0, "\(picked.report)")
    }
    try await nagios(0, "PRINTERS OK: 2 ready | 'Office black toner'=80%;11:;;0;100")
    try await nagios(0, "PRINTERS OK: 1 ready\n", "Till")
    _ = try await person.airprint("simulate", "supply", office.name, "black=10")
    try await nagios(
      1, "PRINTERS WARNING: Office: low on black toner 10 %; 1 ready | 'Office black toner'=10%")
    #expect(try await person.airprint("doctor", "--all", "-q").code == 0)
    _ = try await person.airprint("simulate", "load", till.name, "main-roll=none")
    try await nagios(
      2, "PRINTERS CRITICAL: Office: low on black toner 10 %; Till: can't print now")
    #expect(try await person.airprint("doctor", "-q").code == 0)
    #expect(try await person.airprint("doctor", "--all", "-q").code == 75)
    let metrics = try await person.airprint("doctor", "--prometheus")
    #expect(metrics.code == 0 && metrics.stderr.isEmpty, "\(metrics.report)")
    let lines = metrics.stdout.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.contains("airprint_printer_up{printer=\"Till\"} 1.0"))
    #expect(lines.contains("airprint_printer_ready{printer=\"Till\"} 0.0"))
    #expect(lines.contains("airprint_printer_ready{printer=\"Office\"} 1.0"))
    #expect(lines.contains("airprint_printer_low{printer=\"Office\"} 1.0"))
    #expect(lines.contains("airprint_configuration_ok 1.0"))
    let toner = "printer=\"Office\",supply=\"black toner\",type=\"toner\""
    #expect(lines.contains("airprint_printer_supply_ratio{\(toner)} 0.1"), "\(metrics.report)")
    #expect(Set(lines).count == lines.count)
    let bare = try await person.airprint("doctor", "--prometheus", "Till")
    #expect(bare.stdout.contains("printer_up") && !bare.stdout.contains("supply_ratio"))
    try await nagios(3, "PRINTERS UNKNOWN: No printer ", "nobody")
    _ = try await person.airprint("simulate", "load", till.name, "main-roll=80mm")
    _ = try await person.airprint("simulate", "fault", till.name, "media-low")
    try await nagios(1, "PRINTERS WARNING: Till: paper is running low\n", "Till")
    let low = try await person.airprint("doctor", "Till")
    #expect(low.code == 0 && low.stdout.contains("; paper is running low\n"), "\(low.report)")
    // The user of a service, who never printed and can't.
    let homeless = ["XDG_STATE_HOME": "/proc/nothing"]
    let service = try await person.airprint("doctor", "Till", "--nagios", adding: homeless)
    #expect(service.code == 1, "\(service.report)")
    let print = try await person.airprint(
      "print", "-d", "Till", "-", adding: homeless, input: [0x41])
    #expect(print.code == 73 && print.stderr.contains(" Set XDG_STATE_HOME "), "\(print.report)")
    try person.configure("quality = 3")
    let broken = try await person.airprint("doctor", "--prometheus")
    #expect(broken.stdout.contains("\nairprint_configuration_ok 0.0\n"), "\(broken.report)")
    try await nagios(3, "PRINTERS UNKNOWN: ", "Office")
    _ = await till.end()
    _ = await office.end()
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
