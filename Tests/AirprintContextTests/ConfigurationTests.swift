@testable import AirprintContext
import Glibc
import PrintModel
import PrintOptions
import System
import TestSupport
import Testing

@Suite struct ConfigurationTests {
  @Test func `no file is no setting`() throws {
    let configuration = try Configuration(try Folders().places)
    #expect(configuration.timeout == nil && configuration.leavesOnTimeout == nil)
    #expect(configuration.settings(for: .document, printer: nil).isEmpty)
  }

  @Test func `every mistake is told, in the order of the lines, and a job names the first`() throws
  {
    let folders = try Folders(
      user: [
        "config.toml": """
        papr = "A4"
        timeout = "soon"
        sides = "long"
        [printers."Office"]
        colour = "gray"
        copies = -1
        paper = "A4"
        [types.receipts]
        copies = 2
        [stamps.seal]
        shape = "round"
        [renderers.till]
        timeout = 5
        """
      ])
    let mistakes = Configuration.mistakes(folders.places).map(\.message)
    let path = "\(folders.places.configuration)/config.toml"
    let lines = mistakes.map { $0.dropFirst(path.count + 1).prefix { $0.isNumber } }
    #expect(lines == ["1", "2", "5", "6", "8", "11", "12"], "\(mistakes)")
    let first = failureOf { _ = try Configuration(folders.places) }
    #expect(first?.message == mistakes.first)
    // After a syntax error, no further mistakes are reported.
    let broken = try Folders(user: ["config.toml": "papr = 1\nsides = long\n"])
    #expect(Configuration.mistakes(broken.places).count == 1)
    #expect(Configuration.mistakes(try Folders().places).isEmpty)
  }

  @Test func `one printer has one table, however its name is written`() throws {
    let tables = "[printers.\"A b\"]\ncopies = 2\n[printers.\"a B\"]\ncopies = 3\n"
    let folders = try Folders(user: ["config.toml": tables])
    let mistakes = Configuration.mistakes(folders.places)
    #expect(mistakes.map(\.message).first?.contains("is the same printer as") == true)
    let lists = try Folders(user: ["config.toml": "domains = \"a.example,b.example\"\n"])
    #expect(Configuration.mistakes(lists.places).count == 1)
  }

  @Test func `a wrong value is told by its key, not by an option's name`() throws {
    let folders = try Folders(user: ["config.toml": "sides = \"longg\"\nmargins = 10\n"])
    let messages = Configuration.mistakes(folders.places).map(\.message)
    #expect(messages.count == 2)
    for (message, part) in zip(
      messages, [":1: sides longg: takes one", ":2: margins 10: a length"])
    {
      #expect(message.contains(part) && !message.contains("--"), "\(message)")
    }
  }

  /// toml++ would take too long for them, or use up the stack.
  @Test(arguments: [
    ("a = ", "[", ""), ("a = ", "[1,", ""), ("a = ", "{a = ", "1"), ("[", "a.", "a]"),
    ("[[", "\"a\" . ", "a]]"), ("", "a.", "a = 1"), ("a = { ", "a.", "a = 1 }"),
  ])
  func `deep nesting is refused at once`(_ start: String, _ unit: String, _ end: String) throws {
    let text = start + String(repeating: unit, count: 100_000) + end
    for name in ["config.toml", "printers.toml", "quirks.toml", "converters/deep.toml"] {
      let folders = try Folders()
      try folders.write("\n\(text)\n", to: name)
      let failure = failureOf {
        _ = try Configuration(folders.places)
        _ = try PrinterStore(folders.places)
        _ = try Quirks(folders.places)
        _ = try Converters(folders.places)
      }
      #expect(failure?.code == .configuration)
      let message =
        "\(folders.places.configuration)/\(name):2: tables and lists are nested more than 16 deep."
      #expect(failure?.message.suffix(300) == message[...])
    }
  }

  @Test func `settings without an end are not read to it`() throws {
    let long = try Folders()
    try long.write(String(repeating: " ", count: (1 << 20) + 1), to: "long")
    let cases = [
      ("\(long.places.configuration)/long", "is longer than 1 MB."), ("/", "can't be read"),
      ("/dev/zero", "can be written by others"),
    ]
    for (target, why) in cases {
      let folders = try Folders()
      symlink(target, "\(folders.places.configuration)/config.toml")
      let failure = failureOf { _ = try Configuration(folders.places) }
      #expect(failure?.code == .configuration && failure?.message.contains(why) == true)
    }
    let folders = try Folders()
    mkfifo("\(folders.places.configuration)/config.toml", 0o600)
    #expect(try Configuration(folders.places).timeout == nil)
  }

  @Test(arguments: [
    ("/etc/airprint/a b.toml", EACCES, "sudo chmod a+rX /etc/airprint '/etc/airprint/a b.toml'"),
    ("/etc/airprint/config.toml", EIO, nil),
  ]) func `who may not read a file is told who lets them`(
    _ path: String, _ number: Int32, _ command: String?
  ) throws {
    let failure = TOMLFile.unreadable(path, SystemError(number))
    #expect(failure.hints == (command.map { ["Fix it with: \($0)"] } ?? []))
    // What belongs to another account is not theirs to change.
    let folder = try Folders().places.configuration
    for (place, isOwn) in [(folder, true), ("/proc/1", geteuid() == 0)] {
      let own = TOMLFile.unreadable("\(place)/config.toml", SystemError(EACCES)).hints
      #expect(own.first?.hasPrefix("Fix it with: chmod u+rX \(place) ") == isOwn, "\(own)")
    }
  }

  @Test func `every key is read`() throws {
    let folders = try Folders(user: [
      "config.toml": """
      # A person's own words.
      timeout = "2m"
      on-timeout = "leave"
      font = "Serif 11"
      margins = "20mm"
      quality = "high"
      [types.photo]
      paper = ["4x6", "best"]
      copies = 2
      [types.large-format]
      resolution = 300
      [printers.Till]
      color = "gray"
      borderless = true
      [stamps.paid]
      text = "PAID"
      """
    ])
    let configuration = try Configuration(folders.places)
    #expect(configuration.timeout == 120 && configuration.leavesOnTimeout == true)
    let photo = configuration.settings(for: .photo, printer: "till")
    #expect(
      Set(photo.prefix(3).map { "\($0.option.rawValue)=\($0.value)" })
        == ["font=Serif 11", "margins=20mm", "quality=high"])
    #expect(
      photo.dropFirst(3).map { "\($0.option.rawValue)=\($0.value)" } == [
        "copies=2", "paper=4x6,best", "borderless=true", "color=gray",
      ])
    #expect(configuration.settings(for: .document, printer: nil).count == 3)
    #expect(configuration.settings(for: .largeFormat, printer: "Other").count == 4)
  }

  @Test func `stamps have names, and files beside the settings`() throws {
    let folders = try Folders(
      user: [
        "config.toml": """
        [stamps.paid]
        text = "PAID"
        rect = [400, 40.5, 120, 60]
        opacity = 0.3
        rotate = 45
        page = "first"
        [stamps.letterhead]
        file = "paper.pdf"
        [types.document]
        underlay = "letterhead"
        overlay = ["paid", "x.png,opacity=0.5"]
        """
      ],
      system: ["config.toml": "[stamps.paid]\ntext = \"X\"\n[stamps.old]\nfile = \"/o.png\"\n"])
    let configuration = try Configuration(folders.places)
    let paid = configuration.stamp(Stamp("paid@opacity=1", isBelow: false))
    #expect(paid.source == .text("PAID") && paid.opacity == 1 && paid.rotation == 45)
    #expect(paid.pages == .first)
    #expect(paid.options.rectangle == Rectangle(x: 400, y: 40.5, width: 120, height: 60))
    let letterhead = configuration.stamp(Stamp("letterhead", isBelow: true))
    #expect(letterhead.source == .file("\(folders.places.configuration)/paper.pdf"))
    #expect(letterhead.isBelow)
    #expect(configuration.stamp(Stamp("old", isBelow: false)).source == .file("/o.png"))
    #expect(configuration.stamp(Stamp("./paid", isBelow: false)).source == .file("./paid"))
    let settings = configuration.settings(for: .document, printer: nil)
    #expect(
      settings.map { "\($0.option.rawValue)=\($0.value)" } == [
        "overlay=paid", "overlay=x.png,opacity=0.5", "underlay=letterhead",
      ])
  }

  @Test(arguments: [
    ("[stamps.a]\n", "either a file or a text"),
    ("[stamps.a]\nfile = \"x\"\ntext = \"y\"\n", "either a file or a text"),
    ("[stamps.a]\ntext = \"y\"\nopacty = 0.5\n", "opacity"),
    ("[stamps.a]\ntext = \"y\"\nopacity = 2\n", "opacity takes"),
    ("[stamps.a]\ntext = \"y\"\nrect = [1, 2]\n", "rect takes"),
    ("stamps = \"a\"\n", "[stamps.NAME]"),
  ])
  func `a stamp that makes no sense is refused`(_ text: String, _ words: String) throws {
    let folders = try Folders(user: ["config.toml": text])
    let failure = #expect(throws: Failure.self) { try Configuration(folders.places) }
    #expect(failure?.code == .configuration)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  /// In increasing precedence: the system's settings, then the user's; within each, general, type, printer.
  @Test func `the person's settings lie over the administrator's`() throws {
    let folders = try Folders(
      user: ["config.toml": "timeout = 5\nquality = \"draft\"\n[printers.P]\nsides = \"one\"\n"],
      system: [
        "config.toml": """
        timeout = 60
        on-timeout = "leave"
        quality = "high"
        [types.document]
        quality = "normal"
        """
      ])
    let configuration = try Configuration(folders.places)
    #expect(configuration.timeout == 5 && configuration.leavesOnTimeout == true)
    let settings = configuration.settings(for: .document, printer: "P")
    #expect(settings.map(\.value) == ["high", "normal", "draft", "one"])
    #expect(settings.last?.source == "\(folders.places.configuration)/config.toml")
    var request = PrintRequest()
    for setting in settings { try setting.option.apply(setting.value, to: &request) }
    #expect(request.quality == .draft && request.sides == .one)
  }

  @Test func `brackets in strings and arrays are no headers`() throws {
    let text = """
      on-available = \"\"\"
      [ $HOME ] && [=]
      \\\"\"\"\" # [=]
      renderers.a.command = [
        "b[",
        'c',
      ]
      [ types . "photo" ] # ]
      copies = 2
      """
    let configuration = try Configuration(Folders(user: ["config.toml": text]).places)
    #expect(configuration.onAvailable == "[ $HOME ] && [=]\n\"")
    #expect(configuration.renderer(named: "a")?.command == ["b[", "c"])
    #expect(configuration.settings(for: .photo, printer: nil).map(\.value) == ["2"])
  }

  @Test(arguments: [
    ("timeout = 0", 1, "seconds"), ("timeout = \"long\"", 1, "seconds"),
    ("\n\non-timeout = \"wait\"", 3, "leave or cancel"),
    ("font = \"Serif\"\nqualitty = \"high\"", 2, "unknown key \"qualitty\""),
    ("quality = \"finest\"", 1, "draft, normal or high"),
    ("color = 2024-01-01", 1, "a date or a time"),
    ("[types.reciept]\ncopies = 1", 1, "receipt"),
    ("[types.photo]\n# Twice\ncopies = 0", 3, "1 to 9999"),
    ("[types.photo]\npages = \"1\"", 2, "unknown print option \"pages\""),
    ("[types.photo]\npapr = \"A4\"", 2, "paper"),
    ("types = 3", 1, "[types.NAME]"), ("[types]\nphoto = \"4x6\"", 2, "[types.photo]"),
    ("\nprinters = \"Till\"", 2, "[printers.NAME]"),
    ("papre = \"A4\"", 1, "unknown key \"papre\" (did you mean \"paper\"?)"),
    ("copies = 2\n", 1, "\"copies\" belongs below [types.TYPE]"),
    ("sides = long\n", 1, "strings need quotes: sides = \"long\""),
    (
      "[types.document]\nsides = \"one\"\n[types.photo]\nsides = \"three\"", 4,
      "one, long, short or auto"
    ),
    ("[printers.Till]\ncut-length = \"long\"", 2, "auto, max"),
    ("quality = \"high", 1, "a string ends with the quote"), ("a = 1\n= 2", 2, "can't be read"),
    ("quality = \"high\"\nquality = \"low\"", 2, "\"quality\" is set twice."),
    ("notify = true\nnotify = true", 2, "\"notify\" is set twice."),
    ("notify = yes\n", 1, "true and false are written so: notify = true"),
    ("font = Noto Sans 11 # for text\n", 1, "strings need quotes: font = \"Noto Sans 11\""),
    ("sides: long\n", 1, "sides = \"long\""),
    ("timeout = 5m\n", 1, "strings need quotes: timeout = \"5m\""),
    ("margins = 20mm\n", 1, "strings need quotes: margins = \"20mm\""),
    ("printer = \"Office Laser\"\n", 1, "airprint default \"Office Laser\""),
    // toml++ would abort.
    ("[=]", 1, "[name]"), ("notify = true\n[[[x]]]", 2, "[name]"), ("# [\n\n [\n", 3, "[name]"),
    ("\u{FEFF}[", 1, "[name]"), ("\ntimeout = 1979-05-27Tx:", 2, "a date or a time"),
    ("renderers.a.command = [\n \"b\", }", 2, "list"),
    ("stamps.a.text = { b = 1,\n c = [07:32] }", 2, "a date or a time"),
    ("font = \"\"\"\n[=]\n\\\n\"\"\"\"\n[", 5, "[name]"),
  ])
  func `a wrong line is named`(_ text: String, _ line: Int, _ fragment: String) throws {
    for isSystem in [false, true] {
      let folders =
        try isSystem
        ? Folders(system: ["config.toml": text]) : Folders(user: ["config.toml": text])
      let failure = try #require(failureOf { _ = try Configuration(folders.places) })
      let folder = isSystem ? folders.places.system : folders.places.configuration
      #expect(failure.code == .configuration)
      #expect(failure.message.hasPrefix("\(folder)/config.toml:\(line): "), "\(failure)")
      #expect(failure.message.contains(fragment), "\(failure)")
    }
  }

  @Test(arguments: [
    ([:], "/.config/airprint"), (["HOME": "/home/a"], "/home/a/.config/airprint"),
    (["HOME": "/home/a", "XDG_CONFIG_HOME": "/c"], "/c/airprint"),
    (["HOME": "/home/a", "XDG_CONFIG_HOME": "c"], "/home/a/.config/airprint"),
    (["HOME": "/home/a", "XDG_CONFIG_HOME": ""], "/home/a/.config/airprint"),
  ])
  func `files are where the XDG specification has them`(
    _ environment: [String: String], _ path: String
  ) {
    let places = Directories(environment: environment)
    #expect(places.configuration == path)
    #expect(places.system == "/etc/airprint")
  }
}
