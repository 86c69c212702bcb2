import FoundationEssentials
import TestSupport
import Testing

/// Input that counts as a receipt, the files it may name, and its limits.
@Suite struct ReceiptInputTests {
  @Test func `told by the first line, then by the name, and by content before both`() async throws {
    let person = try await Person.anybody()
    func type(_ bytes: [UInt8], _ name: String) async throws -> String {
      let file = try person.document(bytes, name)
      let outcome = try await person.airprint("check", file)
      return outcome.code == 0 ? outcome.stdout : outcome.report
    }
    let receipt = "text/vnd.airprint.receipt, as wide as its paper, prints as receipt"
    #expect(try await type(Array("#receipt\nqr: x".utf8), "a.txt").contains(receipt))
    #expect(try await type(Array("\u{FEFF}#receipt \r\nqr: x".utf8), "b").contains(receipt))
    #expect(try await type(Array("qr: x".utf8), "c.RECEIPT").contains(receipt))
    #expect(try await type(Array("qr: x".utf8), "d.txt").contains("text/plain"))
    #expect(try await type(Array("#receipts\n".utf8), "e.txt").contains("text/plain"))
    #expect(try await type(PDF().bytes, "f.receipt").contains("application/pdf"))
    let piped = try await person.airprint("check", "-", input: Array("#receipt\nqr: x".utf8))
    #expect(piped.stdout.contains(receipt), "\(piped.report)")
    for (options, text, isTold) in [
      ([], "Shop\nqr: x", true), ([], "subtitle: x", false), (["--from", "text"], "qr: x", false),
      (["--from", "receipt"], "qr: x", false),
    ] as [([String], String, Bool)] {
      let drawn = try await person.airprint(
        ["preview", "--no-printer", "--type", "receipt", "-o", person.path("x.png"), "-"] + options,
        input: Array(text.utf8))
      #expect(drawn.code == 0 && drawn.stderr.contains("#receipt") == isTold, "\(drawn.report)")
    }
  }

  @Test func `pictures, a pixel a dot, as wide as asked, never wider than the paper`() async throws
  {
    let person = try await Person.anybody()
    let picture = Picture(width: 80, height: 40, black: (80, 40))
    try picture.png().write(to: person.path("documents/logo.png"))
    try picture.jpeg().write(to: person.path("documents/logo.jpg"))
    try FileManager.default.createDirectory(
      atPath: person.path("documents/sub"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: person.path("documents/sub/link.png"), withDestinationPath: "../logo.png")
    let side = try await person.receipt(
      """
      image: logo.png
      ---
      left: image(20mm): logo.jpg
      ---
      right: image: sub/link.png
      ---
      image(200mm): logo.png
      """)
    let bands = side.bands(gap: 0)
    try #require(bands.count == 7, "\(bands)")
    #expect(bands[0].width == 80 && bands[0].height == 40, "\(bands[0])")
    #expect(abs(bands[0].left - (side.width - 80) / 2) <= 1)
    #expect(abs(bands[2].left - 32) <= 1 && abs(bands[2].width - 160) <= 1, "\(bands[2])")
    #expect(abs(bands[2].height - 80) <= 1)
    #expect(bands[4].width == 80 && abs(bands[4].right - (side.width - 32)) <= 1, "\(bands[4])")
    #expect(abs(bands[6].width - (side.width - 64)) <= 2, "\(bands[6])")
  }

  @Test func `what can't be loaded is left out and said, 65 with --strict`() async throws {
    let person = try await Person.anybody()
    let folder = person.path("documents")
    let png = try Picture(width: 8, height: 8, black: (8, 8)).png()
    try png.write(to: person.path("outside.png"))
    try Array(png.prefix(40)).write(to: "\(folder)/broken.png")
    try bomb.write(to: "\(folder)/bomb.png")
    try Array("HOME\n".utf8).write(to: "\(folder)/text.png")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/sub", withIntermediateDirectories: false)
    for (name, target) in [("out.png", "../outside.png"), ("zero.png", "/dev/zero")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: target)
    }
    for (name, why) in [
      ("missing.png", "No such file"), ("broken.png", "can't be read"), ("bomb.png", "too large"),
      ("text.png", "not a picture"), ("out.png", "not in the receipt's folder"),
      ("zero.png", "not in the receipt's folder"),
      ("../outside.png", "not in the receipt's folder"),
      (person.path("outside.png"), "not in the receipt's folder"),
      (".", "not in the receipt's folder"), ("sub", "not a file"),
    ] {
      let file = try person.document(Array("image: \(name)\nHOME\n".utf8), "a.receipt")
      let said = "The picture \(name) is missing from the receipt: "
      let output = person.path("a.pwg")
      let loose = try await person.airprint("render", file, "-o", output, "--paper", "80mm")
      #expect(loose.code == 0 && loose.stderr.contains(said), "\(loose.report)")
      #expect(loose.stderr.contains(why), "\(loose.report)")
      #expect(try Sheet.read(output).first?.bands().count == 1)
      let strict = try await person.airprint(
        "render", file, "-o", output, "--paper", "80mm", "--strict")
      #expect(strict.code == 65 && strict.stderr.contains(said), "\(strict.report)")
    }
  }

  @Test func `a receipt that is taken for plain text, 65 with --strict`() async throws {
    let person = try await Person.anybody()
    let words = ["render", "-o", person.path("a.pwg"), "--type", "receipt", "--paper", "80mm"]
    let text = Array("title: Hi\na | 1\n".utf8)
    for (options, code) in [([], 0), (["--strict"], 65), (["--from", "receipt"], 0)] {
      let outcome = try await person.airprint(words + options, input: text)
      #expect(outcome.code == Int32(code), "\(outcome.report)")
      let isTold = outcome.stderr.contains("It is printed as plain text: ")
      #expect(isTold == !options.contains("--from"), "\(outcome.report)")
    }
  }

  @Test func `--assets is the folder of a receipt's pictures`() async throws {
    let person = try await Person.anybody()
    try Picture(width: 80, height: 40, black: (80, 40)).png()
      .write(to: person.path("documents/logo.png"))
    let text = Array("#receipt\nimage: logo.png\n".utf8)
    for (options, lines) in [(["--assets", person.path("documents")], 1), ([], 0)] {
      let output = person.path("\(lines).pwg")
      let outcome = try await person.airprint(
        ["render", "-", "-o", output, "--paper", "80mm"] + options, input: text)
      #expect(
        outcome.code == 0 && outcome.stderr.contains("The picture logo.png is") == (lines == 0))
      #expect(try Sheet.read(output).first?.bands().count == lines, "\(outcome.report)")
    }
  }

  /// A PNG that claims 100,000 × 100,000 pixels.
  private let bomb: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 1, 0x86,
    0xA0, 0, 1, 0x86, 0xA0, 8, 0, 0, 0, 0, 0x8D, 0x39, 0x54, 0x14, 0, 0, 0, 9, 0x49, 0x44, 0x41,
    0x54, 0x78, 0x9C,
  ]

  @Test(arguments: [
    ("one line", "4096 bytes"), ("many lines", "20000 lines"), ("Latin-1", "Line 2"),
    ("nothing", "empty"), ("large", "4 MB"),
  ])
  func `too much, or no text, is exit 65`(_ kind: String, _ why: String) async throws {
    let person = try await Person.anybody()
    let bytes: [UInt8] =
      switch kind {
      case "one line": Array(repeating: 0x78, count: 3_000_000)
      case "many lines": Array(repeating: 0x0A, count: 1_000_000)
      case "Latin-1": Array("x\nCaf".utf8) + [0xE9]
      case "nothing": Array("#receipt\n".utf8)
      default: Array(repeating: 0x78, count: 10_000_000)
      }
    let outcome = try await person.airprint("check", try person.document(bytes, "a.receipt"))
    #expect(outcome.code == 65 && outcome.stderr.contains(why), "\(outcome.report)")
    #expect(outcome.stderr.split(separator: "\n").count == 1)
  }

  @Test func `a long receipt prints, and so does the longest line`() async throws {
    let person = try await Person.anybody()
    let line = String(repeating: "x", count: 20) + " | 1\n"
    let parts = try await person.receipts(String(repeating: line, count: 700))
    #expect(parts.map { $0.bands().count }.reduce(0, +) >= 700)
    let longest = String(repeating: "W", count: 4_096)
    #expect(try await person.receipt(longest).bands().count > 50)
  }
}
