import TestSupport
import Testing

/// `pick --from`: lists of printers from an administrator.
@Suite(.inTurn) struct PickFromListTests {
  @Test(.needsRoot) func `a list is saved for all users, those that answer`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let machine = try Machine(person)
    let list = person.path("fleet.toml")
    try Array(
      """
      default = "Office"
      [types]
      receipt = "Till"
      document = "Office"
      [printers.Office]
      uri = "\(printer.uri)"
      [printers.Office.settings]
      quality = "draft"
      [printers.Till]
      uri = "ipp://localhost:9/ipp/print"
      """.utf8
    ).write(to: list)
    let picked = try await machine.airprint("pick", "--system", "--from", list)
    #expect(picked.code == 69, "\(picked.report)")
    #expect(picked.stderr.contains("Saved Office (\(printer.uri))"), "\(picked.stderr)")
    #expect(picked.stderr.contains("Not saved: Till: "), "\(picked.stderr)")
    let listed = try await machine.airprint("printers", "--json").json.array
    #expect(listed?.map(\.name) == [.string("Office")])
    #expect(listed?.first?.default == .boolean(true))
    #expect(listed?.first?.system == .boolean(true))
    #expect(listed?.first?.settings?.quality == .string("draft"))

    // Repeated without contact, the same list has the same result.
    for isFirst in [true, false] {
      let unseen = try await machine.airprint(
        "pick", "--system", "--from", list, "--no-contact", "--json")
      #expect(unseen.code == 0, "\(unseen.report)")
      #expect(try unseen.json.array?.map(\.saved) == [.boolean(true), .boolean(true)])
      #expect(try unseen.json.array?.last?.changed == .boolean(isFirst), "\(unseen.report)")
      if !isFirst { #expect(try unseen.json.array?.first?.changed == .boolean(false)) }
      let all = try await machine.airprint("printers", "--json").json.array
      #expect(all?.count == 2, "\(all ?? [])")
    }
    await printer.stop()
  }

  @Test func `what is wrong in a list is said, and the rest of it is saved`() async throws {
    let person = try await Person.anybody()
    let list = person.path("half.toml")
    try Array(
      """
      default = "office"
      [types]
      receipt = "Nobody"
      [printers.Front]
      location = "a shelf"
      [printers.Office]
      uri = "ipp://localhost:9/ipp/print"
      [printers.Till]
      uri = "ipp://localhost:9/ipp/till"
      certificate = "AB:CD"
      """.utf8
    ).write(to: list)
    let picked = try await person.airprint("pick", "--from", list, "--no-contact")
    #expect(picked.code == 78, "\(picked.report)")
    for part in [
      "Saved Office (", "Not saved: Front: \(list):4: the printer Front has no uri",
      "Not saved: Till: \(list):10: certificate takes", "it has a job type or default for Nobody",
    ] {
      #expect(picked.stderr.contains(part), "\(part): \(picked.report)")
    }
    let listed = try await person.airprint("printers", "--json").json.array
    #expect(listed?.map(\.name) == [.string("Office")])
    #expect(listed?.first?.default == .boolean(true))
    // The worst counts, and not the first.
    let asked = try await person.airprint("pick", "--from", list)
    #expect(asked.code == 69 && asked.stderr.contains("Not saved: Office: "), "\(asked.report)")
  }

  @Test func `a list's certificate has to be shown`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let list = person.path("pinned.toml")
    let wrong = Array(repeating: "AB", count: 32).joined(separator: ":")
    try Array(
      "[printers.Office]\nuri = \"\(printer.secureURI)\"\ncertificate = \"\(wrong)\"\n".utf8
    ).write(to: list)
    let refused = try await person.airprint("pick", "--from", list)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(person.printersFile == nil)
    await printer.stop()
  }

  /// Returns an Apple profile with one printer.
  private func profile(port: Int, encrypts: Bool = true) -> [UInt8] {
    Array(
      """
      <plist version="1.0"><dict><key>PayloadContent</key><array><dict>
      <key>PayloadType</key><string>com.apple.airprint</string><key>AirPrint</key><array>
      <dict><key>IPAddress</key><string>localhost</string><key>ResourcePath</key><string>ipp/print</string>
      <key>Port</key><integer>\(port)</integer><key>ForceTLS</key><\(encrypts)/></dict>
      </array></dict></array></dict></plist>
      """.utf8)
  }

  @Test func `a list takes no certificate away`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    #expect(try await person.airprint("pick", printer.secureURI, "--as", "Till").code == 0)
    let before = try #require(person.printersFile)
    try printer.changeCertificate()
    // A different printer answers there.
    let list = person.path("list.mobileconfig")
    try profile(port: printer.port).write(to: list)
    let refused = try await person.airprint("pick", "--from", list)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(person.printersFile == before)

    let unpinned = person.path("list.toml")
    try Array("[printers.Till]\nuri = \"\(printer.secureURI)\"\n".utf8).write(to: unpinned)
    let file = try person.document(PDF().bytes)
    for unseen in [["--from", unpinned], [printer.secureURI, "--as", "Till"]] {
      let saved = try await person.airprint(["pick", "--no-contact"] + unseen)
      #expect(saved.code == 0, "\(saved.report)")
      let printed = try await person.airprint("print", "-d", "Till", file)
      #expect(printed.code == 77, "\(printed.report)")
    }
    #expect(try printer.jobs().isEmpty)
    await printer.stop()
  }

  @Test func `a name that a printer of a list gives itself replaces nobody`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let others = [try await person.office("Twin"), try await person.office("Twin")]
    #expect(try await person.airprint("pick", printer.secureURI, "--as", "Twin (2)").code == 0)
    let list = person.path("list.toml")
    // The list has no names, so the printers' own names are used.
    let entries = others.map {
      """
      <dict><key>IPAddress</key><string>localhost</string><key>ResourcePath</key><string>ipp/print</string>
      <key>Port</key><integer>\($0.port)</integer></dict>
      """
    }
    try Array(
      """
      <plist version="1.0"><dict><key>PayloadContent</key><array><dict>
      <key>PayloadType</key><string>com.apple.airprint</string><key>AirPrint</key><array>
      \(entries.joined())
      </array></dict></array></dict></plist>
      """.utf8
    ).write(to: list)
    let picked = try await person.airprint("pick", "--from", list)
    #expect(picked.code == 0, "\(picked.report)")
    let listed = try await person.airprint("printers", "--json").json.array ?? []
    #expect(
      Set(listed.compactMap { $0.name?.string }) == ["Twin", "Twin (2)", "Twin (3)"], "\(listed)")
    #expect(listed.first { $0.name == .string("Twin (2)") }?.uri == .string(printer.secureURI))
    for other in others { await other.stop() }
    await printer.stop()
  }

  @Test func `an Apple profile's printers are saved by what they say`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let profile = person.path("airprint.mobileconfig")
    try Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>PayloadContent</key><array><dict>
      <key>PayloadType</key><string>com.apple.airprint</string><key>AirPrint</key><array>
      <dict><key>IPAddress</key><string>localhost</string><key>ResourcePath</key><string>ipp/print</string>
      <key>Port</key><integer>\(printer.port)</integer></dict>
      <dict><key>ResourcePath</key><string>ipp/print</string></dict>
      </array></dict></array></dict></plist>
      """.utf8
    ).write(to: profile)
    let picked = try await person.airprint("pick", "--from", profile)
    #expect(picked.code == 78, "\(picked.report)")
    #expect(picked.stderr.contains("Not saved: an entry without IPAddress"), "\(picked.stderr)")
    let listed = try await person.airprint("printers", "--json").json.array
    #expect(listed?.map(\.uri) == [.string("ipp://localhost:\(printer.port)/ipp/print")])
    await printer.stop()
  }

  @Test func `printers are contacted side by side, and reported in the list's order`() async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let list = person.path("list.toml")
    let silent = try (0..<8).map { _ in try Door.silent() }
    let uris = silent.map(\.uri) + [printer.uri]
    let entries = uris.enumerated().map { "[printers.P\($0)]\nuri = \"\($1)\"\n" }
    try Array(entries.joined().utf8).write(to: list)
    let picking = try person.start("pick", "--from", list)
    // None has answered yet.
    try await eventually("all are contacted") { silent.allSatisfy { $0.callers > 0 } }
    for door in silent { door.shut() }
    let picked = await picking.end()
    #expect(picked.code == 69, "\(picked.report)")
    let lines = picked.stderr.split(separator: "\n").map(String.init)
    #expect(lines.count == 9, "\(picked.report)")
    for (number, line) in lines.enumerated() {
      let start = number < 8 ? "Not saved: P\(number): " : "Saved P8 ("
      #expect(line.hasPrefix(start), "\(picked.report)")
    }
    await printer.stop()
  }

  @Test func `a profile that was saved unseen and then contacted has one entry a printer`()
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let list = person.path("list.mobileconfig")
    try profile(port: printer.port, encrypts: false).write(to: list)
    #expect(try await person.airprint("pick", "--from", list, "--no-contact").code == 0)
    let set = try await person.airprint("pick", "localhost", "--set", "quality=draft")
    #expect(set.code == 0, "\(set.report)")
    for _ in 0..<2 {
      let picked = try await person.airprint("pick", "--from", list)
      #expect(picked.code == 0, "\(picked.report)")
      let listed = try await person.airprint("printers", "--json").json.array ?? []
      #expect(listed.map(\.name) == [.string("localhost")], "\(listed)")
      #expect(listed.first?.settings?.quality == .string("draft"), "\(listed)")
      #expect(listed.first?.uuid?.string != nil, "\(listed)")
    }
    await printer.stop()
  }

  @Test func `what is no list is said, and nothing is saved`() async throws {
    let person = try await Person.anybody()
    let page = person.path("page.mobileconfig")
    try Array("<html><body>Sign in</body></html>".utf8).write(to: page)
    let cases: [([String], Int32)] = [
      (["--from", page], 78), (["--from", person.path("nothing")], 66),
      (["--from", page, "--as", "Till"], 64), (["--from", page, "Office"], 64),
    ]
    for (arguments, code) in cases {
      let outcome = try await person.airprint(["pick"] + arguments)
      #expect(outcome.code == code, "\(outcome.report)")
    }
    #expect(person.printersFile == nil)
  }

  /// Each printer is looked up among the others once; and each mistake has its line.
  @Test func `a list of thousands is saved in seconds`() async throws {
    let person = try await Person.anybody()
    let list = person.path("thousands.toml")
    let good = (0..<4_000).map { "[printers.t\($0)]\nuri=\"ipp://h\($0).example/ipp/print\"\n" }
    let wrong = (0..<4_000).map { "[printers.x\($0)]\nuri=1\n" }
    try Array((good + wrong).joined().utf8).write(to: list)
    let picked = try await person.airprint("pick", "--from", list, "--no-contact")
    #expect(picked.processorTime < .seconds(15), "\(picked.processorTime)")
    #expect(picked.code == 78, "\(picked.report.prefix(500))")
    #expect(
      picked.stderr.contains("Not saved: x3999: \(list):15999: the printer x3999 has no uri."))
    let listed = try await person.airprint("printers", "--json").json.array
    #expect(listed?.count == 4_000)
  }

  @Test func `what would be too long to read again is not written`() async throws {
    let person = try await Person.anybody()
    let list = person.path("long.toml")
    let path = String(repeating: "a", count: 900)
    let printers = (0..<1_100).map { "t\($0)={uri=\"ipp://h\($0).example.com/\(path)\"}\n" }
    try Array(("[printers]\n" + printers.joined()).utf8).write(to: list)
    let picked = try await person.airprint("pick", "--from", list, "--no-contact")
    #expect(picked.code == 73, "\(picked.report.prefix(500))")
    #expect(picked.stderr.contains("would be longer than 1 MB"), "\(picked.report.prefix(500))")
    #expect(person.printersFile == nil)
  }
}
