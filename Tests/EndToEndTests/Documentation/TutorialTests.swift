import FoundationEssentials
import TestSupport
import Testing

/// The pages of docs/ with commands: they work as written.
@Suite(.inTurn) struct TutorialTests {
  @Test func `a till in ten minutes`() async throws {
    let reader = try await Reader(printers: ["Till": "receipt", "Kitchen": "receipt"])
    try await reader.follow("till")
    await reader.close()
  }

  @Test func `a kiosk with two printers`() async throws {
    let reader = try await Reader(
      printers: ["Photo Booth": "photo", "Spare": "photo", "Till": "receipt"])
    try reader.write(try bytes(of: "\(Reader.repository)/docs/pictures/beach.svg"), to: "beach.svg")
    try await reader.follow("kiosk")
    await reader.close()
  }

  @Test func `a fleet of tills`() async throws {
    let reader = try await Reader(printers: ["Till": "receipt", "Office": "laser"])
    try await reader.follow("fleet")
    await reader.close()
  }

  @Test func `designing for paper`() async throws {
    let reader = try await Reader(
      printers: ["Office Laser": "laser", "Till": "receipt", "Labels": "label"])
    try await reader.follow("paper")
    await reader.close()
  }
}

extension Reader {
  /// Runs everything in `docs/NAME.md`.
  func follow(_ name: String) async throws {
    let file = "docs/\(name).md"
    let page = TutorialPage(
      String(decoding: try bytes(of: "\(Self.repository)/\(file)"), as: UTF8.self))
    let outcome = try await type(page.script)
    #expect(outcome.code == 0, "\(file): \(outcome.report)")
    for (command, shown, said) in page.compare(with: outcome.stdout) {
      #expect(said.matches(shown), "\(file): \(command)\n\(said)")
    }
  }
}
