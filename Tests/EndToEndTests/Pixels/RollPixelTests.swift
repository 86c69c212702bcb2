import TestSupport
import Testing

/// Rolls: cut at the end of the content, at 100 %, over the 72 mm that an 80 mm receipt printer prints.
@Suite(.inTurn) struct RollPixelTests {
  /// The receipt printer's margin on every side.
  static let margin = points(400)

  /// Returns a receipt whose ink ends `length` points down a longer page.
  private func receipt(_ width: Double, _ lengths: Double...) -> [UInt8] {
    PDF(
      pages: lengths.map { length in
        PDF.Page(
          width: width, height: 900,
          marks: [
            PDF.Mark(x: 0, y: 0, width: width / 2, height: 20),
            PDF.Mark(x: 0, y: length - 10, width: width, height: 10),
          ])
      }
    ).bytes
  }

  /// Checks that the side is cut at `length` points, rounded up to the next millimeter.
  private func expectCut(
    _ side: Sheet, at length: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let rest = side.whole.height - length
    #expect(
      rest > -side.pixel && rest < 72 / 25.4 + side.pixel,
      "cut at \(side.whole.height) pt, not \(length)", sourceLocation: sourceLocation)
  }

  @Test func `every page of a receipt is cut where its own content ends`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.printer(
      "Till", Attributes.till + ["enum finishings-supported 3,60"])
    for format in ["urf", "pwg"] {
      let job = try await person.nextJob(
        at: printer, receipt(204.1, 170, 300, 85),
        ["--type", "receipt", "--format", format], name: "receipt.pdf")
      let sides = try printer.sheets(of: job)
      try #require(sides.count == 3)
      for (side, length) in zip(sides, [170.0, 300, 85]) {
        expectCut(side, at: length + 2 * Self.margin)
        let ink = try #require(side.ink)
        #expect(ink.isAt(Self.margin, Self.margin, 204.1, length), "\(ink)")
        // PWG 5102.4: 4 means after every page.
        #expect(side.cutMedia == (format == "pwg" ? 4 : 0))
      }
      // The ticket has the longest length.
      let longest = Int(sides[1].whole.height / 72 * 25.4 + 0.5) * 100
      #expect(job["media-col"]?.contains("y-dimension=\(longest)") == true)
    }
    await printer.stop()
  }

  @Test(arguments: [
    // Narrower than the printable width: centered.
    (100.0, Area(margin + 52.05, margin, 100, 200), 200 + 2 * margin),
    // Made for the roll including its margins: drawn from edge to edge, with its own top margin.
    (226.8, Area(0, 0, 226.8, 200), 200 + margin),
    // Wider: scaled to the printable width.
    (408.2, Area(margin, margin, 204.1, 100), 100 + 2 * margin),
  ])
  func `pages narrower and wider than the roll`(
    _ width: Double, _ area: Area, _ length: Double
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let side = try #require(
      try await person.sides(at: printer, receipt(width, 200), "--type", "receipt").first)
    let ink = try #require(side.ink)
    #expect(ink.isAt(area.left, area.top, area.width, area.height), "\(ink)")
    expectCut(side, at: length)
    await printer.stop()
  }

  @Test(arguments: [("max", 2_000.0), ("120mm", 120), ("40mm", 40)])
  func `cut where the person says, and the content stays at the top`(
    _ wish: String, _ millimeters: Double
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let side = try #require(
      try await person.sides(
        at: printer, receipt(204.1, 170), "--type", "receipt", "--cut-length", wish
      ).first)
    #expect(side.height == Int(millimeters * 203 / 25.4))
    let ink = try #require(side.ink)
    // 40 mm are shorter than the content, so only the first mark is left.
    let isWhole = millimeters > 80
    #expect(
      ink.isAt(Self.margin, Self.margin, isWhole ? 204.1 : 102.05, isWhole ? 170 : 20), "\(ink)")
    await printer.stop()
  }

  @Test(arguments: [
    ("till.txt", (1...60).map { "\($0) Espresso  \($0).80" }.joined(separator: "\n")),
    ("till.html", (1...60).map { "<p>\($0) Espresso</p>" }.joined()),
  ])
  func `what is longer than its cut is printed in pieces`(_ name: String, _ text: String)
    async throws
  {
    let person = try await Person.anybody()
    let printer = try await person.till()
    func pieces(_ options: String...) async throws -> [Ink?] {
      let job = try await person.nextJob(
        at: printer, Array(text.utf8), ["--type", "receipt"] + options, name: name)
      return try printer.sheets(of: job).map(\.ink)
    }
    let cut = try await pieces("--cut-length", "60mm")
    #expect(cut.count > 3 && cut.allSatisfy { $0 != nil }, "\(cut)")
    #expect(try await pieces("--paper", "80x60mm") == cut)
    await printer.stop()
  }

  @Test(arguments: [("receipt", 1), ("label", 2)])
  func `a form feed begins a label, and is a gap on a receipt`(
    _ type: String, _ pieces: Int
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let sides = try await person.sides(
      at: printer, Array("Anna\nStreet 1\n\u{C}Bob\nWay 2\n".utf8), "--type", type, "--force",
      name: "a.txt")
    #expect(sides.count == pieces && sides.allSatisfy { $0.ink != nil })
    await printer.stop()
  }

  @Test func `what is lost behind the cut is counted, and refused with --strict`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    let file = try person.document(receipt(204.1, 170), "till.pdf")
    let options = ["-d", printer.uri, "--type", "receipt", "--cut-length", "40mm", file]
    for command in [["print", "--dry-run", "--json"], ["print", "--json"]] {
      let told = try await person.airprint(command + options)
      #expect(told.code == 0, "\(told.report)")
      let losses = try #require(try told.json.losses?.array)
      #expect(losses.count == 1 && losses[0].reason == .string("beyond-cut"), "\(told.report)")
      #expect(losses[0].page == .number(1) && losses[0].edge == .string("bottom"))
      let beyond = try #require(losses[0].millimeters?.number)
      // 60 mm of content between margins of 4 mm.
      #expect(abs(beyond - 28) < 1, "\(beyond)")
      #expect(try told.json.warnings?.strings == losses.map { $0.message?.string ?? "" })
    }
    let sheets = try printer.jobs().count
    let strict = try await person.airprint(["print", "--strict"] + options)
    #expect(strict.code == 64 && strict.stderr.contains("the rest is lost"), "\(strict.report)")
    #expect(try printer.jobs().count == sheets)
    await printer.stop()
  }

  @Test func `a text receipt is set across the roll and cut after its last line`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.till()
    // Both are longer than the shortest cut, one inch.
    let lines = (1...8).map { "\($0) Espresso  \($0).80" }
    let texts = [lines, lines + lines]
    var heights: [Double] = []
    for text in texts {
      let sides = try await person.sides(
        at: printer, Array(text.joined(separator: "\n").utf8), "--type", "receipt",
        name: "receipt.txt")
      let side = try #require(sides.first)
      #expect(sides.count == 1)
      let ink = try #require(side.ink)
      #expect(abs(ink.left - Self.margin) < 3 && abs(ink.top - Self.margin) < 8, "\(ink)")
      #expect(ink.right < side.whole.width - Self.margin + 1)
      // Below the last line there is room for descenders, the margin, and rounding up to the next millimeter.
      let below = side.whole.height - ink.bottom - Self.margin
      #expect((0...12).contains(below), "\(below)")
      heights.append(side.whole.height)
    }
    // Eight more lines, each at least eight points high.
    #expect(heights[1] - heights[0] > 64)
    await printer.stop()
  }
}
