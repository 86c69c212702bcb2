import TestSupport
import Testing

/// Several saved names of one printer.
@Suite(.inTurn, .needsNamespaces) struct RoleTests {
  @Test func `a saved name is no role's, and a role's settings are only its own`() async throws {
    let bench = try await Bench()
    let person = try Person(at: bench)
    _ = try await person.printer("Till", Attributes.office, subtypes: ["_print", "_universal"])
    let file = try person.document(PDF().bytes)
    func plan(_ name: String) async throws -> JSON {
      let plan = try await person.airprint("print", "-d", name, "--dry-run", "--json", file)
      #expect(plan.code == 0, "\(plan.report)")
      return try plan.json
    }
    func says(_ arguments: String...) async throws -> String {
      let said = try await person.airprint(arguments)
      #expect(said.code == 0, "\(said.report)")
      return said.stdout + said.stderr
    }
    _ = try await says("pick", "Till", "--set", "quality=draft")
    _ = try await says("pick", "Till", "--as", "Aa", "--set", "copies=2")
    // "Aa" sorts before "Till", which has the same URI, UUID and DNS-SD name.
    let own = try await plan("till")
    #expect(own.printer == .string("Till") && own.copies == .number(1))
    #expect(own.quality == .string("draft"))
    let role = try await plan("Aa")
    #expect(role.printer == .string("Aa") && role.copies == .number(2))
    #expect(role.quality != .string("draft"))
    #expect(
      try await says("default", "Till", "--type", "photo") == "Photos will print on Till.\n")
    #expect(try await says("status", "Till").hasPrefix("Till: ready"))
    // Picked again, it keeps its settings.
    _ = try await says("pick", "Till", "--type", "document")
    #expect(try await plan("Till").quality == .string("draft"))
    #expect(try await says("forget", "till").hasPrefix("Forgot Till.\n"))
    // Of the printer, only the role is saved now.
    let bare = try await plan("Till")
    #expect(bare.printer == .string("Till") && bare.copies == .number(1))
    #expect(try await says("status", "Till").hasPrefix("Till: ready"))
    let default_ = try await person.airprint("default", "Till")
    #expect(
      default_.code == 69
        && default_.stderr.contains("No printer is saved as \"Till\" (Aa is that printer);"),
      "\(default_.report)")
    #expect(try await person.airprint("forget", "Till").code == 69)
    #expect(try await says("pick", "Till").contains("Saved Till ("))
    let saved = try await person.airprint("printers", "--json").json.array
    #expect(saved?.map { $0.name } == [.string("Aa"), .string("Till")])
    #expect(saved?.map { $0.settings?.copies } == [.string("2"), nil])
    await bench.close()
  }
}
