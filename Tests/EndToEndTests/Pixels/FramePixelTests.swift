import TestSupport
import Testing

/// `--margins`, `--header` and `--footer`: the lines never touch the page, everything stays in the printable area,
/// and the page is in its place.
@Suite(.inTurn) struct FramePixelTests {
  private static let lines = ["--header", "Éy{file}|{page}|{date}", "--footer", "{page}/{pages}"]

  /// A document whose pages are black from edge to edge, so that anything that overlaps them is noticed.
  enum Body: Sendable {
    case pdf(Double, Double)
    case picture(Int, Int)
    case text

    func bytes(pages: Int = 1) throws -> [UInt8] {
      switch self {
      case .pdf(let width, let height):
        let page = PDF.Page(
          width: width, height: height,
          marks: [PDF.Mark(x: 0, y: 0, width: width, height: height)])
        return PDF(pages: Array(repeating: page, count: pages)).bytes
      case .picture(let width, let height):
        return try Picture(width: width, height: height, black: (width, height)).png()
      case .text:
        // Full-block characters that fill their lines.
        let line = String(repeating: "\u{2588}", count: 400) + "\n"
        return Array(String(repeating: line, count: 40 * pages).utf8)
      }
    }

    var name: String {
      switch self {
      case .pdf: "body.pdf"
      case .picture: "body.png"
      case .text: "body.txt"
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var body: Body
    var options: [String]
    /// True if the fed sheet is turned, so that lines run upwards on it.
    var isTurned = false

    init(_ body: Body, _ options: String..., isTurned: Bool = false) {
      self.body = body
      self.options = options
      self.isTurned = isTurned
    }

    var testDescription: String { "\(body) \(options.joined(separator: " "))" }
  }

  @Test(arguments: [
    Case(.pdf(595, 842), "--paper", "A4"),
    Case(.pdf(300, 400), "--paper", "A4", "--scaling", "fit"),
    Case(.pdf(595, 842), "--paper", "A4", "--scaling", "fill"),
    Case(.pdf(595, 842), "--paper", "A4", "--margins", "10mm,20mm,30mm,40mm"),
    Case(.pdf(595, 842), "--paper", "letter", "--position", "top"),
    Case(.pdf(842, 595), "--paper", "A4", isTurned: true),
    Case(.picture(800, 600), "--paper", "letter", isTurned: true),
    Case(.picture(600, 800), "--type", "photo", "--paper", "4x6"),
    Case(.picture(200, 300), "--type", "label", "--paper", "62x100mm"),
    Case(.pdf(176, 283), "--type", "label", "--paper", "62x100mm"),
    Case(.pdf(226, 400), "--type", "receipt", "--paper", "80mm"),
    Case(.pdf(150, 400), "--type", "receipt", "--paper", "80mm", "--margins", "5mm"),
    Case(.picture(400, 300), "--type", "receipt", "--paper", "80mm", "--cut-length", "200mm"),
    Case(.text, "--paper", "A4"),
    Case(.text, "--paper", "letter", "--margins", "1in"),
    Case(.text, "--paper", "A4", "--orientation", "landscape", isTurned: true),
    Case(.text, "--type", "receipt", "--paper", "80mm"),
    Case(.text, "--type", "label", "--paper", "62x100mm", isTurned: true),
  ])
  func `header and footer never touch the page`(_ test: Case) async throws {
    let person = try await Person.anybody()
    let name = "\(test.body.name)"
    let file = try person.document(try test.body.bytes(), name)
    let output = person.path("out.pwg")
    let outcome = try await person.airprint(
      ["render", file, "-o", output, "--color", "gray"] + Self.lines + test.options)
    try #require(outcome.code == 0, "\(outcome.report)")
    let sides = try Sheet.read(output)
    let side = try #require(sides.first)
    let bands = side.bands(across: test.isTurned)
    try #require(bands.count == 3, "\(bands)")
    // There is some white between the three, and each has the height of one line.
    #expect(bands[1].lowerBound - bands[0].upperBound >= 2, "\(bands)")
    #expect(bands[2].lowerBound - bands[1].upperBound >= 2, "\(bands)")
    for line in [bands[0], bands[2]] {
      #expect((4...15).contains(line.upperBound - line.lowerBound), "\(bands)")
    }
    #expect(bands[1].upperBound - bands[1].lowerBound > 60, "\(bands)")
  }

  @Test(arguments: [2, 4])
  func `several pages on a side: each has its lines in its own cell`(_ number: Int) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    for (body, name) in [(Body.pdf(595, 842), "body.pdf"), (.text, "body.txt")] {
      let side = try #require(
        try await person.sides(
          at: printer, try body.bytes(pages: number), "--number-up", "\(number)",
          "--sides", "one", "--header", "left|{page}|right", "--footer", "{pages}", name: name
        ).first)
      let area = A5.printable
      // Two pages are side by side on the turned sheet, four on an upright one.
      let cells =
        number == 2
        ? [
          Area(area.left, area.top, area.width, area.height / 2),
          Area(area.left, area.top + area.height / 2, area.width, area.height / 2),
        ]
        : [0, 1, 2, 3].map {
          Area(
            area.left + Double($0 % 2) * area.width / 2,
            area.top + Double($0 / 2) * area.height / 2,
            area.width / 2, area.height / 2)
        }
      for cell in cells {
        let bands = side.bands(across: number == 2, in: cell)
        #expect(bands.count == 3, "\(bands) of \(name) in \(cell)")
      }
      #expect(try #require(side.ink).isInside(area))
    }
    await printer.stop()
  }

  @Test(arguments: [("1", "normal"), ("3", "rotated")])
  func `on both sides nothing leaves what can be printed`(
    _ token: String, _ back: String
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press(urf: try #require(Int(token)), pwg: back)
    for (body, name) in [(Body.pdf(420, 595), "body.pdf"), (.text, "body.txt")] {
      let sides = try await person.sides(
        at: printer, try body.bytes(pages: 2), "--sides", "long", "--header", "head",
        "--footer", "foot", "--margins", "1mm", name: name)
      try #require(sides.count >= 2)
      for (index, side) in sides.prefix(2).enumerated() {
        #expect(side.bands(across: false).count == 3)
        // On the back, a rotated side's margins are swapped.
        let area = A5.printableTwice
        let isRotated = index == 1 && back == "rotated"
        let seen =
          isRotated
          ? Area(
            A5.whole.right - area.right, A5.whole.bottom - area.bottom, area.width, area.height)
          : area
        #expect(try #require(side.ink).isInside(seen), "\(side.ink!) of \(name), \(index)")
      }
    }
    await printer.stop()
  }

  /// `page` of 420 x 595 points on A5, whose printable area is 391.2 x 547.1 points.
  @Test(arguments: [
    // These are smaller than the printer's own margins, which apply.
    (["--margins", "1mm"], A5.printable),
    (["--margins", "20mm"], Area(0, 0, 419.528, 595.276).inset(56.69, 56.69, 56.69, 56.69)),
    (["--margins", "30mm,10mm,10mm,1in"], A5.whole.inset(85.04, 28.35, 34.02, 72)),
  ])
  func `a page is scaled into its margins`(_ options: [String], _ area: Area) async throws {
    let person = try await Person.anybody()
    let printer = try await person.press()
    let side = try #require(
      try await person.sides(
        at: printer, PageShape.a5.landmarks(), options[0], options[1]
      ).first)
    let scale = min(area.width / PageShape.a5.width, area.height / PageShape.a5.height)
    side.expect(
      1, of: .a5, at: area.centred(PageShape.a5.width * scale, PageShape.a5.height * scale),
      pixels: 2)
    await printer.stop()
  }

  @Test func `text keeps its margins: on a sheet, on a roll, and those of a setting`() async throws
  {
    let person = try await Person.anybody()
    let text = try Body.text.bytes()
    func left(_ options: String...) async throws -> Ink {
      let output = person.path("text.pwg")
      let file = try person.document(text, "body.txt")
      let outcome = try await person.airprint(["render", file, "-o", output] + options)
      try #require(outcome.code == 0, "\(outcome.report)")
      return try #require(try Sheet.read(output).first?.ink)
    }
    var ink = try await left("--paper", "A4")
    #expect(abs(ink.left - 54) < 1.5 && abs(ink.top - 54) < 4, "\(ink)")
    ink = try await left("--paper", "A4", "--margins", "1in,2in")
    #expect(abs(ink.left - 144) < 1.5 && abs(ink.top - 72) < 4, "\(ink)")
    ink = try await left("--paper", "80mm", "--type", "receipt", "--margins", "10mm,20mm")
    #expect(abs(ink.left - 56.7) < 1.5 && abs(ink.top - 28.35) < 4, "\(ink)")
    #expect(ink.right <= 226.8 - 56.7 + 0.5, "\(ink)")
    try person.configure("margins = \"2in\"\n")
    ink = try await left("--paper", "A4")
    #expect(abs(ink.left - 144) < 1.5 && abs(ink.top - 144) < 4, "\(ink)")
    ink = try await left("--paper", "A4", "--margins", "0")
    #expect(ink.left < 1.5 && ink.top < 4, "\(ink)")
  }

  @Test func `a receipt's footer follows its content, and the cut the footer`() async throws {
    let person = try await Person.anybody()
    let till = try await person.till()
    let page = PDF.Page(
      width: 204.1, height: 900, marks: [PDF.Mark(x: 0, y: 0, width: 204.1, height: 200)])
    let side = try #require(
      try await person.sides(
        at: till, PDF(pages: [page]).bytes, "--type", "receipt", "--header", "Head|",
        "--footer", "Thank you"
      ).first)
    let bands = side.bands(across: false)
    try #require(bands.count == 3, "\(bands)")
    let margin = points(400)
    #expect(bands[0].lowerBound >= margin && bands[0].lowerBound < margin + 4, "\(bands)")
    #expect(abs(bands[1].upperBound - bands[1].lowerBound - 200) < 1, "\(bands)")
    #expect(bands[2].lowerBound - bands[1].upperBound < 14, "\(bands)")
    let rest = side.whole.height - bands[2].upperBound - margin
    #expect((-0.5...5).contains(rest), "\(rest)")
    await till.stop()
  }

  @Test func `the words: number, count, title, file, date`() async throws {
    let person = try await Person.anybody()
    let pages = (1...4).map { _ in PDF.Page.a4() }
    let file = try person.document(PDF(pages: pages, title: "Jahres\u{fc}bersicht").bytes, "y.pdf")
    let output = person.path("out.pdf")
    let rendered = try await person.airprint(
      "render", file, "-o", output, "-P", "2,4", "-n", "2", "--paper", "A4",
      "--header", "{file}|{title}|{date}", "--footer", "{{{page}}} of {pages}")
    try #require(rendered.code == 0, "\(rendered.report)")
    let text = try await person.bench.run(["pdftotext", "-layout", output, "-"])
    let sheets = text.stdout.split(separator: "\u{c}").map { $0.split(separator: "\n") }
    try #require(sheets.count == 4, "\(text.report)")
    for (sheet, number) in zip(sheets, [2, 4, 2, 4]) {
      let words = sheet[0].split(separator: " ").map(String.init)
      try #require(words.count == 3, "\(sheet)")
      #expect(words[0] == "y.pdf" && words[1] == "Jahres\u{fc}bersicht", "\(words)")
      #expect(words[2].wholeMatch(of: /20\d\d-[01]\d-[0-3]\d/) != nil, "\(words)")
      #expect(sheet.last?.contains("{\(number)} of 4") == true, "\(sheet)")
    }
  }

  @Test func `a long title is shortened, and hides nothing`() async throws {
    let person = try await Person.anybody()
    let title = String(repeating: "Very long ", count: 60)
    let file = try person.document(PDF(pages: [.a4([])], title: title).bytes)
    let output = person.path("out.pwg")
    let rendered = try await person.airprint(
      "render", file, "-o", output, "--paper", "A4", "--header", "{title}|{page}|{title}")
    try #require(rendered.code == 0, "\(rendered.report)")
    let side = try #require(try Sheet.read(output).first)
    #expect(side.bands(across: false).count == 1)
    // There is white between the three parts.
    #expect(side.bands(across: true).filter { $0.upperBound - $0.lowerBound > 0.1 }.count >= 3)
    #expect(try #require(side.ink).isInside(Area(18, 18, 595.28 - 36, 842 - 36)))
  }

  @Test(arguments: [
    (["--header", "{Page}"], "there are {page}, {pages}, {title}, {file}, {date} and {time}"),
    (["--footer", "a|b|c|d"], "three parts"), (["--margins", "-5mm"], "margins"),
    (["--margins", "15cm"], "no room for a page is left on A4"),
  ])
  func `64: what makes no sense`(_ options: [String], _ words: String) async throws {
    let person = try await Person.anybody()
    let outcome = try await person.airprint(
      ["render", try person.document(PDF().bytes), "-o", person.path("x.pwg"), "--paper", "A4"]
        + options)
    #expect(outcome.code == 64, "\(outcome.report)")
    #expect(outcome.stderr.contains(words), "\(outcome.report)")
  }

  @Test(arguments: [("none", 0), ("single", 2), ("single-thick", 2), ("double", 4)])
  func `a border stands around each page of a side`(_ style: String, _ lines: Int) async throws {
    let person = try await Person.anybody()
    // White pages; the smaller one is centered in its half.
    let document = PDF(pages: [
      PDF.Page(width: 400, height: 400, marks: []), PDF.Page(width: 400, height: 200, marks: []),
    ])
    let file = try person.document(document.bytes)
    let sheets = try await person.sheets(
      file, "--paper", "A4", "--resolution", "300", "--number-up", "2", "--page-border", style)
    let sheet = try #require(sheets.first)
    #expect(sheets.count == 1)
    let pages = sheet.bands(across: false)
    #expect(pages.count == (lines == 0 ? 0 : 2), "\(pages)")
    for page in pages {
      let middle = (page.lowerBound + page.upperBound) / 2
      let row = Area(0, middle - 5, sheet.whole.width, 10)
      let columns = sheet.bands(across: true, in: row)
      #expect(columns.count == lines, "\(columns)")
      // A gap separates it from the edge.
      #expect((columns.first?.lowerBound ?? 3) > 2, "\(columns)")
    }
    if let first = pages.first, let last = pages.last, lines > 0 {
      // Half of A4 minus a gap of 6 points: the square fills its height, the other page its width.
      let (high, low) = (first.upperBound - first.lowerBound, last.upperBound - last.lowerBound)
      #expect(abs(high - 415) < 2 && abs(low - 589 / 2) < 2, "\(pages)")
    }
  }
}

extension Ink {
  /// Returns true if it is inside an area, to a pixel of 100 dpi.
  func isInside(_ area: Area) -> Bool {
    left >= area.left - 0.72 && top >= area.top - 0.72 && right <= area.right + 0.72
      && bottom <= area.bottom + 0.72
  }
}

extension Area {
  /// Returns the area without these margins, in points.
  func inset(_ top: Double, _ right: Double, _ bottom: Double, _ left: Double) -> Area {
    Area(
      self.left + left, self.top + top, width - left - right, height - top - bottom)
  }
}

extension Sheet {
  /// Returns the ranges of rows with dark pixels, from top to bottom, in points; with `across`, of columns.
  ///
  /// Ranges with less than a point of white between them are merged.
  func bands(across: Bool, in window: Area? = nil) -> [ClosedRange<Double>] {
    let window = window ?? whole
    func clamped(_ start: Double, _ end: Double, _ limit: Int) -> Range<Int> {
      let first = max(0, min(limit, Int((start / pixel).rounded(.up))))
      return first..<max(first, min(limit, Int((end / pixel).rounded(.down))))
    }
    let columns = clamped(window.left, window.right, width)
    let rows = clamped(window.top, window.bottom, height)
    var isDark = [Bool](repeating: false, count: across ? width : height)
    marked(rows: rows) { y, row in
      var x = columns.lowerBound
      while x < columns.upperBound {
        if row[x * bytesPerPixel] < 160 { isDark[across ? x : y] = true }
        x += 1
      }
    }
    var bands: [ClosedRange<Double>] = []
    for place in isDark.indices where isDark[place] {
      let (start, end) = (Double(place) * pixel, Double(place + 1) * pixel)
      if let last = bands.last, start - last.upperBound < 1 {
        bands[bands.count - 1] = last.lowerBound...end
      } else {
        bands.append(start...end)
      }
    }
    return bands
  }
}
