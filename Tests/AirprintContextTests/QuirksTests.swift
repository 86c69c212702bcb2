import AirprintContext
import PrintModel
import TestSupport
import Testing

@Suite struct QuirksTests {
  @Test(
    arguments: [
      ("HP Color LaserJet Pro 3301", SheetBack.normal, false), ("SHARP MX-2651", nil, true),
      ("sharp bp-50c26", nil, true), ("Brother HL-L2350DW", nil, nil), (nil, nil, nil),
    ] as [(String?, SheetBack?, Bool?)])
  func `known printers are corrected`(
    _ model: String?, _ back: SheetBack?, _ makesCopies: Bool?
  ) throws {
    let quirk = try Quirks(try Folders().places).quirks(of: model).first
    #expect(quirk?.sheetBack == back)
    #expect(quirk?.makesCopiesHere == makesCopies)
    #expect(quirk?.reason.isEmpty != true)
  }

  @Test func `the administrator and the person add theirs, in this order`() throws {
    func file(_ reason: String) -> [String: String] {
      [
        "quirks.toml": """
        [[quirk]]
        model = "Example [0-9]*"
        back-side = "rotated"
        avoid = ["application/pdf"]
        reason = "\(reason)"
        source = "https://example.com/1"
        """
      ]
    }
    let folders = try Folders(user: file("mine"), system: file("theirs"))
    let quirks = try Quirks(folders.places)
    #expect(quirks.quirks(of: "EXAMPLE 7 Office").map(\.reason) == ["theirs", "mine"])
    #expect(quirks.quirks(of: "Example X").isEmpty)
    var capabilities = Capabilities()
    capabilities.formats = ["application/pdf", "image/urf"]
    capabilities.preferredFormat = "application/pdf"
    capabilities.urf = RasterSupport(
      gray: true, color: false, resolutions: [Resolution(300)], sheetBack: .normal)
    for quirk in quirks.quirks(of: "Example 7") { capabilities.correct(by: quirk) }
    #expect(capabilities.formats == ["image/urf"] && capabilities.preferredFormat == nil)
    #expect(capabilities.urf?.sheetBack == .rotated)
    #expect(capabilities.corrections == ["theirs", "mine"])
  }

  @Test(arguments: [
    ("[[quirk]]\nmodel = \"A*\"\nreason = \"x\"\nbackside = \"normal\"", 4, "back-side"),
    ("[[quirk]]\nmodel = \"A*\"\nreason = \"x\"\nback-side = \"upside-down\"", 4, "normal"),
    ("[[quirk]]\nmodel = \"A*\"\n", 1, "a model and a reason"),
    ("\n[quirks]\nmodel = \"A*\"", 2, "unknown key \"quirks\" (did you mean \"quirk\"?)"),
    ("[[quirk]]\nmodel = \"A*\"\nreason = \"x\"\ncopies = \"none\"", 4, "software"),
    ("[[quirk", 1, ""), ("\n[quirk]\nmodel = \"A*\"", 2, "[[quirk]]"),
    // The second of two
    (
      "[[quirk]]\nmodel = \"A*\"\nreason = \"x\"\ncopies = \"software\"\n\n"
        + "[[quirk]]\nmodel = \"B*\"\nreason = \"x\"\ncopies = 2", 9, "software"
    ),
    ("[[quirk]]\nmodel = \"A*\"\nreason = \"x\"\n[[quirk]]\nreason = \"x\"", 4, "a model"),
  ])
  func `a wrong line is named`(_ text: String, _ line: Int, _ fragment: String) throws {
    let folders = try Folders(user: ["quirks.toml": text])
    let failure = try #require(failureOf { _ = try Quirks(folders.places) })
    #expect(failure.code == .configuration)
    let path = "\(folders.places.configuration)/quirks.toml"
    #expect(failure.message.hasPrefix("\(path):\(line): "), "\(failure)")
    #expect(failure.message.contains(fragment), "\(failure)")
  }
}
