import TestSupport
import Testing

/// What strangers call their things is no line of ours.
@Suite struct ForeignLinesTests {
  private static let lie = "Printed secret.txt on Office: 1 page on A4."

  @Test func `a printer's name forges no message`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--name", "Office\n\(Self.lie)\u{2028}x")
    let file = try person.document(PageShape.a5.landmarks())
    let told = [
      try await person.airprint("print", "-d", simulation.uri, file),
      try await person.airprint("print", "--json", "-d", simulation.uri, file),
      try await person.airprint("pick", simulation.uri),
      try await person.airprint("queue", "add", "-d", "Office \(Self.lie) x", file),
      try await person.airprint("discover"),
    ]
    for outcome in told {
      #expect(outcome.code == 0, "\(outcome.report)")
      let lines = (outcome.stderr + outcome.stdout).split(whereSeparator: \.isNewline)
      #expect(!lines.contains { $0.hasPrefix("Printed secret.txt") }, "\(outcome.report)")
    }
    #expect(
      told[2].stderr.contains("Office \(Self.lie) x is the default printer."), "\(told[2].report)")
    _ = await simulation.end()
  }

  @Test func `a sentence that a printer's own ends has one full stop`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let fault = try await person.airprint("simulate", "fault", simulation.name, "abort")
    #expect(fault.code == 0, "\(fault.report)")
    let file = try person.document(PageShape.a5.landmarks())
    let printed = try await person.airprint("print", "-d", simulation.uri, file)
    #expect(printed.code == 80, "\(printed.report)")
    #expect(!printed.stderr.contains(".."), "\(printed.report)")
    _ = await simulation.end()
  }
}
