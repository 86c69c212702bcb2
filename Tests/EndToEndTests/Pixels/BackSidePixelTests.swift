import TestSupport
import Testing

/// Every way in which printers want the backs of sheets, on one and two sides, in URF and PWG Raster: a
/// reader who turns the sheet sees every page upright.
@Suite(.inTurn) struct BackSidePixelTests {
  /// The value of the format that is sent counts, so the two formats of a printer differ.
  @Test(arguments: [
    (1, Feed.flipped), (2, .rotated), (3, .manualTumble), (4, .normal),
  ])
  func `turned over, every page is upright`(_ urf: Int, _ pwg: Feed) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(urf: urf, pwg: pwg.keyword)
    let document = PageShape.a5.landmarks(pages: 3)
    for (format, feed) in [("urf", Feed.dm[urf - 1]), ("pwg", pwg)] {
      for binding in Binding.allCases {
        let job = try await person.nextJob(
          at: printer, document, ["--format", format, "--sides", binding.option])
        #expect(job["sides"] == binding.keyword)
        if format == "urf" { #expect(announcedPages(job.document) == 3) }
        let sides = try printer.sheets(of: job)
        try #require(sides.count == 3)
        for (index, side) in sides.enumerated() {
          let isBack = binding != .none && index == 1
          #expect(side.isDuplex == (binding != .none))
          #expect(side.isTumble == (binding == .shortEdge))
          side.expect(
            index + 1, of: .a5, at: A5.whole,
            seen: { isBack ? binding.seen(feed.landing($0, binding, side), side) : $0 })
          if format == "pwg" {
            #expect(side.totalPages == 3)
            #expect(side.transforms == (isBack ? pwg.transforms(binding) : [1, 1]))
          }
        }
      }
    }
    await printer.stop()
  }

  /// Landscape pages lie along the same edge of both sides: turned over the edge that is asked for, they
  /// can be read on.
  @Test func `landscape pages are turned alike on both sides`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(urf: 3)
    for binding in [Binding.longEdge, .shortEdge] {
      let sides = try await person.sides(
        at: printer, PageShape.a5.turned.landmarks(pages: 2), "--format", "urf", "--sides",
        binding.option)
      try #require(sides.count == 2)
      sides[0].expect(1, of: .a5.turned, at: A5.whole, .topAtLeft)
      sides[1].expect(
        2, of: .a5.turned, at: A5.whole, .topAtLeft,
        seen: { binding.seen(Feed.rotated.landing($0, binding, sides[1]), sides[1]) })
    }
    await printer.stop()
  }
}

/// How a sheet is turned to read its back.
enum Binding: CaseIterable {
  case none, longEdge, shortEdge

  var option: String {
    switch self {
    case .none: "one"
    case .longEdge: "long"
    case .shortEdge: "short"
    }
  }

  var keyword: String {
    switch self {
    case .none: "one-sided"
    case .longEdge: "two-sided-long-edge"
    case .shortEdge: "two-sided-short-edge"
    }
  }

  /// What the reader of the back sees of something that lies behind `area` of a portrait sheet's front:
  /// turned like a book's leaf left and right change places, turned like a calendar's top and bottom.
  func seen(_ area: Area, _ side: Sheet) -> Area {
    switch self {
    case .none: area
    case .longEdge: area.mirrored(in: side.whole.width)
    case .shortEdge: area.flipped(in: side.whole.height)
    }
  }
}

/// How a printer's duplex unit moves the sheet: where the back's pixels land, seen from the front
/// as if the sheet were glass.
///
/// Only a printer of kind `normal` minds how the sheet will be bound.
enum Feed: Sendable {
  case normal, flipped, rotated, manualTumble

  /// In the order of URF's DM1 to DM4.
  static let dm: [Feed] = [.normal, .flipped, .rotated, .manualTumble]

  var keyword: String {
    switch self {
    case .normal: "normal"
    case .flipped: "flipped"
    case .rotated: "rotated"
    case .manualTumble: "manual-tumble"
    }
  }

  func landing(_ area: Area, _ binding: Binding, _ side: Sheet) -> Area {
    let (width, height) = (side.whole.width, side.whole.height)
    return switch self {
    case .normal: binding.seen(area, side)
    // The leading edge of the front is the trailing edge of the back.
    case .rotated: area.flipped(in: height)
    case .manualTumble: area.mirrored(in: width)
    case .flipped: area.mirrored(in: width).flipped(in: height)
    }
  }

  /// PWG 5102.4, table 9: CrossFeedTransform and FeedTransform of a back.
  func transforms(_ binding: Binding) -> [Int] {
    switch (self, binding) {
    case (.flipped, .longEdge): [1, -1]
    case (.flipped, .shortEdge): [-1, 1]
    case (.rotated, .longEdge), (.manualTumble, .shortEdge): [-1, -1]
    default: [1, 1]
    }
  }
}
