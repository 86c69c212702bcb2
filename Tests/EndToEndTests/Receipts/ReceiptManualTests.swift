import FoundationEssentials
import TestSupport
import Testing

/// The examples of airprint-receipt(5) and docs/receipt.md: correct, and with pictures.
@Suite struct ReceiptManualTests {
  private static let root = #filePath.split(separator: "/").dropLast(4)
    .reduce(into: "") { $0 += "/\($1)" }
  private static let folder = "\(root)/docs/receipt"

  /// The names of the examples, without suffix.
  static var examples: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".receipt") }.map { String($0.dropLast(8)) }.sorted()
  }

  @Test func `there is an example of every element`() {
    #expect(
      Self.examples == [
        "align", "barcode", "columns", "cut", "direction", "escape", "image", "qr", "rule", "style",
        "text",
        "till", "title",
      ])
  }

  @Test(arguments: examples)
  func `an example prints, is in the manual, and its picture is of it`(_ name: String) async throws
  {
    let person = try await Person.anybody()
    let source = "\(Self.folder)/\(name).receipt"
    let output = person.path("\(name).png")
    let shown = try await person.airprint(
      "preview", "--strict", "--json", "--paper", "80mm", source, "-o", output)
    #expect(shown.code == 0, "\(shown.report)")
    let pictures = try #require(try shown.json.strings)
    for picture in pictures {
      let committed = try bytes(of: "\(Self.folder)/\(picture.split(separator: "/").last ?? "")")
      #expect(committed.count < 20_000, "\(picture)")
      let (now, then) = (
        try Sheet(picture: try bytes(of: picture), resolution: 150),
        try Sheet(picture: committed, resolution: 150)
      )
      // Fonts are slightly different on each machine.
      #expect(now.width == then.width && abs(now.height - then.height) <= 12, "run make pictures")
      let ink = (now.bands().map(\.dark).reduce(0, +), then.bands().map(\.dark).reduce(0, +))
      #expect(abs(ink.0 - ink.1) * 8 < ink.1, "run make pictures: \(name) \(ink)")
    }
    let text = String(decoding: try bytes(of: source), as: UTF8.self)
    let page = String(decoding: try bytes(of: "\(Self.root)/docs/receipt.md"), as: UTF8.self)
    #expect(page.contains("```receipt\n\(text)```\n"), "docs/receipt.md has another \(name)")
    #expect(page.contains("receipt/\(pictures.count == 1 ? name : name + "-1").png"))
    let manual = String(
      decoding: try bytes(of: "\(Self.root)/man/templates/airprint-receipt.5.in"), as: UTF8.self)
    #expect(manual.contains("\n@FILE docs/receipt/\(name).receipt@\n"))
  }
}
