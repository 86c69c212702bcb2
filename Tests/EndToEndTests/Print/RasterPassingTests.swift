import TestSupport
import Testing

/// Raster from another program: sent unchanged if the printer accepts it, or else drawn again, with the reason.
@Suite(.inTurn) struct RasterPassingTests {
  @Test func `what fits goes byte for byte, what does not is drawn anew`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let page = PageShape.a5.landmarks()
    func raster(_ suffix: String, _ options: String...) async throws -> [UInt8] {
      let output = person.path("made.\(suffix)")
      let made = try await person.airprint(
        ["render", try person.document(page), "-o", output, "--paper", "A5"] + options)
      try #require(made.code == 0, "\(made.report)")
      return try bytes(of: output)
    }
    for suffix in ["urf", "pwg"] {
      let fitting = try await raster(suffix, "--resolution", "100")
      let job = try await person.nextJob(
        at: printer, fitting, ["--type", "document"], name: "fits.\(suffix)")
      let isSame = job.document == fitting
      #expect(isSame, "\(suffix) goes as it is")
      for (options, why) in [
        (["-n", "2"], "copies"), (["--color", "gray"], "gray"),
        (["--number-up", "2"], "its pages have to be changed"),
      ] {
        let plan = try await person.airprint(
          ["print", "-d", printer.uri, "--dry-run", "--json"] + options
            + [try person.document(fitting, "fits.\(suffix)")])
        let reasons = try plan.json.reasons?.strings ?? []
        #expect(
          reasons.contains { $0.contains("drawn again") && $0.contains(why) }, "\(plan.report)")
      }
    }
    let fine = try await raster("pwg", "--resolution", "200")
    let redrawn = try await person.nextJob(at: printer, fine, name: "fine.pwg")
    #expect(redrawn.document != fine)
    let side = try #require(try printer.sheets(of: redrawn).first)
    #expect(side.resolution == 100)
    await printer.stop()
  }
}
