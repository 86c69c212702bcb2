import TestSupport
import Testing

/// The position and appearance of each element of a receipt, in dots of a receipt printer.
@Suite struct ReceiptPixelTests {
  /// The width of 80 mm at 203 dpi.
  private let roll = 639
  /// The left edge inside the default margins: 4 mm on both sides.
  private let left = 32
  private let right = 607

  @Test func `text stands at the left, in the middle and at the right`() async throws {
    let person = try await Person.anybody()
    let side = try await person.receipt("HOME\nleft: HOME\ncenter: HOME\nright: HOME\n")
    let lines = side.bands()
    try #require(lines.count == 4, "\(lines)")
    #expect(side.width == roll)
    #expect((left..<left + 4).contains(lines[0].left) && lines[1].left == lines[0].left, "\(lines)")
    #expect(abs(lines[2].left - (roll - lines[2].right)) <= 2, "\(lines)")
    #expect((right - 4...right).contains(lines[3].right), "\(lines)")
    #expect(Set(lines.map(\.width)).count <= 2, "\(lines)")
  }

  @Test func `bold is heavier, wide is wider, tall is taller`() async throws {
    let person = try await Person.anybody()
    let side = try await person.receipt(
      ["", "bold: ", "wide: ", "tall: ", "double: ", "title: "].map { "\($0)HOME\n\n" }.joined())
    let lines = side.bands()
    try #require(lines.count == 6, "\(lines)")
    let usual = lines[0]
    #expect(abs(lines[1].width - usual.width) <= 3 && abs(lines[1].height - usual.height) <= 1)
    #expect(Double(lines[1].dark) > 1.2 * Double(usual.dark), "\(lines)")
    // Wide letters keep their shape, with space between them.
    #expect((usual.width * 3 / 2...usual.width * 2).contains(lines[2].width), "\(lines)")
    #expect(abs(lines[2].height - usual.height) <= 1, "\(lines)")
    for (line, across, along) in [(3, 1, 2), (4, 2, 2), (5, 2, 2)] {
      let isBold = line >= 4
      #expect(abs(lines[line].width - across * usual.width) <= (isBold ? 6 : 3), "\(line) \(lines)")
      #expect(abs(lines[line].height - along * usual.height) <= 3, "\(line) \(lines)")
    }
    #expect(abs(lines[5].left - (roll - lines[5].right)) <= 4, "a title stands in the middle")
    #expect(lines[4].dark > lines[3].dark * 2, "\(lines)")
  }

  @Test func `columns: the left one wraps, the right one stays whole at the edge`() async throws {
    let person = try await Person.anybody()
    let name = Array(repeating: "LONG", count: 14).joined(separator: " ")
    let side = try await person.receipt("\(name) | 1234.00\nTEA | 2.90\n|0\n")
    let names = side.bands(in: 0..<480)
    #expect(names.count == 3, "two lines of the name and TEA: \(names)")
    let prices = side.bands(in: 490..<roll)
    try #require(prices.count == 3, "\(prices)")
    #expect(prices.allSatisfy { (right - 4...right).contains($0.right) }, "\(prices)")
    // The price is next to the name's first line, and the following row is below its last.
    #expect(prices[0].top == names[0].top && prices[1].top > names[1].bottom, "\(names) \(prices)")
  }

  @Test func `a long item stands above its figures where the columns leave it no room`()
    async throws
  {
    let person = try await Person.anybody()
    let text = "Sonnenblumenkernbrot | 12 | 4.50 | 54.00\nTee | 1 | 2.90 | 2.90\n"
    let narrow = try await person.receipt(text, paper: "58mm").bands()
    #expect(narrow.count == 3, "\(narrow)")
    #expect(try await person.receipt(text).bands().count == 2)
    // There is room, but not for the longest word.
    let word = "Sonnenblumenkernbrot mit Butter | 1 | 4.20 | 4.20\n"
    let lines = try await person.receipt(word, paper: "58mm").bands()
    #expect(lines.count == 2 && lines[0].left < 100 && lines[1].left > 200, "\(lines)")
    // There is room to wrap it, but other items of the table would be above their figures.
    let long = try await person.receipt(
      "Kaffee crema mit Hafermilch und Zimt | 1 | 3.90 | 3.90\n"
    ).bands()
    #expect(long.count == 2 && long[0].left < 100 && long[1].left > 200, "\(long)")
  }

  @Test func `figures stay whole beside columns of long words`() async throws {
    let person = try await Person.anybody()
    let text =
      "ITEM | COUNT | EINZELPREIS NETTO | GESAMTPREIS BRUTTO\nBREAD | 12 | 104.50 | 1254.00\n"
    let lines = try await person.receipt(text, paper: "58mm").bands()
    // Item, the two lines of the other headings, bread, and its figures.
    #expect(lines.count == 5, "\(lines)")
    #expect(lines[4].height <= lines[3].height + 2, "\(lines)")
  }

  @Test(arguments: ["", "rtl:\n"])
  func `columns that are too many for a narrow roll are one below the other`(
    _ direction: String
  ) async throws {
    let person = try await Person.anybody()
    let text = direction + "H | 1 | 2 | 3 | 4 | 5 | 66.00\n"
    let side = try await person.receipt(text, paper: "24mm")
    let lines = side.bands()
    #expect(lines.count == 7, "\(lines)")
    // Between the margins of 4 mm.
    #expect(lines.allSatisfy { $0.left >= 31 && $0.right <= side.width - 31 }, "\(lines)")
  }

  @Test func `figures of wide letters stay in one line, and a short item beside short figures`()
    async throws
  {
    let person = try await Person.anybody()
    let wide = try await person.receipt("wide: TOTAL | 1.234,50\n", paper: "58mm").bands()
    #expect(wide.count == 1, "\(wide)")
    // The first row's figures are longer; those of the second leave room for its item.
    let text = "wide: A | 1.234,50\ndouble: Total EUR | 12,50\n"
    let both = try await person.receipt(text, paper: "58mm").bands()
    #expect(both.count == 2, "\(both)")
  }

  @Test func `blanks before the first column stay`() async throws {
    let person = try await Person.anybody()
    let side = try await person.receipt(" 7 % | 9.91\n17 % | 2.61\n")
    let rows = side.bands(in: 0..<roll / 2)
    #expect(rows.count == 2 && abs(rows[0].right - rows[1].right) <= 1, "\(rows)")
    #expect(rows[0].left > rows[1].left)
  }

  @Test func `columns that follow each other are one table`() async throws {
    let person = try await Person.anybody()
    let side = try await person.receipt("I | HHH | HHHHH\nI | H | H\n\nI | H | H")
    let rows = (0..<3).map { side.bands()[$0] }
    func middle(_ row: Band) -> Int? {
      // The right edge of the second column, searched from the right, past the third column and the gap.
      let columns = (0..<side.width).map { x in
        (row.top..<row.bottom).contains { side.isDark(x, $0) }
      }
      var x = row.right - 1
      var gap = 0
      while x > 0, gap < 8 {
        gap = columns[x] ? 0 : gap + 1
        x -= 1
      }
      while x > 0, !columns[x] { x -= 1 }
      return x
    }
    #expect(middle(rows[0]) == middle(rows[1]), "the second column ends where it ends above")
    #expect(middle(rows[2]) ?? 0 > middle(rows[0]) ?? 0, "another table has its own widths")
  }

  @Test func `rules go across`() async throws {
    let person = try await Person.anybody()
    let bands = try await person.receipt("---\n===\n").bands(gap: 0)
    try #require(bands.count == 3, "\(bands)")
    #expect(
      bands.allSatisfy { abs($0.left - left) <= 1 && abs($0.right - right) <= 1 && $0.height <= 3 },
      "\(bands)")
    #expect(bands.allSatisfy { $0.dark == $0.width * $0.height }, "\(bands)")
  }

  @Test func `a blank line is as high as any other`() async throws {
    let person = try await Person.anybody()
    let with = try await person.receipt("HOME\n\n\nHOME\n").bands()
    let without = try await person.receipt("HOME\nHOME\n").bands()
    let line = without[1].top - without[0].top
    #expect(abs(with[1].top - with[0].top - 3 * line) <= 2, "\(with) \(without)")
  }

  @Test func `right to left, also the columns`() async throws {
    let person = try await Person.anybody()
    let side = try await person.receipt("שלום\n\nقهوة | 1\n\nleft: שלום\n")
    let lines = side.bands(gap: 6)
    try #require(lines.count == 3, "\(lines)")
    #expect(right - lines[0].right < 4 && lines[0].left > roll / 2, "\(lines)")
    #expect(
      right - lines[1].right < 8 && lines[1].left < left + 12, "the price is at the left: \(lines)")
    #expect(lines[2].left < left + 4, "\(lines)")
  }

  /// The item of a line is broad, and the price is a thin digit at the other side.
  @Test(arguments: [
    ("חלב | 1\nXXXXXXXX | 1\n2 XXXXX | 1\n88888888 | 1\n", true),
    ("XXXXXXXX | 1\nשלוםםםםם | 1\n", false), ("88888888 | 1\nשלוםםםםם | 1\n", true),
    ("שלום\n\n88888888 | 1\n", true),
    ("rtl:\nXXXXXXXX | 1\n88888888\n", true), ("ltr: שלוםםםםם | 1\nשלוםםםםם\n", false),
    ("ltr: XXXXXXXX | 1\nrtl: XXXXXXXX | 1\n", nil),
  ])
  func `all rows of a table run the same way`(_ text: String, _ isMirrored: Bool?) async throws {
    let person = try await Person.anybody()
    let side = try await person.receipt(text)
    let middle = (left + right) / 2
    let isAtTheRight = side.bands(gap: 4).filter { $0.height > 3 }.map { line in
      let rows = line.top..<line.bottom
      func ink(_ columns: Range<Int>) -> Int {
        rows.reduce(0) { sum, y in sum + columns.count { side.isDark($0, y) } }
      }
      return ink(middle..<right) > ink(left..<middle)
    }
    #expect(!isAtTheRight.isEmpty)
    let wanted = isAtTheRight.indices.map { isMirrored ?? ($0 > 0) }
    #expect(isAtTheRight == wanted, "\(text)")
  }

  /// Checks that each script has ink, and that the text after it stays in place.
  @Test(arguments: [
    "Ελληνικά", "Кофе", "コーヒー", "咖啡", "커피", "กาแฟ", "कॉफ़ी", "قهوة", "קפה", "☕😀🎉", "€£¥₽",
  ])
  func `every script`(_ text: String) async throws {
    let person = try await Person.anybody()
    let both = try await person.receipt("\(text)\n\n\n\nX\n").bands(gap: 6)
    try #require(both.count == 2, "\(both)")
    #expect(both[0].dark > 60 && both[0].height >= 8, "\(both)")
  }

  @Test func `each part is a page of its own length`() async throws {
    let person = try await Person.anybody()
    let parts = try await person.receipts(
      String(repeating: "HOME\n", count: 20) + "cut\n" + String(repeating: "HOME\n", count: 30))
    try #require(parts.count == 2)
    #expect(parts[0].bands().count == 20 && parts[1].bands().count == 30)
    #expect(parts[1].height > parts[0].height + 200, "\(parts.map(\.height))")
    // A sheet is not cut: there is a dashed line between the parts, and a column in its middle.
    let sheet = try await person.receipt("HOME\ncut\nright: HOME\n", paper: "A4")
    let bands = sheet.bands()
    try #require(bands.count == 3, "\(bands)")
    #expect(bands[1].height <= 2 && bands[1].dark < bands[1].width * bands[1].height * 2 / 3)
    let column = bands[0].left..<bands[2].right
    #expect(abs(column.count - 575) < 12, "72 mm: \(column)")
    #expect(abs(column.lowerBound - (sheet.width - column.upperBound)) < 12, "\(column)")
  }

  @Test func `more than a sheet goes on on the next`() async throws {
    let person = try await Person.anybody()
    let sheets = try await person.receipts(
      (1...150).map { "Line \($0) | \($0)\n" }.joined(), paper: "A4")
    #expect(sheets.count == 2)
    #expect(sheets.map { $0.bands().count }.reduce(0, +) == 150)
  }
}
