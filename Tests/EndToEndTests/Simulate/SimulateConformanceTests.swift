import TestSupport
import Testing

/// Checks of IPP Everywhere (PWG 5100.14) and its certification: lists that belong together have the same length,
/// defaults are single values, and jobs have UUIDs.
@Suite(.inTurn) struct SimulateConformanceTests {
  private static let profiles = [
    "laser", "inkjet", "photo", "receipt", "label", "envelope", "large-format", "save-original",
    "office", "labels-gap",
  ]

  @Test(arguments: profiles)
  func `what a profile says of itself is in order`(_ profile: String) async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate(profile)
    let said = try await simulation.attributes("get-printer-attributes.test")
    let attributes = Dictionary(
      said.split(separator: "\n").compactMap { line -> (String, String)? in
        let parts = line.split(separator: " = ", maxSplits: 1)
        let name = parts[0].split(separator: " ").first
        return parts.count == 2 && name != nil ? (String(name ?? ""), String(parts[1])) : nil
      }, uniquingKeysWith: { first, _ in first })
    func count(_ name: String) -> Int { attributes[name]?.split(separator: ",").count ?? 0 }

    #expect(count("media-source-supported") > 1, "\(said)")
    #expect(count("printer-input-tray") == count("media-source-supported"), "\(said)")
    let usual = try #require(attributes["media-col-default"])
    let size = try #require(usual.components(between: "media-size={", and: "}"))
    #expect(size.contains("y-dimension=") && !size.contains("-dimension=0"), "\(usual)")
    let lengths = size.split(separator: " ").map { $0.split(separator: "=").last ?? "" }
    #expect(lengths.allSatisfy { $0.allSatisfy(\.isNumber) }, "\(usual)")
    let name = try #require(attributes["media-default"])
    let names = attributes["media-supported"]?.split(separator: ",") ?? []
    #expect(names.contains { $0 == name }, "\(name)")
    // The PWG's document-tests print on A4 and Letter.
    let isSmall = ["photo", "receipt", "label", "envelope", "labels-gap"].contains(profile)
    for sheet in ["iso_a4_210x297mm", "na_letter_8.5x11in"] {
      #expect(names.contains { $0 == sheet } != isSmall, "\(names)")
    }
    #expect(attributes["finishings-ready"] == attributes["finishings-supported"])
    #expect(attributes["finishings-col-ready"] == attributes["finishings-col-database"])
    for supply in (attributes["printer-supply"] ?? "").split(separator: ",") {
      let kind = supply.split(separator: ";")[0].split(separator: "=").last ?? ""
      #expect(!kind.isEmpty && kind.allSatisfy { $0.isASCII && $0.isLetter }, "\(supply)")
    }
    _ = await simulation.end()
  }

  @Test func `every job has a UUID of its own`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let document = try person.document(PageShape.a5.landmarks())
    for _ in 0..<2 {
      let printed = try await person.airprint(
        "print", "-d", simulation.uri, "--resolution", "300", document)
      #expect(printed.code == 0, "\(printed.report)")
    }
    let test = try person.question(
      "Get-Jobs",
      "ATTR keyword which-jobs completed\nATTR keyword requested-attributes job-id,job-uuid",
      named: "uuids")
    let answer = try await person.bench.run(["ipptool", "-tv", simulation.uri, test]).stdout
    let uuids = answer.split(separator: "\n").filter { $0.contains("job-uuid (uri) = urn:uuid:") }
    #expect(uuids.count == 2 && Set(uuids).count == 2, "\(answer)")
    _ = await simulation.end()
  }
}

extension String {
  /// Returns the text between two markers, the first time that they occur.
  fileprivate func components(between start: String, and end: String) -> Substring? {
    guard let from = firstRange(of: start), let to = self[from.upperBound...].firstRange(of: end)
    else { return nil }
    return self[from.upperBound..<to.lowerBound]
  }
}
