import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `--renderer`: a user's program creates the pages, with the paper in its environment.
@Suite(.inTurn) struct RendererTests {
  /// Writes its environment to `$0.seen`, then a PDF page of that paper.
  private static let telling = """
    #!/bin/sh
    env | grep ^AIRPRINT | sort > "$0.seen"
    cat > "$0.data"
    height=$AIRPRINT_PAPER_HEIGHT
    [ "$AIRPRINT_ROLL" = 1 ] && height=100
    sed "s/WIDTH/$AIRPRINT_PAPER_WIDTH/; s/HEIGHT/$height/" << END
    %PDF-1.4
    1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
    2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
    3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 WIDTH HEIGHT] /Contents 4 0 R >> endobj
    4 0 obj << /Length 50 >> stream
    1 0 0 1 10 $(awk "BEGIN { print $height - 30 }") cm 0 0 30 20 re f
    endstream endobj
    trailer << /Root 1 0 R >>
    END
    """

  @Test func `it is told the paper, and its page comes out`() async throws {
    let person = try await Person.anybody()
    let program = try await person.program(Self.telling, "telling")
    let data = try person.document(Array("some data".utf8), "order")
    let sheets = try await person.sheets(data, "--renderer", program, "--paper", "A5")
    #expect(sheets.count == 1)
    #expect(sheets[0].ink?.isAt(10, 10, 30, 20) == true, "\(String(describing: sheets[0].ink))")
    #expect(try bytes(of: "\(program).data") == Array("some data".utf8))
    let seen = try String(decoding: bytes(of: "\(program).seen"), as: UTF8.self)
    let lines = Set(seen.split(separator: "\n").map(String.init))
    for line in [
      "AIRPRINT_PAPER_WIDTH=419.53", "AIRPRINT_PAPER_HEIGHT=595.28", "AIRPRINT_PRINTABLE_X=0",
      "AIRPRINT_PRINTABLE_Y=0", "AIRPRINT_PRINTABLE_WIDTH=419.53",
      "AIRPRINT_PRINTABLE_HEIGHT=595.28", "AIRPRINT_ROLL=0", "AIRPRINT_RESOLUTION=72",
      "AIRPRINT_COLOR=gray", "AIRPRINT_TYPE=document",
    ] { #expect(lines.contains(line), "\(line) in \(seen)") }
    let own = try #require(lines.first { $0.hasPrefix("AIRPRINT=") }).dropFirst(9)
    #expect(access(String(own), X_OK) == 0, "\(own)")
  }

  @Test func `margins of the printer, and landscape as its reader holds it`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let program = try await person.program(Self.telling, "telling")
    let output = person.path("out.pwg")
    let rendered = try await person.airprint(
      "render", "-", "-o", output, "-d", printer.uri, "--renderer", program, "--orientation",
      "landscape", input: [])
    #expect(rendered.code == 0, "\(rendered.report)")
    let shown = try await person.airprint("paper", "--json", printer.uri)
    let paper = try shown.json
    let seen = try String(decoding: bytes(of: "\(program).seen"), as: UTF8.self)
    var values: [Substring: Double] = [:]
    for line in seen.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      values[parts[0]] = Double(parts[1])
    }
    let width = try #require(paper.width?.number)
    let height = try #require(paper.height?.number)
    let left = try #require(paper.margins?.left?.number)
    let top = try #require(paper.margins?.top?.number)
    func near(_ name: Substring, _ value: Double) -> Bool {
      abs((values[name] ?? -1) - value) < 0.02
    }
    #expect(near("AIRPRINT_PAPER_WIDTH", height) && near("AIRPRINT_PAPER_HEIGHT", width), "\(seen)")
    #expect(near("AIRPRINT_PRINTABLE_WIDTH", height - 2 * top), "\(seen)")
    #expect(near("AIRPRINT_PRINTABLE_HEIGHT", width - 2 * left), "\(seen)")
    await printer.stop()
  }

  @Test func `on a roll the height of its page is the cut`() async throws {
    let person = try await Person.anybody()
    let program = try await person.program(Self.telling, "telling")
    let data = try person.document(Array("x".utf8), "order")
    let sheets = try await person.sheets(
      data, "--renderer", program, "--type", "receipt", "--paper", "80mm")
    // 100 points, rounded up to the next millimeter.
    #expect(sheets.map(\.pageSize.height) == [102], "\(sheets.map(\.pageSize))")
  }

  @Test func `PNG pictures one after the other are pages, pixel for pixel`() async throws {
    let person = try await Person.anybody()
    let one = try person.document(
      try Picture(width: 298, height: 420, black: (9, 9)).png(), "1.png")
    let two = try person.document(
      try Picture(width: 298, height: 420, black: (200, 300)).png(), "2.png")
    let program = try await person.program("#!/bin/sh\ncat '\(one)' '\(two)'\n", "pictures")
    let sheets = try await person.sheets(one, "--renderer", program, "--paper", "A6")
    #expect(sheets.count == 2)
    let inks = try sheets.map { try #require($0.ink) }
    #expect(inks[0].isAt(0, 0, 9, 9), "\(inks[0])")
    #expect(inks[1].isAt(0, 0, 200, 300), "\(inks[1])")
  }

  @Test(arguments: [
    ("echo no paper >&2; exit 4", 65, "bad failed: no paper."),
    ("exit 4", 65, "bad failed with exit code 4."),
    ("echo hello", 65, "bad wrote neither a PDF nor PNG pictures."),
    ("exit 0", 65, "bad wrote neither a PDF nor PNG pictures."),
    ("printf '%%PDF-1.4 and no more'", 65, "The PDF is damaged."),
    ("printf '\\211PNG\\r\\n\\032\\n and no more'", 65, "not a complete PNG picture"),
  ])
  func `65: a renderer that fails`(_ script: String, _ code: Int32, _ words: String) async throws {
    let person = try await Person.anybody()
    let program = try await person.program("#!/bin/sh\n\(script)\n", "bad")
    let rendered = try await person.airprint(
      "render", "-", "-o", person.path("x.pwg"), "--renderer", program, input: [])
    #expect(rendered.code == code, "\(rendered.report)")
    #expect(rendered.stderr.contains(words), "\(rendered.stderr)")
    #expect(!exists(person.path("x.pwg")))
  }

  @Test func `64: no such program; 65 after its own time; a name wins`() async throws {
    let person = try await Person.anybody()
    let program = try await person.program(Self.telling, "telling")
    try person.configure(
      """
      [renderers.cat]
      command = ["\(program)"]
      [renderers.slow]
      command = ["sleep", "600"]
      timeout = 1
      """)
    func render(_ name: String) async throws -> Outcome {
      try await person.airprint(
        "render", "-", "-o", person.path("x.pwg"), "--renderer", name, input: [])
    }
    let missing = try await render("slwo")
    #expect(missing.code == 64 && missing.stderr.contains("\"slow\""), "\(missing.report)")
    chmod(program, 0o644)
    let plain = try await render(program)
    #expect(plain.code == 64, "\(plain.report)")
    #expect(
      plain.stderr.contains("\(program) is not executable. Fix it with: chmod +x \(program)"),
      "\(plain.stderr)")
    chmod(program, 0o755)
    let slow = try await render("slow")
    #expect(slow.code == 65 && slow.stderr.contains("longer than 1 s"), "\(slow.report)")
    #expect(try await render("cat").code == 0)
    try person.configure("[renderers.x]\ncomand = \"y\"\n")
    let wrong = try await render("x")
    #expect(wrong.code == 78 && wrong.stderr.contains("config.toml:2:"), "\(wrong.report)")
  }

  @Test(arguments: ["receipt.py", "receipt.sh"])
  func `the examples lay out for the paper`(_ name: String) async throws {
    let person = try await Person.anybody()
    let example =
      #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }
      + "/examples/\(name)"
    let data =
      name == "receipt.py"
      ? #"{"shop": "Corner Shop", "items": [["Bread", 3.5], ["Milk", 1.29]]}"#
      : "Bread;3.50\nMilk;1.29\n"
    let order = try person.document(Array(data.utf8), "order")
    var heights: [Int] = []
    for roll in ["80mm", "58mm"] {
      let sheets = try await person.sheets(
        order, "--renderer", example, "--type", "receipt", "--paper", roll)
      let ink = try #require(sheets.first?.ink)
      #expect(sheets.count == 1)
      // From edge to edge on both rolls.
      let width = Double(sheets[0].pageSize.width)
      #expect(ink.left < width / 20 && ink.right > width * 0.9 && ink.right <= width, "\(ink)")
      heights.append(sheets[0].pageSize.height)
    }
    #expect(heights.allSatisfy { (50...300).contains($0) }, "\(heights)")
    let sheet = try await person.sheets(order, "--renderer", example, "--paper", "A6")
    #expect(sheet.map(\.pageSize.height) == [419])
  }
}

/// `--alternate PAPER=FILE`.
@Suite(.inTurn) struct AlternateTests {
  @Test func `another file takes the document's place on its paper, either way round`()
    async throws
  {
    let person = try await Person.anybody()
    let main = try person.document(PDF(pages: [.a4()]).bytes, "main.pdf")
    let small = PDF(pages: [
      PDF.Page(width: 419.53, height: 297.64, marks: [PDF.Mark(x: 5, y: 7, width: 20, height: 10)])
    ])
    let other = try person.document(small.bytes, "small.pdf")
    let options = ["--alternate", "62x100mm=\(main)", "--alternate", "A6=\(other)"]
    func ink(_ paper: String) async throws -> Ink? {
      let output = person.path("out.pwg")
      let rendered = try await person.airprint(
        ["render", main, "-o", output, "--paper", paper, "--resolution", "72", "--color", "gray"]
          + options)
      try #require(rendered.code == 0, "\(rendered.report)")
      return try Sheet.read(output).first?.ink
    }
    // Drawn with its top on the sheet's left edge.
    #expect(try await ink("A6")?.isAt(7, 419.53 - 25, 10, 20) == true)
    #expect(try await ink("A4")?.isAt(72, 144, 72, 72) == true)
  }

  @Test func `the plan names the file and says why`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let main = try person.document(PDF(pages: [.a4()]).bytes, "main.pdf")
    let html = try person.document(Array("<!doctype html><p>other".utf8), "other.html")
    let planned = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--json", "--alternate", "A4=\(html)", main)
    #expect(planned.code == 0, "\(planned.report)")
    let document = try #require(try planned.json.documents?.array?.first)
    #expect(document.file == .string(html) && document.mediaType == .string("text/html"))
    #expect(planned.stdout.contains("takes the place of \(main) on A4"))
    let missing = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--alternate", "A3=missing.pdf", main)
    #expect(missing.code == 66 && missing.stderr.contains("missing.pdf"), "\(missing.report)")
    let twice = try await person.airprint(
      "print", "-d", printer.uri, "--dry-run", "--alternate", "A4=\(html)", main, main)
    #expect(twice.code == 64 && twice.stderr.contains("2 are named"), "\(twice.report)")
    await printer.stop()
  }

  @Test(arguments: ["A4", "A4=", "=x.pdf", "best=x.pdf", "A99=x.pdf"])
  func `64: what makes no sense`(_ value: String) async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let rendered = try await person.airprint(
      "render", file, "-o", person.path("x.pdf"), "--alternate", value)
    #expect(rendered.code == 64, "\(rendered.report)")
  }
}

/// `airprint NAME` runs `airprint-NAME` from PATH.
@Suite(.inTurn) struct ExternalCommandTests {
  @Test func `it gets the arguments, AIRPRINT, the streams and the last word`() async throws {
    let person = try await Person.anybody()
    _ = try await person.program(
      "#!/bin/sh\nread line\n\"$AIRPRINT\" --version\necho \"$# $1 $2 $line\"; exit 7\n",
      "airprint-greet")
    let path = "\(person.folder)/programs:/usr/bin:/bin"
    let greeted = try await person.airprint(
      ["greet", "--json", "two words"], adding: ["PATH": path], input: Array("hi\n".utf8))
    #expect(greeted.code == 7, "\(greeted.report)")
    let version = try await person.airprint("--version")
    #expect(greeted.stdout == version.stdout + "2 --json two words hi\n")
    for (words, said) in [(["-v", "greet", "x"], "2 -v x"), (["help", "greet"], "1 --help ")] {
      let also = try await person.airprint(words, adding: ["PATH": path], input: Array("hi\n".utf8))
      #expect(also.stdout == version.stdout + "\(said) hi\n", "\(also.report)")
    }
    let help = try await person.airprint(["--help"], adding: ["PATH": path])
    #expect(help.stdout.contains("\n  greet  "), "\(help.stdout)")
    #expect(help.stdout.contains("\(person.folder)/programs/airprint-greet"))
  }

  @Test func `a command of ours is never one of theirs`() async throws {
    let person = try await Person.anybody()
    _ = try await person.program("#!/bin/sh\necho theirs\n", "airprint-check")
    let checked = try await person.airprint(
      ["check", try person.document(PDF().bytes)],
      adding: ["PATH": "\(person.folder)/programs:/usr/bin:/bin"])
    #expect(!checked.stdout.contains("theirs"), "\(checked.report)")
  }

  @Test(arguments: [
    (["pirnt", "x"], "There is no command or file \"pirnt\" (did you mean \"print\"?)."),
    ([""], "There is no command or file \"\"."),
    (["discovr", "--json"], "(did you mean \"discover\"?)"),
  ])
  func `64: no such command, and the nearest`(_ words: [String], _ message: String) async throws {
    let person = try await Person.anybody()
    let asked = try await person.airprint(words)
    #expect(asked.code == 64 && asked.stderr.contains(message), "\(asked.report)")
    #expect(asked.stdout.isEmpty == !words.contains("--json"), "\(asked.report)")
  }
}

extension Person {
  /// Writes a program of the user's and returns its path.
  ///
  /// Another process writes it: a program that is started at the same time would inherit the open file, and a file
  /// that is open for writing can't be executed.
  func program(_ text: String, _ name: String) async throws -> String {
    let place = "\(folder)/programs"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let path = "\(place)/\(name)"
    let written = try await run(
      ["sh", "-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh", path],
      environment: Scratch.shared.environment, input: Array(text.utf8))
    try #require(written.code == 0, "\(written.report)")
    return path
  }
}
