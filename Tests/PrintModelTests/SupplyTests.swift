@testable import PrintModel
import Testing

/// Messages about supplies, and about problems that stop a printer.
@Suite struct SupplyTests {
  @Test(arguments: [
    ("black", "toner", 7, "black toner 7 %"), ("other", "other", nil, nil),
    ("Yellow ink", "ink-cartridge", 6, "Yellow ink 6 %"),
    ("Color", "inkCartridge", 50, "Color ink cartridge 50 %"),
    ("Cyan Cartridge HP CF411X", "toner", 50, "Cyan Cartridge HP CF411X 50 %"),
    ("unknown", "wasteToner", 3, "waste toner 3 %"),
  ])
  func `name and type of a supply are said once`(
    _ name: String, _ type: String, _ level: Int?, _ words: String?
  ) {
    #expect(PrinterStatus.Supply(name: name, type: type, level: level).inWords == words)
  }

  @Test(
    arguments: [
      (PrinterStatus.State.idle, ["media-empty-warning"], true, nil),
      (.idle, ["media-empty-warning"], nil, "out of paper"),
      (.stopped, ["media-empty-warning"], true, "out of paper"),
      (.idle, ["media-empty-error"], true, "out of paper"),
      (.idle, [], false, "out of paper"),
      (.idle, ["cover-open"], true, "close the cover"),
      (.idle, ["toner-low-warning"], true, nil), (.stopped, [], true, "it has stopped"),
      (.processing, [], nil, nil),
    ] as [(PrinterStatus.State, [String], Bool?, String?)])
  func `what keeps a printer from printing now`(
    _ state: PrinterStatus.State, _ reasons: [String], _ isLoaded: Bool?, _ words: String?
  ) {
    let status = PrinterStatus(
      state: state, reasons: reasons, message: nil, isAcceptingJobs: true, queuedJobs: nil,
      supplies: [])
    #expect(status.trouble(isLoaded: isLoaded) == words)
  }

  @Test func `what is low is said once`() {
    let status = PrinterStatus(
      state: .idle, reasons: ["toner-low-warning", "cover-open"], message: nil,
      isAcceptingJobs: true, queuedJobs: nil,
      supplies: [.init(name: "black", type: "toner", level: 4)])
    #expect(status.reasonsInWords == ["close the cover"])
    #expect(status.low.compactMap(\.inWords) == ["black toner 4 %"])
  }
}
