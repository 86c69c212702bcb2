import Testing

@testable import Terminal

@Suite struct TableTests {
  let table = Table([
    Column("NAME", minimum: 8, usual: 14, importance: 3),
    Column("LOCATION", minimum: 6, usual: 10, importance: 1),
    Column("JOBS", minimum: 4, usual: 4, importance: 0, alignment: .right),
    Column("STATE", minimum: 5, usual: 8, importance: 2),
  ])
  let rows: [[Cell]] = [
    ["Office Laser", "2nd floor, corridor", "12", "ready"],
    ["写真プリンター", "東京", "3", Cell("paper out", .red)],
    ["Bad\u{1B}[2J\nname", "", "", ""],
  ]

  @Test func `a file gets everything, aligned with spaces`() {
    #expect(
      table.lines(rows, width: nil, colors: false) == [
        "NAME            LOCATION             JOBS  STATE",
        "Office Laser    2nd floor, corridor    12  ready",
        "写真プリンター  東京                    3  paper out",
        "Bad\u{FFFD}[2J name",
      ])
  }

  @Test(arguments: [
    (
      48,
      [
        "NAME            LOCATION         JOBS  STATE",
        "Office Laser    2nd floor, cor…    12  ready",
        "写真プリンター  東京                3  paper out",
      ]
    ),
    (
      40,
      [
        "NAME            LOCATION  JOBS  STATE",
        "Office Laser    2nd flo…    12  ready",
        "写真プリンター  東京         3  paper o…",
      ]
    ),
    (
      30,
      [
        "NAME       LOCAT…  JOBS  STATE",
        "Office L…  2nd f…    12  ready",
        "写真プリ…  東京       3  pape…",
      ]
    ),
    (24, ["NAME       LOCAT…  STATE"]),
    (16, ["NAME       STATE"]),
    (10, ["NAME", "Office La…", "写真プリ…"]),
    (2, ["N…", "O…", "…"]),
    (1, ["…", "…", "…"]),
    (0, ["", "", ""]),
  ])
  func `a narrow screen costs the least important column first`(width: Int, expected: [String]) {
    let lines = table.lines(Array(rows.prefix(2)), width: width, colors: false)
    for (line, wanted) in zip(lines, expected) { #expect(line == wanted) }
  }

  @Test(arguments: 1...60)
  func `no line is wider than the screen`(width: Int) {
    let lines = table.lines(rows, width: width, colors: false)
    #expect(lines.count == 4)
    for line in lines { #expect(line.displayWidth <= width) }
  }

  @Test func `a wide column that is left out makes room for a less important one`() {
    let table = Table([
      Column("NAME", minimum: 20, importance: 3), Column("MODEL", minimum: 6, importance: 1),
      Column("URI", minimum: 40, importance: 2),
    ])
    let row: [Cell] = ["Office Laser", "Laser 40", "ipps://office.example.com/ipp/print"]
    #expect(
      table.lines([row], width: 30, colors: false) == [
        "NAME          MODEL", "Office Laser  Laser 40",
      ])
  }

  @Test func `a spare column is left out unless everything fits`() {
    let table = Table([Column("NAME"), Column("URI", isSpare: true), Column("STATE")])
    let row: [Cell] = ["Till", "ipp://till.local/ipp/print", "ready"]
    #expect(
      table.lines([row], width: 39, colors: false).last == "Till  ipp://till.local/ipp/print  ready"
    )
    #expect(table.lines([row], width: 38, colors: false).last == "Till  ready")
  }

  @Test func `a column without text is left out, and so is an empty table`() {
    let rows: [[Cell]] = [
      ["Office", "", "", "ready"], ["Label"], ["Photo", "", "", "busy", "extra"],
    ]
    #expect(
      table.lines(rows, width: 80, colors: false) == [
        "NAME    STATE", "Office  ready", "Label", "Photo   busy",
      ])
    #expect(table.lines([], width: 80, colors: true) == [])
    #expect(Table([]).lines([["x"]], width: 80, colors: false) == ["", ""])
  }

  @Test func `colors surround the text alone`() {
    #expect(
      table.lines([["A", "", "", Cell("out", .red)], ["B"]], width: 80, colors: true) == [
        "\u{1B}[1mNAME\u{1B}[0m  \u{1B}[1mSTATE\u{1B}[0m", "A     \u{1B}[31mout\u{1B}[0m", "B",
      ])
  }
}
