import Docs
import FoundationEssentials
import PrintModel
import TestSupport
import Testing

@Suite struct ManualTests {
  private static func pages() async throws -> [GeneratedFile] {
    try await generatedFiles.value.filter { $0.path.hasSuffix(".1") }
  }

  private static func allPages() async throws -> [GeneratedFile] {
    try await generatedFiles.value.filter { $0.path.hasPrefix("man/") }
  }

  @Test func `man shows every page without a warning, in 80 columns`() async throws {
    for page in try await ManualTests.allPages() {
      let name = page.path.split(separator: "/").last ?? ""
      let path = try Scratch.shared.write(page.text, to: String(name))
      var environment = Scratch.shared.environment
      environment["MANWIDTH"] = "80"
      let outcome = try await run(
        ["man", "--warnings", "-E", "UTF-8", "-l", path], environment: environment)
      #expect(outcome.code == 0)
      #expect(outcome.stderr.isEmpty, "\(page.path)")
      #expect(outcome.stdout.contains("EXIT STATUS"), "\(page.path)")
      let long = outcome.stdout.split(separator: "\n").filter { $0.count > 80 }
      #expect(long.isEmpty, "\(page.path)")
    }
  }

  /// Other programs' pages, with the Debian package that has each.
  private static let otherPages = [
    "avahi-browse 1": "avahi-utils", "avahi-daemon 8": "avahi-daemon", "bash 1": "bash",
    "bwrap 1": "bubblewrap", "cupsd 8": "cups-daemon", "flock 2": "manpages-dev",
    "ippeveprinter 1": "cups-ipp-utils", "ippfind 1": "cups-ipp-utils", "jq 1": "jq",
    "kinit 1": "krb5-user", "lp 1": "cups-client", "memfd_create 2": "manpages-dev",
    "notify-send 1": "libnotify-bin",
    "client.conf 5": "cups-client", "secret-tool 1": "libsecret-tools", "sh 1": "dash",
    "sudo 8": "sudo", "systemd 1": "systemd",
    "xdg-open 1": "xdg-utils",
  ]

  @Test func `SEE ALSO is true`() async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/man")
    for name in names where name != "templates" {
      let data = try #require(FileManager.default.contents(atPath: "\(root)/man/\(name)"))
      let text = String(decoding: data, as: UTF8.self).replacing("\\-", with: "-")
      #expect(text.contains("\n.Sh SEE ALSO\n"), "\(name)")
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        for index in words.indices.dropLast(2) where ["Xr", ".Xr"].contains(words[index]) {
          let (page, section) = (words[index + 1], words[index + 2])
          let isKnown =
            page.hasPrefix("airprint")
            ? names.contains("\(page).\(section)")
            : Self.otherPages["\(page) \(section)"] != nil
          #expect(isKnown, "\(name): \(page)(\(section))")
        }
      }
    }
  }

  @Test func `pages are plain ASCII`() async throws {
    for page in try await ManualTests.allPages() {
      #expect(page.text.utf8.allSatisfy { $0 < 0x80 }, "\(page.path)")
    }
  }

  @Test func `airprint-json(7) has every reason with its exit code`() async throws {
    let page = try #require(
      try await ManualTests.allPages().first { $0.path == "man/airprint-json.7" })
    for reason in FailureReason.allCases {
      let row = "\n.It Li \(reason.rawValue) Ta \(reason.exitCode.rawValue) Ta "
      #expect(page.text.contains(row), "\(row)")
    }
    let data = try #require(
      FileManager.default.contents(atPath: "\(root)/docs/print.schema.json"))
    let schema = String(decoding: data, as: UTF8.self)
    for reason in Loss.Reason.allCases {
      #expect(page.text.contains("\n.It Li \(reason.rawValue)\n"), "\(reason)")
      #expect(schema.contains("\"\(reason.rawValue)\""), "\(reason)")
    }
  }

  @Test func `airprint(1) has every exit code, and their order`() async throws {
    let page = try #require(try await ManualTests.pages().first { $0.path == "man/airprint.1" })
    let codes = PrintModel.ExitCode.allCases.map(\.rawValue)
    for code in codes { #expect(page.text.contains("\n.It \(code)\n"), "\(code)") }
    let order = try #require(page.text.split(separator: "worst first: ").last)
    let listed = order.prefix { $0 != "." }.split { !$0.isNumber }.compactMap { Int32($0) }
    #expect(listed.sorted() == codes.filter { $0 != 0 })
    for (worse, better) in zip(listed, listed.dropFirst()) {
      let pair = [better, worse].compactMap(PrintModel.ExitCode.init(rawValue:))
      #expect(PrintModel.ExitCode.worst(of: pair).rawValue == worse, "\(worse) before \(better)")
    }
  }

  @Test func `the everyday help is short, the manual has everything`() async throws {
    let everyday = try await run(["airprint", "print", "--help"]).stdout
    let all = try await run(["airprint", "print", "--help-all"]).stdout
    #expect(everyday.split(separator: "\n", omittingEmptySubsequences: false).count <= 50)
    #expect(!everyday.contains("--tray"))
    #expect(all.contains("--tray"))
    let page = try #require(
      try await ManualTests.pages().first { $0.path == "man/airprint-print.1" })
    #expect(page.text.contains(".It Fl \\-tray Ar tray"))
    #expect(page.text.contains(".It Fl \\-borderless , Fl \\-no\\-borderless"))
  }

  @Test func `only airprint's own help has --version`() async throws {
    #expect(try await run(["airprint", "--help"]).stdout.contains("--version"))
    for command in [["print"], ["queue"], ["queue", "list"], ["config", "get"]] {
      let help = try await run(["airprint"] + command + ["--help"])
      #expect(help.stdout.contains("--help") && !help.stdout.contains("--version"), "\(command)")
    }
    #expect(try await run(["airprint", "queue", "list", "--version"]).code == 0)
  }

  @Test func `no help is wider than the screen`() async throws {
    let commands = try await ManualTests.pages().compactMap { page in
      page.path.split(separator: "airprint-").last?.dropLast(2)
    }
    for command in commands where !command.contains("/") {
      let help = try await run(["airprint", String(command), "--help-all"])
      #expect(help.code == 0)
      #expect(help.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command)")
    }
  }
}
