import PrintModel
import Testing

@testable import Rendering

/// Pages on the sides of all sheets, in the order in which they are sent.
@Suite struct ImpositionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var count: Int
    /// The pages of each side, from 0; a blank back has none.
    var sides: [[Int]]
    var change: @Sendable (inout Ticket) -> Void

    init(
      _ name: String, _ count: Int, _ sides: [[Int]],
      _ change: @escaping @Sendable (inout Ticket) -> Void = { _ in }
    ) {
      self.name = name
      self.count = count
      self.sides = sides
      self.change = change
    }

    var testDescription: String { name }
  }

  static let paper = Paper(
    name: "custom_10x15in", size: MediaSize(width: 25_400, length: 38_100), margins: .zero,
    isReady: true)

  static func ticket(on paper: Paper = paper, pages: Int) -> Ticket {
    var ticket = Ticket(type: .document, paper: paper, pages: Array(0..<pages))
    ticket.format = DocumentFormat.urf
    ticket.resolution = Resolution(100)
    return ticket
  }

  static func document(_ count: Int, content: [Double]? = nil) -> DocumentInfo {
    let size = PageSize(width: 216, height: 720)
    return DocumentInfo(
      mediaType: DocumentFormat.pdf,
      pages: (0..<count).map { .init(size: size, contentHeight: content?[$0]) })
  }

  @Test(arguments: [
    (false, false, [true, false, false, false, true, false, false, false]),
    (true, false, [true, true, false, false, true, true, false, false]),
    (false, true, [false, false, false, true, false, false, false, true]),
    (true, true, [false, false, true, true, false, false, true, true]),
  ])
  func `the first sheet of every copy is known`(
    _ isDuplex: Bool, _ isReversed: Bool, _ first: [Bool]
  ) {
    var ticket = Self.ticket(pages: 4)
    (ticket.repeats, ticket.isReversed) = (2, isReversed)
    if isDuplex { ticket.sides = .longEdge }
    #expect(impose(Self.document(4), by: ticket).map(\.isFirst) == first)
  }

  @Test(arguments: [
    Case("one side", 3, [[0], [1], [2]]),
    Case("two copies on one side", 2, [[0], [1], [0], [1]]) { $0.repeats = 2 },
    Case("each on the sheets of a poster", 2, [[0], [0], [0], [1], [1], [1]]) {
      $0.poster = Poster(columns: 3, rows: 1)
    },
    Case("some pages", 5, [[4], [2]]) { $0.pages = [4, 2] },
    Case("last first", 3, [[2], [1], [0]]) { $0.isReversed = true },
    Case("last sheet first", 4, [[2], [3], [0], [1]]) {
      $0.isReversed = true
      $0.sides = .longEdge
    },
    Case("last sheet first, whose back is blank", 3, [[2], [], [0], [1]]) {
      $0.isReversed = true
      $0.sides = .longEdge
    },
    Case("two copies, each from a front on", 3, [[0], [1], [2], [], [0], [1], [2]]) {
      $0.repeats = 2
      $0.sides = .shortEdge
    },
    Case("two copies of every sheet", 2, [[0], [0], [1], [1]]) {
      $0.repeats = 2
      $0.isUncollated = true
    },
    Case("two copies of every sheet on both sides", 3, [[0], [1], [0], [1], [2], [], [2]]) {
      $0.repeats = 2
      $0.isUncollated = true
      $0.sides = .longEdge
    },
    Case("four a side", 6, [[0, 1, 2, 3], [4, 5]]) { $0.numberUp = 4 },
    Case("two a side, the backs alone", 6, [[2, 3]]) {
      $0.numberUp = 2
      $0.sideSet = .even
    },
    Case("two a side, the fronts alone", 6, [[0, 1], [4, 5]]) {
      $0.numberUp = 2
      $0.sideSet = .odd
    },
    Case("a booklet", 8, [[7, 0], [1, 6], [5, 2], [3, 4]]) {
      $0.numberUp = 2
      $0.isBooklet = true
    },
    Case("a booklet with three pages too few", 5, [[0], [1], [2], [3, 4]]) {
      $0.numberUp = 2
      $0.isBooklet = true
    },
    Case("a booklet of one page", 1, [[0]]) {
      $0.numberUp = 2
      $0.isBooklet = true
    },
    Case("nothing", 0, []),
  ])
  func `the pages of all sides`(_ expected: Case) {
    var ticket = Self.ticket(pages: expected.count)
    expected.change(&ticket)
    let sides = impose(Self.document(expected.count), by: ticket)
    #expect(sides.map { $0.placements.map(\.page) } == expected.sides)
    let isDuplex = ticket.sides.isDuplex
    #expect(sides.map(\.isBack) == sides.indices.map { isDuplex && $0 % 2 == 1 })
  }

  @Test func `an empty place of a booklet is left empty, not filled`() {
    var ticket = Self.ticket(pages: 5)
    ticket.numberUp = 2
    ticket.isBooklet = true
    var full = ticket
    full.pages = Array(0..<8)
    let whole = impose(Self.document(8), by: full)
    let short = impose(Self.document(5), by: ticket)
    // The first page is the right one of the outermost sheet, even if there is no last page.
    #expect(short[0].placements == [whole[0].placements[1]])
    var single = ticket
    single.pages = [0]
    #expect(impose(Self.document(1), by: single)[0].placements == [whole[0].placements[1]])
    #expect(short[1].placements == [whole[1].placements[0]])
  }

  @Test func `each page of a roll has a cut of its own, none behind what was promised`() {
    let roll = Paper(
      name: "roll_3in", size: MediaSize(width: 7_620, length: 12_700), margins: .zero,
      isRoll: true, cuts: 2_540...50_800, isReady: true)
    var ticket = Self.ticket(on: roll, pages: 3)
    let document = Self.document(3, content: [30, 144, 600])
    #expect(impose(document, by: ticket).map(\.length) == [nil, nil, nil])
    ticket.cutsAtContent = true
    // 30 points are 10.58 mm, and an inch is the minimum; 144 are 50.80 mm; 600 exceed the 127 mm in the ticket.
    #expect(impose(document, by: ticket).map(\.length) == [2_540, 5_100, 12_700])
  }
}
