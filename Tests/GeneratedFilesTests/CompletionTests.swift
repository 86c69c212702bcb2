import AirprintCommands
import FoundationEssentials
import PrintModel
import TestSupport
import Testing
import PrintOptions

/// A shell with airprint's completion function, in a terminal.
struct Shell: CustomTestStringConvertible, Sendable {
  let name: String
  let command: [String]
  /// The commands that load the script.
  let setup: String

  var testDescription: String { name }

  static let all = [
    Shell(
      name: "bash", command: ["bash", "--norc", "--noprofile", "-i"],
      setup: "source <(airprint completion bash)"),
    Shell(
      name: "zsh", command: ["zsh", "-f", "-i"],
      setup: "autoload -Uz compinit; compinit -u -D; source <(airprint completion zsh)"),
    Shell(
      name: "fish", command: ["fish", "--no-config", "-i"],
      setup: "airprint completion fish | source"),
  ]

  static let installed = all.filter { (try? locate($0.name)) != nil }

  static let missing = all.map(\.name).filter { name in !installed.contains { $0.name == name } }

  /// Returns the environment of a shell that finds the built program.
  static func environment(_ scratch: Scratch) throws -> [String: String] {
    var environment = scratch.environment
    let bin = try locate("airprint").split(separator: "/").dropLast().joined(separator: "/")
    environment["PATH"] = "/\(bin):\(environment["PATH"] ?? "")"
    return environment
  }

  /// Starts the shell with `book` as the saved printers.
  func start(_ scratch: Scratch, book: String) async throws -> TerminalSession {
    var environment = try Self.environment(scratch)
    let folder = "\(scratch.path)/config/airprint"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.write(book, to: "config/airprint/printers.toml")
    environment["PS1"] = "> "
    // fish shows the checkout's folder in front of a line, which must not wrap within a word that is waited for.
    let session = try TerminalSession(command, environment: environment, columns: 300, rows: 40)
    session.type("\(setup); echo rea''dy\(Key.enter)")
    try await session.wait(for: "\nready")
    return session
  }
}

@Suite struct CompletionTests {
  @Test(.enabled(if: (try? locate("fish")) != nil, "fish is not installed"))
  func `fish does not repeat an option's description beside each value`() async throws {
    let scratch = try Scratch()
    let script = try scratch.write(
      """
      airprint completion fish | source
      complete -C 'airprint print --sides '
      complete -C 'airprint print --copies ' | count
      complete -C 'airprint print --sid'
      """, to: "values.fish")
    let listed = try await run(
      ["fish", "--no-config", script], environment: Shell.environment(scratch))
    let lines = listed.stdout.split(separator: "\n")
    #expect(lines.prefix(5) == ["one", "long", "short", "auto", "0"], "\(listed.stdout)")
    #expect(lines.last?.hasPrefix("--sides\tOne- or two-sided: ") == true, "\(listed.stdout)")
  }

  @Test(arguments: Shell.installed)
  func `Tab offers saved printers, types, paper and the rarer options`(_ shell: Shell) async throws
  {
    let scratch = try Scratch()
    _ = try scratch.write("notes", to: "notes-of-today.txt")
    let session = try await shell.start(
      scratch,
      book: """
        [printers."Office Laser"]
        uri = "ipp://localhost:1/ipp/print"
        [printers.Till]
        uri = "ipp://localhost:2/ipp/print"
        """)
    for (typed, line) in [
      ("airprint show Of", "airprint show Office\\ Laser"),
      ("airprint print -d Ti", "airprint print -d Till"),
      ("airprint print --type rec", "airprint print --type receipt"),
      ("airprint print --paper A4,let", "airprint print --paper A4,letter"),
      ("airprint print --tra", "airprint print --tray"),
      ("airprint print --format u", "airprint print --format urf"),
      ("airprint print -o media=Let", "airprint print -o media=Letter"),
      ("airprint print -o print-color-mode=mo", "airprint print -o print-color-mode=monochrome"),
      ("airprint pi", "airprint pick"),
      // A file prints without a command.
      ("airprint \(scratch.path)/notes-of", "airprint \(scratch.path)/notes-of-today.txt"),
      (
        "airprint print --overlay=\(scratch.path)/notes-of",
        "--overlay=\(scratch.path)/notes-of-today.txt"
      ),
      ("airprint print --assets \(scratch.path)/conf", "--assets \(scratch.path)/config/"),
      ("airprint help que", "airprint help queue"),
      ("airprint help queue rem", "airprint help queue remove"),
      ("airprint simulate --like Ti", "airprint simulate --like Till"),
      ("airprint preview \(scratch.path)/notes-of", "/notes-of-today.txt"),
      ("airprint config set later", "airprint config set later-when-offline"),
      ("airprint config set types.photo.qual", "airprint config set types.photo.quality"),
      ("airprint config set types.photo.quality dr", "types.photo.quality draft"),
      ("airprint print -o sid", "airprint print -o sides="),
      ("airprint simulate --fault bus", "airprint simulate --fault busy:10s"),
      // Like an option of print, and with "=".
      ("airprint -d Ti", "airprint -d Till"),
      ("airprint -d Till --qua", "airprint -d Till --quality"),
      ("airprint --type=rec", "airprint --type=receipt"),
      ("airprint print --to=Of", "airprint print --to=Office\\ Laser"),
      ("airprint print --paper=A4,let", "airprint print --paper=A4,letter"),
      // The second of a list.
      ("airprint print -d Till,Of", "airprint print -d Till,Office\\ Laser"),
      ("airprint pick --type receipt,lab", "airprint pick --type receipt,label"),
    ] {
      try await complete(typed, to: line, session)
    }
    await scratch.close()
  }

  /// Completions come from the printer's last answer; Tab never waits for the printer.
  @Test(arguments: Shell.installed)
  func `Tab offers the trays of the printer that is meant`(_ shell: Shell) async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/cache/airprint/status", withIntermediateDirectories: true)
    _ = try scratch.write(
      """
      {"name":"Office Laser","uri":"ipp://localhost:1/ipp/print","isAvailable":false,
       "trays":["lower-cassette"],"mediaTypes":["parchment"],
       "asked":4102444800}
      """, to: "cache/airprint/status/ipp---localhost-1-ipp-print.json")
    let session = try await shell.start(
      scratch,
      book: """
        [printers."Office Laser"]
        uri = "ipp://localhost:1/ipp/print"
        """)
    for (typed, line) in [
      ("airprint print -d Office\\ Laser --tray low", "--tray lower-cassette"),
      ("airprint print --to Office --media-type p", "--media-type parchment"),
      ("airprint print --tray tray-", "tray-"),
    ] {
      try await complete(typed, to: line, session)
    }
    await scratch.close()
  }

  @Test func `the values of settings are accepted`() throws {
    #expect(valuesOfSetting("types.photo.sides") == valuesOfSetting("sides"))
    for option in PrintOption.settings {
      for value in valuesOfSetting("printers.Front Desk.\(option.rawValue)") {
        var request = PrintRequest()
        #expect(throws: Never.self) { try option.apply(value, to: &request) }
      }
    }
    #expect(valuesOfSetting("timeout").isEmpty)
  }

  @Test(arguments: Shell.installed)
  func `Tab offers jobs, with their names where the shell shows such`(_ shell: Shell) async throws {
    let scratch = try Scratch()
    let session = try await shell.start(scratch, book: "")
    let page = try scratch.write("page", to: "page.txt")
    var ids: [String] = []
    for title in ["Breakfast", "Supper"] {
      let added = try await run(
        ["airprint", "queue", "add", "-q", "-t", title, page], environment: scratch.environment)
      ids.append(added.stdout.split(separator: "\n").joined())
    }
    try await complete("airprint wait \(ids[0].dropLast())", to: "airprint wait \(ids[0])", session)
    try await complete(
      "airprint preview \(ids[0].dropLast())", to: "airprint preview \(ids[0])", session)
    // Bash can't show names next to the IDs. IDs may begin alike, which takes another Tab.
    let isBash = shell.name == "bash"
    let start = isBash ? "\(ids[1].dropLast())\(Key.tab)" : "\(Key.tab)\(Key.tab)\(Key.tab)"
    session.type("airprint queue show \(start)")
    try await session.wait(for: isBash ? "queue show \(ids[1])" : "Supper")
    await scratch.close()
  }

  /// Types the start of a command and Tab, and clears the line again.
  ///
  /// Input may get lost while a shell is setting up its terminal; it is then typed again.
  private func complete(_ typed: String, to line: String, _ session: TerminalSession) async throws {
    for attempt in 1...16 {
      session.type(typed + Key.tab)
      do {
        try await session.wait(for: line, within: .seconds(15))
        break
      } catch {
        if attempt == 16 { throw error }
        session.type(Key.killLine)
      }
    }
    session.type(Key.killLine)
  }

  @Test func `a list continues with what is not in it`() {
    let names = ["Till", "Office Laser", "a,b", "x\u{202E}y"]
    #expect(lists(of: names, completing: "Ti").isEmpty)
    #expect(lists(of: names, completing: "Till,") == ["Till,Office Laser"])
    #expect(lists(of: names, completing: "Till,Of") == ["Till,Office Laser"])
    #expect(lists(of: names, completing: "Office Laser,") == ["Office Laser,Till"])
  }

  /// A printer chooses its own name, so Tab must not run code in it.
  @Test(arguments: Shell.installed)
  func `a printer's name is offered and not run`(_ shell: Shell) async throws {
    let scratch = try Scratch()
    let trap = "\(scratch.path)/trapped"
    let session = try await shell.start(
      scratch,
      book: """
        [printers.'Evil $(touch \(trap)) `touch \(trap)` : \\ end']
        uri = "ipp://localhost:1/ipp/print"
        """)
    session.type("airprint show Ev\(Key.tab)")
    try await session.wait(for: "end")
    #expect(!FileManager.default.fileExists(atPath: trap))
    await scratch.close()
  }

  @Test(
    .enabled(
      if: Shell.missing.isEmpty, "not installed: \(Shell.missing.joined(separator: ", "))"))
  func `all shells were tried`() {
    #expect(Shell.installed.map(\.name) == ["bash", "zsh", "fish"])
  }

  @Test func `every paper that is offered is one`() throws {
    let people = paperNames(completing: "")
    #expect(people.contains("A4") && people.contains("Letter") && people.contains("best"))
    #expect(!people.contains { $0.contains("_") || $0.contains(" ") })
    for name in people + paperNames(completing: "i") + paperNames(completing: "n") {
      #expect(throws: Never.self) { try MediaSelector(name) }
    }
    #expect(paperNames(completing: "A4,let") == ["A4,letter"])
    #expect(paperNames(completing: "iso_a4") == ["iso_a4_210x297mm"])
    #expect(paperNames(completing: "nothing").isEmpty)
    // For a known printer, only the papers that it supports, each once.
    let a4 = MediaSize(width: 21_000, length: 29_700)
    let roll = MediaSize(width: 8_000, length: 300_000)
    let papers = [
      Paper(name: "iso_a4_210x297mm", size: a4, margins: .zero, isReady: true),
      Paper(name: "iso_a4_210x297mm", size: a4, margins: .zero, isReady: false),
      Paper(
        name: "roll", size: roll, margins: .zero, isRoll: true, cuts: 254...300_000, isReady: true),
    ]
    #expect(paperNames(completing: "", among: papers) == ["A4", "80mm", "best"])
    #expect(paperNames(completing: "a", among: papers) == ["a4"])
  }
}

extension Key {
  /// Ctrl-U.
  ///
  /// Ctrl-C would also discard the keys that follow.
  fileprivate static let killLine = "\u{15}"
}
