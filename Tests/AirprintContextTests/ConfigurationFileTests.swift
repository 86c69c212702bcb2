import AirprintContext
import Glibc
import PrintModel
import TestSupport
import Testing

/// `airprint config`: edits one key of a handwritten file.
@Suite struct ConfigurationFileTests {
  private static let file = """
    # My printers
    sides = "long"   # saves paper

    [types.receipt]
    paper = "80mm"

    [printers."Office Laser"]
    color = "gray"

    """

  @Test(arguments: [
    ("sides", "one", "sides = \"long\"   # saves paper", "sides = \"one\""),
    ("timeout", "90", "saves paper\n", "saves paper\ntimeout = 90\n"),
    ("notify", "true", "saves paper\n", "saves paper\nnotify = true\n"),
    ("types.receipt.paper", "58mm", "80mm", "58mm"),
    ("types.receipt.copies", "2", "80mm\"\n", "80mm\"\ncopies = 2\n"),
    ("types.photo.quality", "high", "gray\"\n", "gray\"\n\n[types.photo]\nquality = \"high\"\n"),
    ("printers.Office Laser.quality", "draft", "gray\"\n", "gray\"\nquality = \"draft\"\n"),
    ("printers.office laser.quality", "draft", "gray\"\n", "gray\"\nquality = \"draft\"\n"),
    (
      "printers.\"Till 1.5\".copies", "2", "gray\"\n",
      "gray\"\n\n[printers.\"Till 1.5\"]\ncopies = 2\n"
    ),
    ("domains", "[\"a.example\"]", "saves paper\n", "saves paper\ndomains = [\"a.example\"]\n"),
  ])
  func `a key is set where it belongs, and nothing else changes`(
    _ key: String, _ value: String, _ old: String, _ new: String
  ) throws {
    let folders = try Folders(user: ["config.toml": Self.file])
    let file = try ConfigurationFile(folders.places, system: false)
    let text = try file.setting(key, to: value)
    var expected = Self.file
    expected.replaceSubrange(try #require(expected.firstRange(of: old)), with: new)
    #expect(text == expected)
    try file.write(text)
    #expect(folders.text("config.toml") == text)
    let settings = try ConfigurationFile(folders.places, system: false).settings()
    #expect(settings.count == (["sides", "types.receipt.paper"].contains(key) ? 3 : 4))
  }

  @Test func `the line of a mistake is told only where there is one`() throws {
    let right = try Folders(user: ["config.toml": Self.file])
    let file = try ConfigurationFile(right.places, system: false)
    let new = failureOf { _ = try file.setting("foo", to: "1") }
    #expect(
      new?.code == .usage
        && new?.message == "unknown key \"foo\"; the manual lists all: man airprint.")
    // Two mistakes can be fixed one after the other.
    let wrong = try Folders(user: ["config.toml": "papr = 1\nsides = \"sideways\"\n"])
    let both = try ConfigurationFile(wrong.places, system: false)
    #expect(try both.setting("sides", to: "one") == "papr = 1\nsides = \"one\"\n")
    #expect(try both.setting("papr", to: nil) == "sides = \"sideways\"\n")
    let again = failureOf { _ = try both.setting("sides", to: "sideways") }
    #expect(again?.code == .usage && again?.message.hasPrefix("sides sideways:") == true)
    // Invalid TOML is reported with its line.
    let broken = try Folders(user: ["config.toml": "sides = \"one\"\npapr\n"])
    let line = failureOf {
      _ = try ConfigurationFile(broken.places, system: false).setting("sides", to: "long")
    }
    #expect(line?.code == .configuration && line?.message.contains("/config.toml:2: ") == true)
  }

  @Test(arguments: [
    ("sidez", "long", "sides"), ("sides", "sideways", "long"), ("timeout", "soon", "seconds"),
    ("paper", "A4", "airprint config set types.document.paper A4"),
    ("printer", "Till", "airprint default Till"), ("types.recipt.paper", "80mm", "receipt"),
    ("", "1", "word"),
    ("types.paper", "A4", "three parts"),
  ])
  func `64: a key or a value that is none`(
    _ key: String, _ value: String, _ words: String
  ) throws {
    let folders = try Folders(user: ["config.toml": Self.file])
    let failure = failureOf {
      _ = try ConfigurationFile(folders.places, system: false).setting(key, to: value)
    }
    #expect(failure?.code == .usage)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  /// Lines inside a multi-line string look like ordinary lines.
  @Test(arguments: [
    "on-available = '''\nsides = \"one\"\n'''\n", "types = { receipt = { paper = \"80mm\" } }\n",
    "domains = [\n\"a.example\",\n\"b.example\",\n]\n",
  ])
  func `what a line does not tell is left to an editor`(_ text: String) throws {
    let folders = try Folders(user: ["config.toml": text])
    let file = try ConfigurationFile(folders.places, system: false)
    let key =
      text.hasPrefix("domains") ? "domains" : text.hasPrefix("on") ? "sides" : "types.receipt.paper"
    let value =
      text.hasPrefix("domains") ? "[\"c.example\"]" : text.hasPrefix("on") ? "long" : "58mm"
    let failure = failureOf { _ = try file.setting(key, to: value) }
    #expect(failure?.code == .usage)
    #expect(folders.text("config.toml") == text)
  }

  @Test func `a key is removed; a file is made; a link stays one`() throws {
    let folders = try Folders(user: ["config.toml": Self.file])
    let file = try ConfigurationFile(folders.places, system: false)
    #expect(
      try file.setting("types.receipt.paper", to: nil)
        == Self.file.replacing("paper = \"80mm\"\n", with: ""))
    #expect(try file.setting("timeout", to: nil) == Self.file)

    let empty = try Folders()
    let new = try ConfigurationFile(empty.places, system: false)
    #expect(try new.settings().isEmpty)
    let real = "\(empty.path)/real.toml"
    try empty.write("", to: "../../real.toml")
    #expect(symlink(real, new.path) == 0)
    try new.write(try new.setting("sides", to: "long"))
    var status = stat()
    #expect(lstat(new.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(empty.text("config.toml") == "sides = \"long\"\n")
  }

  @Test func `what airprint writes itself may be a link, too`() throws {
    let folders = try Folders()
    let logins = PasswordFile(folders.places)
    for name in ["printers", "passwords"] {
      let real = "\(folders.path)/\(name)"
      try folders.write("", to: "../../\(name)")
      chmod(real, 0o600)
      #expect(symlink(real, "\(folders.places.configuration)/\(name).toml") == 0)
    }
    let till = SavedPrinter(name: "Till", uri: "ipp://till/")
    try PrinterStore.change(folders.places) { $0.save(till) }
    try logins.keep(SavedLogin(Credentials(user: "kay", password: "secret"), over: nil), for: "a")
    #expect(try logins.login(for: "a")?.credentials.user == "kay")
    for name in ["printers", "passwords"] {
      let link = "\(folders.places.configuration)/\(name).toml"
      var status = stat()
      #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(folders.text("../../\(name)")?.contains("[printers.") == true)
    }
  }

  /// Whatever an administrator's umask was when they were made.
  @Test(arguments: [(true, 0o644, 0o755), (false, 0o600, 0o700)])
  func `everybody may read the system's files`(
    _ isSystem: Bool, _ mode: mode_t, _ folderMode: mode_t
  ) throws {
    let folders = try Folders(
      user: ["config.toml": "", "printers.toml": ""],
      system: ["config.toml": "", "printers.toml": ""])
    let folder = isSystem ? folders.places.system : folders.places.configuration
    let places = folders.places
    for (name, write) in [
      ("config.toml", { try ConfigurationFile(places, system: isSystem).write("") }),
      ("printers.toml", { try PrinterStore.change(places, system: isSystem) { _ in } }),
    ] as [(String, () throws -> Void)] {
      chmod("\(folder)/\(name)", 0o600)
      chmod(folder, 0o700)
      try write()
      #expect(Self.mode("\(folder)/\(name)") == mode)
      #expect(Self.mode(folder) == folderMode)
    }
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    var text = self
    if let range = text.firstRange(of: old) { text.replaceSubrange(range, with: new) }
    return text
  }
}
