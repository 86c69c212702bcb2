import TestSupport
import Testing

/// Names and messages from others never forge a line of our output.
@Suite struct ForeignLinesTests {
  private static let lie = "Printed secret.txt on Office: 1 page on A4."

  @Test func `a printer's name and its messages forge no line`() async throws {
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, state in
      request.operation == OddPrinter.createJob && state.next == 3
        ? .answer(status: 0x0503, message: "No\r\n\(Self.lie)") : .usual
    }
    printer.with { $0.name = "Office\n\(Self.lie)\u{2028}x" }
    let file = try person.document(PDF().bytes)
    let told = [
      try await person.airprint("print", "-d", printer.uri, file),
      try await person.airprint("print", "--json", "-d", printer.uri, file),
      try await person.airprint("pick", printer.uri),
      try await person.airprint("show", printer.uri),
    ]
    let refused = try await person.airprint("print", "-d", printer.uri, file)
    #expect(refused.code != 0 && refused.stderr.contains("No \(Self.lie)"), "\(refused.report)")
    for outcome in told + [refused] {
      let lines = (outcome.stderr + outcome.stdout).split(whereSeparator: \.isNewline)
      #expect(!lines.contains { $0.hasPrefix("Printed secret.txt") }, "\(outcome.report)")
    }
    for outcome in told { #expect(outcome.code == 0, "\(outcome.report)") }
    let name = "Office \(Self.lie) x"
    #expect(told[2].stderr.contains("\(name) is the default printer."), "\(told[2].report)")
    printer.close()
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
