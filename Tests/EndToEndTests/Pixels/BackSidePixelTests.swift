import TestSupport
import Testing

/// All ways in which printers expect the backs of sheets, on one and two sides, in URF and PWG Raster: a reader who
/// turns the sheet sees every page upright.
@Suite(.inTurn) struct BackSidePixelTests {
  /// Only the value for the format that is sent counts, so a printer's two formats have different values.
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

  /// Landscape pages have the same edge at the top on both sides: when the sheet is turned over the requested edge,
  /// they can be read on.
  @Test func `landscape pages are turned alike on both sides`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(urf: 3)
    for binding in [Binding.longEdge, .shortEdge] {
      let sides = try await person.sides(
        at: printer, PageShape.a5.turned.landmarks(pages: 2), "--format", "urf", "--scaling",
        "none",
        "--sides", binding.option)
      try #require(sides.count == 2)
      sides[0].expect(1, of: .a5.turned, at: A5.whole, .topAtLeft)
      sides[1].expect(
        2, of: .a5.turned, at: A5.whole, .topAtLeft,
        seen: { binding.seen(Feed.rotated.landing($0, binding, sides[1]), sides[1]) })
    }
    await printer.stop()
  }
}

/// The way to turn a sheet to read its back.
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

  /// Returns the position on the back of `area` on a portrait sheet's front, as the reader sees it.
  ///
  /// Turned like a book's page, left and right are swapped; like a calendar's, top and bottom.
  func seen(_ area: Area, _ side: Sheet) -> Area {
    switch self {
    case .none: area
    case .longEdge: area.mirrored(in: side.whole.width)
    case .shortEdge: area.flipped(in: side.whole.height)
    }
  }
}

/// The way a printer's duplex unit moves the sheet: the position of the back's pixels, seen from the front as if the
/// sheet were transparent.
///
/// Only for kind `normal` does the printer take the binding into account.
enum Feed: Sendable {
  case normal, flipped, rotated, manualTumble

  /// The kinds in the order of URF's DM1 to DM4.
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

  /// Returns CrossFeedTransform and FeedTransform of a back (PWG 5102.4, table 9).
  func transforms(_ binding: Binding) -> [Int] {
    switch (self, binding) {
    case (.flipped, .longEdge): [1, -1]
    case (.flipped, .shortEdge): [-1, 1]
    case (.rotated, .longEdge), (.manualTumble, .shortEdge): [-1, -1]
    default: [1, 1]
    }
  }
}
