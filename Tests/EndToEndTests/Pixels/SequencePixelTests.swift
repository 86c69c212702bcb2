import TestSupport
import Testing

/// The pages of each side: copies, ranges, several pages per side.
@Suite(.inTurn) struct SequencePixelTests {
  @Test(arguments: ["urf", "pwg"])
  func `copies of an odd number of pages begin on fronts, and the heads count every side`(
    _ format: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let document = PageShape.a5.landmarks(pages: 5)
    // 0 is a blank side.
    let expectations: [([String], [Int])] = [
      (["-n", "3", "--sides", "long", "-P", "1-3"], [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
      (["-n", "2", "--sides", "short", "-P", "2-3,5"], [2, 3, 5, 0, 2, 3, 5]),
      (["-n", "2", "--sides", "long", "-P", "4-"], [4, 5, 4, 5]),
      (["-n", "3", "--sides", "one", "-P", "1,3"], [1, 3, 1, 3, 1, 3]),
      (["-n", "3", "--sides", "long", "-P", "2"], [2, 2, 2]),
      (["-P", "1-2,4-", "--sides", "one"], [1, 2, 4, 5]),
      (["--odd", "--sides", "one"], [1, 3, 5]),
      (["--even", "--reverse", "--sides", "one"], [4, 2]),
      (["--even", "-P", "2-3,5-", "--sides", "one"], [2]),
      (["--reverse", "--sides", "long", "-n", "2"], [5, 0, 3, 4, 1, 2, 5, 0, 3, 4, 1, 2]),
    ]
    for (options, numbers) in expectations {
      let job = try await person.nextJob(
        at: printer, document, options + ["--format", format])
      let sides = try printer.sheets(of: job)
      #expect(sides.map { $0.number() ?? 0 } == numbers, "\(options)")
      if format == "urf" {
        #expect(announcedPages(job.document) == numbers.count)
      } else {
        #expect(sides.allSatisfy { $0.totalPages == numbers.count })
      }
      // The copies are in the raster: if the printer received the number as well, it would print nine.
      #expect(job["copies"] == nil || job["copies"] == "1")
      for (side, number) in zip(sides, numbers) where number == 0 { #expect(side.ink == nil) }
    }
    await printer.stop()
  }

  /// The columns and rows, and true if the sheet is turned for them.
  @Test(arguments: [
    (2, PageShape(300, 380), Grid(2, 1, isTurned: true)),
    (4, PageShape(300, 380), Grid(2, 2)),
    (6, PageShape(300, 380), Grid(3, 2, isTurned: true)),
    (9, PageShape(300, 380), Grid(3, 3)),
    (16, PageShape(300, 380), Grid(4, 4)),
    (2, PageShape(380, 300), Grid(1, 2)),
    (4, PageShape(380, 300), Grid(2, 2, isTurned: true)),
    (6, PageShape(380, 300), Grid(2, 3)),
    (9, PageShape(380, 300), Grid(3, 3, isTurned: true)),
    (16, PageShape(380, 300), Grid(4, 4, isTurned: true)),
  ])
  func `several pages on a side, in reading order`(
    _ count: Int, _ page: PageShape, _ grid: Grid
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let sides = try await person.sides(
      at: printer, page.landmarks(pages: count + 1), "--number-up", "\(count)", "--sides", "one")
    try #require(sides.count == 2)
    for number in 1...count + 1 {
      let cell = grid.cell((number - 1) % count)
      let place = grid.isTurned ? cell.fitted(page.turned) : cell.fitted(page)
      sides[(number - 1) / count].expect(
        number, of: page, at: place, grid.isTurned ? .topAtLeft : .upright, in: cell)
    }
    // The last side has one page, and nothing next to it.
    #expect(sides[1].number(scale: 1, in: grid.cell(1)) == nil)
    await printer.stop()
  }

  @Test func `several pages on both sides, in copies, from a range`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(urf: 3)
    let page = PageShape(300, 424)
    let job = try await person.nextJob(
      at: printer, page.landmarks(pages: 7),
      ["-P", "2-", "--number-up", "2", "--sides", "short", "-n", "2"])
    let sides = try printer.sheets(of: job)
    let pairs = [[2, 3], [4, 5], [6, 7], [], [2, 3], [4, 5], [6, 7]]
    #expect(announcedPages(job.document) == pairs.count)
    try #require(sides.count == pairs.count)
    let grid = Grid(2, 1, isTurned: true, in: A5.printableTwice)
    for (side, pair) in zip(sides, pairs) {
      if pair.isEmpty { #expect(side.ink == nil) }
      for (index, number) in pair.enumerated() {
        let cell = grid.cell(index)
        // If the sheet is turned over its short edge, a `rotated` printer expects the back as it is read.
        side.expect(number, of: page, at: cell.fitted(page.turned), .topAtLeft, in: cell)
      }
    }
    await printer.stop()
  }

  @Test func `sheets of a booklet, folded in the middle, have their pages in order`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(urf: 3)
    let page = PageShape(300, 424)
    let expectations: [([String], [[Int?]])] = [
      (["--booklet"], [[nil, 1], [2, nil], [6, 3], [4, 5]]),
      (["--booklet", "--even"], [[2, nil], [4, 5]]),
      (["--odd", "--number-up", "2", "--reverse"], [[5, 6], [1, 2]]),
    ]
    for (options, pairs) in expectations {
      let job = try await person.nextJob(at: printer, page.landmarks(pages: 6), options)
      let sides = try printer.sheets(of: job)
      let isTwoSided = pairs.count == 4
      #expect(job["sides"] == (isTwoSided ? "two-sided-short-edge" : "one-sided"))
      try #require(sides.count == pairs.count, "\(options)")
      let grid =
        isTwoSided
        ? Grid(2, 1, isTurned: true, in: A5.printableTwice) : Grid(2, 1, isTurned: true)
      for (side, pair) in zip(sides, pairs) {
        for (index, number) in pair.enumerated() {
          let cell = grid.cell(index)
          if let number {
            side.expect(number, of: page, at: cell.fitted(page.turned), .topAtLeft, in: cell)
          } else {
            #expect(side.number(scale: 1, in: cell) == nil)
          }
        }
      }
    }
    // A single page is the front, also where the back can't be printed: nothing is on it.
    for options in [["--booklet"], ["--booklet", "--sides", "one"]] {
      let job = try await person.nextJob(at: printer, page.landmarks(pages: 1), options)
      let side = try #require(try printer.sheets(of: job).first)
      let cell = Grid(2, 1, isTurned: true).cell(1)
      side.expect(1, of: page, at: cell.fitted(page.turned), .topAtLeft, in: cell)
    }
    await printer.stop()
  }
}

/// A grid of cells on the printable part of A5, in reading order.
struct Grid: Sendable {
  var columns: Int
  var rows: Int
  var isTurned: Bool
  var printable: Area

  init(_ columns: Int, _ rows: Int, isTurned: Bool = false, in printable: Area = A5.printable) {
    self.columns = columns
    self.rows = rows
    self.isTurned = isTurned
    self.printable = printable
  }

  /// Returns a cell on the sheet, without the three points around it that separate pages.
  ///
  /// On a turned sheet, the first column is the lowest part of the sheet, and its left is the sheet's bottom.
  func cell(_ index: Int) -> Area {
    let (column, row) = (Double(index % columns), Double(index / columns))
    let (width, height) =
      isTurned
      ? (printable.height / Double(columns), printable.width / Double(rows))
      : (printable.width / Double(columns), printable.height / Double(rows))
    let whole =
      isTurned
      ? Area(
        printable.left + row * height, printable.bottom - (column + 1) * width, height, width)
      : Area(printable.left + column * width, printable.top + row * height, width, height)
    return whole.centred(whole.width - 6, whole.height - 6)
  }
}
