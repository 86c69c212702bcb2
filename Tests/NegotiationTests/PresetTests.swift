import Capability
import FoundationEssentials
import Negotiation
import PrintModel
import PrintOptions
import Testing

/// `--preset`: values that the printer keeps (job-presets-supported, PWG 5100.13-2023).
@Suite struct PresetTests {
  private static let presets = """
    ATTR collection job-presets-supported
      { MEMBER name preset-name "Draft gray" MEMBER keyword preset-category printing
        MEMBER enum print-quality 3 MEMBER keyword print-color-mode monochrome
        MEMBER keyword sides one-sided MEMBER keyword output-bin face-up MEMBER enum finishings 3
        MEMBER collection media-col { MEMBER keyword media-source tray-2 } },
      { MEMBER name preset-name Other MEMBER keyword sides two-sided-long-edge
        MEMBER keyword media iso_a3_297x420mm },
      { MEMBER keyword sides one-sided }
    """

  private static let triggers = """
    ATTR collection job-triggers-supported
      { MEMBER name preset-name Absent MEMBER enum print-quality 5 },
      { MEMBER name preset-name "Draft gray" MEMBER enum print-quality 5
        MEMBER collection media-col { MEMBER keyword media-type stationery } }
    """

  private func plan(
    _ preset: String?, _ options: [PrintOption: String] = [:],
    settings: [PrintOption: String] = [:],
    isSetting: Bool = false
  ) throws -> Ticket {
    let file = "\(Samples.folder)/office-laser.conf"
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
    let printer = Capabilities(

      reading: AttributeSet(
        try AttributeFile.attributes(of: text + "\n" + Self.presets + "\n" + Self.triggers)))
    var request = PrintRequest()
    for (option, value) in settings {
      try option.apply(value, to: &request, from: "config.toml")
    }
    if let preset {
      try PrintOption.preset.apply(preset, to: &request, from: isSetting ? "config.toml" : nil)
    }
    for (option, value) in options { try option.apply(value, to: &request) }
    return try negotiate(request, document: Sample.threePages.info, with: printer, region: .a4)
  }

  @Test func `its values are those of the job, above settings`() throws {
    let ticket = try plan("draft gray", settings: [.quality: "high", .sides: "long"])
    #expect(ticket.quality == .draft && ticket.color == .gray && ticket.sides == .oneSided)
    #expect(ticket.paper.source == "tray-2")
    #expect(AttributeSet(ticket.attributes).string("output-bin") == "face-up")
    #expect(
      ticket.reasons.contains(
        "preset: Draft gray, as requested; it comes before the setting of quality and sides"))
    #expect(ticket.reasons.contains("quality: draft, from preset Draft gray"))
    #expect(try plan("Other").paper.title == "A3")
  }

  @Test func `what is typed counts more`() throws {
    let ticket = try plan(
      "Draft gray", [.quality: "high", .tray: "tray-1", .option: "output-bin=face-down"])
    #expect(ticket.quality == .high && ticket.color == .gray)
    #expect(ticket.paper.source == "tray-1")
    #expect(AttributeSet(ticket.attributes).string("output-bin") == "face-down")
    let stapled = try plan("Draft gray", [.option: "finishings=staple"])
    #expect(AttributeSet(stapled.attributes)["finishings"]?.values == [.enumeration(4)])
    #expect(!stapled.reasons.contains { $0.hasPrefix("finishings: ") })
    #expect(ticket.reasons.contains("finishings: none, from the preset"), "\(ticket.reasons)")
    // So does lp's name of an option.
    #expect(try plan("Draft gray", [.option: "print-quality=5"]).quality == .high)
  }

  @Test func `a job brings one along, below what was typed and set`() throws {
    let job: [PrintOption: String] = [.quality: "high", .tray: "tray-1"]
    let ticket = try plan(nil, job, settings: [.sides: "long"])
    #expect(ticket.color == .gray && ticket.quality == .high && ticket.sides == .longEdge)
    #expect(ticket.paper.source == "tray-1")
    #expect(ticket.reasons.contains("preset: Draft gray, from the printer, for such a job"))
    #expect(AttributeSet(ticket.attributes).string("output-bin") == "face-up")
    // Every value of the trigger is needed, and a preset that was requested comes first.
    #expect(try plan(nil, [.tray: "tray-1"]).color == .color)
    #expect(try plan("Other", [.quality: "high"]).color == .color)
  }

  @Test func `64: a name that the printer has not; a setting is left out`() throws {
    let failure = #expect(throws: Failure.self) { try plan("Draft grey") }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message
        == "--preset Draft grey: Example Office Laser 4000 has no such preset (did you "
        + "mean \"Draft gray\"?); it has Draft gray and Other.")
    let ticket = try plan("Photo", isSetting: true)
    #expect(
      ticket.reasons.contains(
        "preset: none, Example Office Laser 4000 has no \"Photo\", which is from config.toml"))
  }
}
