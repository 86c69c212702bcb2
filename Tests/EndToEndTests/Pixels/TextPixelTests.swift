import FoundationEssentials
import TestSupport
import Testing

/// Plain text: columns, line positions, ink, encoding and limits.
@Suite(.inTurn) struct TextPixelTests {
  /// Draws a text on a sheet of 400 × 300 points.
  private func drawn(
    _ text: [UInt8], _ person: Person, _ options: String...
  ) async throws -> Sheet {
    let output = person.path("\(UUID().uuidString).pwg")
    let file = try person.document(text, "\(UUID().uuidString.prefix(8)).txt")
    let outcome = try await person.airprint(
      ["render", file, "-o", output, "--paper", "400x300pt", "--resolution", "72"] + options)
    try #require(outcome.code == 0, "\(outcome.report)")
    return try #require(try Sheet.read(output).first)
  }

  /// The usual columns of receipt rolls: 48 on 72 mm and 32 on 48 mm, the printable widths of 80 mm and 58 mm rolls.
  @Test(arguments: [("72x200mm", 48), ("48x200mm", 32)])
  func `a receipt has its columns`(_ paper: String, _ columns: Int) async throws {
    let person = try await Person.anybody()
    func height(_ count: Int) async throws -> Double {
      let side = try #require(
        try await person.rendered(
          Array(String(repeating: "H", count: count).utf8), "--type", "receipt", "--paper",
          "roll_test_\(paper.replacing("x200mm", with: "x0mm"))", "--resolution", "203",
          name: "columns.txt"
        ).first)
      let ink = try #require(side.ink)
      return ink.bottom - ink.top
    }
    let one = try await height(columns)
    #expect(one < 8, "\(columns) columns are one line")
    #expect(try await height(columns + 1) > one + 5, "one more is two")
  }

  /// Code, addresses and keys are printed as they are; 48 letters are a line.
  @Test(arguments: [("key.txt", "400x300pt"), ("key.receipt", "roll_test_72x0mm")])
  func `a long word is broken without a hyphen`(_ name: String, _ paper: String) async throws {
    let person = try await Person.anybody()
    let line = String(repeating: "H", count: 48)
    func pixels(_ text: String) async throws -> [UInt8]? {
      try await person.rendered(
        Array(text.utf8), "--paper", paper, "--resolution", "203", name: name
      ).first?.pixels
    }
    let broken = try #require(try await pixels(line + line))
    #expect(try await pixels("\(line)\n\(line)") == broken)
    // A soft hyphen shows where a line is broken.
    let (most, rest) = (line.dropLast(8), "HHHHHHHHHHHH")
    let soft = try #require(try await pixels("\(most)\u{AD}\(rest)"))
    #expect(try await pixels("\(most)\n\(rest)") != soft)
    #expect(try await pixels("\(most)\u{2010}\n\(rest)") == soft)
  }

  /// With two columns for each wide character, and lines as high as others.
  @Test func `tables line up beside wide characters`() async throws {
    let person = try await Person.anybody()
    func ink(_ row: String) async throws -> (right: Double, bottom: Double) {
      let side = try await drawn(Array("\(row)\n\(row)\n".utf8), person, "--resolution", "300")
      let ink = try #require(side.ink)
      return (ink.right, ink.bottom)
    }
    for (wide, narrow) in [
      ("│日本語│", "│abcdef│"), ("日本  │", "abcd  │"), ("│한\u{1F600}│", "│abcd│"),
    ] {
      let (one, other) = try await (ink(wide), ink(narrow))
      #expect(abs(one.right - other.right) <= 1, "\(wide): \(one.right), not \(other.right)")
      #expect(abs(one.bottom - other.bottom) <= 1, "\(wide): \(one.bottom), not \(other.bottom)")
    }
    // Other text keeps its own spacing.
    let (one, other) = try await (ink("日本語 日本語 日本語"), ink("abcdef abcdef abcdef"))
    #expect(one.right < other.right - 5)
  }

  @Test func `lines stand where they are asked to`() async throws {
    let person = try await Person.anybody()
    // The margins are 54 points.
    for (option, left, right) in [
      ("start", 54.0, nil), ("left", 54, nil), ("right", nil, 346.0), ("center", nil, nil),
    ] as [(String, Double?, Double?)] {
      let ink = try #require(
        try await drawn(Array("HHHH\n".utf8), person, "--align", option).ink)
      if let left { #expect(abs(ink.left - left) <= 2, "\(option): \(ink)") }
      if let right { #expect(abs(ink.right - right) <= 2, "\(option): \(ink)") }
      if option == "center" { #expect(abs((ink.left + ink.right) / 2 - 200) <= 2, "\(ink)") }
    }
    // Hebrew starts on the right, and a full line of words reaches both edges when it is justified.
    let hebrew = try #require(try await drawn(Array("שלום\n".utf8), person).ink)
    #expect(abs(hebrew.right - 346) <= 3, "\(hebrew)")
    let words = Array(String(repeating: "wwwwwww ", count: 12).utf8)
    let ragged = try #require(try await drawn(words, person).ink)
    let full = try #require(try await drawn(words, person, "--align", "justify").ink)
    #expect(ragged.right < 340 && full.right > 343, "\(ragged) \(full)")
  }

  @Test func `font, size and ink; settings hold them too`() async throws {
    let person = try await Person.anybody()
    let text = Array("HHHHHHHH\n".utf8)
    let usual = try #require(try await drawn(text, person).ink)
    let large = try await drawn(text, person, "--font", "20", "--text-color", "#00f")
    let ink = try #require(large.ink)
    #expect(abs((ink.right - ink.left) / (usual.right - usual.left) - 2) < 0.1, "\(ink)")
    #expect(large.landmarks()[.bottomLeft] != nil, "blue")
    try person.configure("font = \"20\"\ntext-color = \"blue\"\nalign = \"right\"\n")
    let set = try #require(try await drawn(text, person).ink)
    #expect(abs((set.right - set.left) - (ink.right - ink.left)) <= 1 && abs(set.right - 346) <= 3)
  }

  @Test func `a line of the file has its number; what is left of a broken one has none`()
    async throws
  {
    let person = try await Person.anybody()
    let text = Array("H\n\(String(repeating: "H", count: 60))\n\nH\n".utf8)
    let sheet = try await drawn(text, person, "--number-lines")
    // The margin is 54 points, and two digits with their space are 21 wide.
    let numbers = sheet.marks(in: 50..<72)
    try #require(numbers.count == 4, "\(numbers)")
    let pitch = numbers[1] - numbers[0]
    #expect(abs(numbers[2] - numbers[1] - 2 * pitch) <= 1, "\(numbers)")
    #expect(abs(numbers[3] - numbers[2] - pitch) <= 1, "\(numbers)")
    #expect(abs(sheet.marks(in: 75..<346)[0] - numbers[0]) <= 1)
    let column = try #require(try await drawn(text, person).ink?.left)
    #expect(column < 56)
  }

  @Test func `64: an option for which a document has no use; a setting is for text`() async throws {
    let person = try await Person.anybody()
    let page = try person.document(PDF().bytes)
    let text = try person.document(Array("text\n".utf8), "text.txt")
    for (options, why) in [
      (["--number-lines", page], "--number-lines: applies only to plain text."),
      (["--number-lines", text, "--type", "receipt"], "not with --type receipt"),
      (["--font", "Sans 9", page], "--font: applies only to plain text."),
      (["--assets", person.folder, text], "--assets: applies only to documents that name"),
    ] {
      let refused = try await person.airprint(["render", "-o", person.path("x.pwg")] + options)
      #expect(refused.code == 64 && refused.stderr.contains(why), "\(refused.report)")
    }
    try person.configure("[types.document]\nnumber-lines = true\nfont = \"Serif 9\"\n")
    let drawn = try await person.airprint("render", page, "-o", person.path("x.pwg"))
    #expect(drawn.code == 0, "\(drawn.report)")
  }

  @Test func `a font that is not there is reported; with --strict it is refused`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(Array("text\n".utf8), "text.txt")
    let output = person.path("x.pwg")
    let command = ["render", file, "-o", output, "--font", "No Such Font 9"]
    let drawn = try await person.airprint(command)
    #expect(drawn.code == 0 && drawn.stderr.contains("No Such Font"), "\(drawn.report)")
    #expect(try await person.airprint(command + ["--strict"]).code == 65)
    let known = try await person.airprint(
      "render", file, "-o", output, "--font", "DejaVu Sans 9", "--strict")
    #expect(known.code == 0, "\(known.report)")
  }

  @Test func `the same text in every encoding is the same page`() async throws {
    let person = try await Person.anybody()
    let text = "Grüße “à la carte”\n"
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let windows: [UInt8] = text.unicodeScalars.map {
      ["“": 0x93, "”": 0x94][$0] ?? UInt8(truncatingIfNeeded: $0.value)
    }
    let wanted = try await drawn(Array(text.utf8), person)
    for (name, bytes) in [
      ("UTF-8 with its mark", [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
      ("UTF-16LE", [0xFF, 0xFE] + little), ("UTF-16BE", [0xFE, 0xFF] + big),
      ("UTF-16LE without its mark", little), ("UTF-16BE without its mark", big),
      ("Windows-1252", windows),
    ] {
      let isSame = try await drawn(bytes, person).pixels == wanted.pixels
      #expect(isSame, "\(name)")
    }
  }

  @Test func `a text that is too long is refused with what to do`() async throws {
    let person = try await Person.anybody()
    // One line of 9 MB.
    let long = person.path("long.txt")
    let made = try await person.bench.run([
      "sh", "-c", "printf aaaa > '\(long)'; head -c 9000000 /dev/zero | tr '\\0' a >> '\(long)'",
    ])
    try #require(made.code == 0)
    let refused = try await person.airprint("check", long)
    #expect(refused.code == 65 && refused.stderr.contains("split -C 8M"), "\(refused.report)")
    let empty = try person.document(Array(repeating: 0x0C, count: 20_000), "feeds.txt")
    let feeds = try await person.airprint("check", empty)
    #expect(feeds.code == 65 && feeds.stderr.contains("10000 pages"), "\(feeds.report)")
  }

  /// Checks long lines against page-time: combining marks, and a word without an end.
  @Test(arguments: ["a", "\u{301}", "e\u{301}\u{302}"])
  func `a line of megabytes`(_ unit: String) async throws {
    let person = try await Person.anybody()
    let line = String(repeating: unit, count: (2 << 20) / unit.utf8.count)
    let file = try person.document(Array(line.utf8), "line.txt")
    let checked = try await person.airprint("check", file)
    #expect(checked.code == 0, "\(checked.report)")
  }

  /// A line that is folded into four, with this many lines left on the page.
  @Test(arguments: zip(1...4, [0, 2, 2, 4]))
  func `neither the first nor the last line of a paragraph stands alone`(
    _ room: Int, _ onFirst: Int
  ) async throws {
    let person = try await Person.anybody()
    func pages(_ lines: [String]) async throws -> [[Substring]] {
      let file = try person.document(Array(lines.joined(separator: "\n").utf8), "x.txt")
      let output = person.path("x.pdf")
      let outcome = try await person.airprint("render", file, "-o", output, "--paper", "400x300pt")
      try #require(outcome.code == 0, "\(outcome.report)")
      let text = try await person.bench.run(["pdftotext", "-layout", output, "-"]).stdout
      return text.split(separator: "\u{c}").map { $0.split(separator: "\n") }
    }
    let full = try #require(try await pages((0..<200).map { "\($0)" }).first).count
    let word = String(repeating: "x", count: 30)
    let paragraph = Array(repeating: word, count: 4).joined(separator: " ")
    let drawn = try await pages((0..<full - room).map { "\($0)" } + [paragraph, "end"])
    #expect(drawn.map { $0.count { $0.contains("xxx") } } == [onFirst, 4 - onFirst])
    #expect(drawn.last?.last?.contains("end") == true)
  }
}

extension Sheet {
  /// Returns the first rows of separate marks in these columns.
  fileprivate func marks(in columns: Range<Int>) -> [Int] {
    var marks: [Int] = []
    var isInked = false
    for row in 0..<height {
      let wasInked = isInked
      isInked = columns.contains { pixel($0, row).contains { $0 < 200 } }
      if isInked, !wasInked { marks.append(row) }
    }
    return marks
  }
}
