import FoundationEssentials
import TestSupport
import Testing

/// `make install`, and the recipes that it installs.
@Suite struct InstallTests {
  /// The checkout.
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func make(_ person: Person, _ target: String, to place: String) async throws -> Outcome {
    try await person.shell(
      "make --no-print-directory -C '\(root)' \(target) AIRPRINT=$airprint PREFIX=/usr DESTDIR=\(place)"
    )
  }

  @Test func `it installs like a Linux program, and leaves nothing`() async throws {
    let person = try await Person.anybody()
    let place = person.path("tree")
    let installed = try await make(person, "install", to: place)
    #expect(installed.code == 0, "\(installed.report)")
    for path in [
      "bin/airprint", "share/man/man1/airprint.1", "share/man/man1/airprint-status.1",
      "share/man/man5/airprint-receipt.5", "share/man/man7/airprint-json.7",
      "share/bash-completion/completions/airprint",
      "share/zsh/vendor-completions/_airprint", "share/fish/vendor_completions.d/airprint.fish",
      "lib/systemd/user/airprint-queue.service", "share/Thunar/sendto/airprint.desktop",
      "share/kio/servicemenus/airprint.desktop", "share/nemo/actions/airprint.nemo_action",
      "share/file-manager/actions/airprint.desktop",
      "share/metainfo/io.github.airprint.airprint.metainfo.xml",
      "share/doc/airprint/docs/print.schema.json", "share/doc/airprint/examples/config.toml",
      "share/doc/airprint/examples/converters/html.toml",
      "share/doc/airprint/examples/systemd/print-folder",
    ] {
      #expect(exists("\(place)/usr/\(path)"), "\(path)")
    }
    // There it could become the default application of documents, and a double click would print.
    #expect(!exists("\(place)/usr/share/applications"))
    let checked = try await person.shell(
      """
      set -e; cd \(place)/usr
      test -x share/doc/airprint/examples/receipt.py -a -x share/doc/airprint/examples/receipt.sh
      desktop-file-validate share/Thunar/sendto/airprint.desktop
      menus='share/Thunar/sendto/* share/kio/servicemenus/* share/nemo/actions/* share/file-manager/actions/*'
      test $(cat $menus | grep -ciE '^mimetypes?=application/pdf;[^@]*opendocument[.]graphics;$') = 4
      test $(cat $menus | grep -c '^Exec=airprint print --notify -- %F$') = 4
      appstreamcli validate --no-net share/metainfo/*.xml
      mkdir \(place)/run; export XDG_RUNTIME_DIR=\(place)/run
      units=$(ls lib/systemd/user/* share/doc/airprint/examples/systemd/*.{path,service,timer})
      ! grep -H /usr/local $units
      sed -i 's|/usr/bin/airprint|/bin/true|; s|=/usr/share/doc[^ ]*|=/bin/true|' $units
      systemd-analyze verify --user --man=no $units
      """)
    #expect(checked.code == 0, "\(checked.report)")
    let receipt = try await person.airprint(
      "preview", "--no-printer", "--strict", "-o", person.path("till.png"),
      "\(place)/usr/share/doc/airprint/examples/till.receipt")
    #expect(receipt.code == 0, "\(receipt.report)")
    let links = try await person.shell(
      """
      cd \(place)/usr/share/doc/airprint
      for page in $(find . -name '*.md'); do
        for link in $(grep -oE '(]\\(|src=")[^:()"#]+[)"]' "$page" | sed 's/^](//; s/^src="//; s/.$//'); do
          [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
        done
      done
      find . -name '*.md' | grep -c .
      """)
    #expect(links.stdout == "15\n", "\(links.report)")
    let removed = try await make(person, "uninstall", to: place)
    let left = try await person.shell("find \(place)/usr -type f")
    #expect(removed.code == 0 && left.stdout.isEmpty, "\(left.stdout)")
  }

  /// Checks that airprint accepts every key of the sample configuration once it is uncommented.
  @Test func `the sample configuration is comments, and true`() async throws {
    let person = try await Person.anybody()
    let sample = String(decoding: try bytes(of: "\(root)/packaging/config.toml"), as: UTF8.self)
    let lines = sample.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("#") })
    let keys = lines.map { $0.dropFirst() }.filter { !$0.isEmpty && !$0.hasPrefix(" ") }
    #expect(keys.count > 25)
    try person.configure(keys.joined(separator: "\n"))
    let checked = try await person.airprint("doctor", "--json")
    #expect(checked.code != 78, "\(checked.report)")
    let settings = Set(try checked.json.settings?.array?.compactMap { $0.name?.string } ?? [])
    #expect(settings.isSuperset(of: ["later-when-offline", "notify", "stamp", "cut-length"]))
    let files = try checked.json.checks?.array ?? []
    #expect(files.contains { $0.name == .string("config.toml") && $0.state == .string("ok") })
  }

  @Test func `cron's lines and the folder print as they are written`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    _ = try await person.airprint("pick", printer.uri)
    let report = try person.document(PDF().bytes, "report.pdf")
    let recipes = String(decoding: try bytes(of: "\(root)/docs/linux.md"), as: UTF8.self)
    let table = recipes.split(separator: "```crontab\n")[1].split(separator: "```")[0]
    let commands = table.split(separator: "\n").filter { $0.contains("airprint ") }
      .map { $0.split(separator: " ").dropFirst(5).joined(separator: " ") }
    #expect(commands.count == 2)
    let bin = person.path("bin")
    let printed = try await person.shell(
      """
      mkdir \(bin); ln -s $airprint \(bin)/airprint; export PATH=\(bin):$PATH
      export HOME=$(dirname '\(report)')
      \(commands.joined(separator: " && "))
      """)
    #expect(
      printed.code == 0 && printed.stdout.isEmpty && printed.stderr.isEmpty, "\(printed.report)")

    let folder = person.path("Print")
    let folders = try await person.shell(
      """
      export PATH=\(bin):$PATH
      mkdir -p \(folder)/sub; cp '\(report)' \(folder)/-b.pdf; printf '\\0\\1\\2' > '\(folder)/no document'
      '\(root)/systemd/examples/print-folder' \(folder)
      ls -A \(folder); echo :; ls -A \(folder).failed
      """)
    #expect(folders.stdout.hasSuffix(":\nno document\nsub\n"), "\(folders.report)")
    #expect(!folders.stdout.contains("b.pdf"), "\(folders.report)")
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }

  @Test func `the recipe for a build prints on a simulated printer`() async throws {
    let person = try await Person.anybody()
    let recipes = String(decoding: try bytes(of: "\(root)/docs/linux.md"), as: UTF8.self)
    let recipe = try #require(
      recipes.split(separator: "```sh\n").last?.split(separator: "```").first)
    #expect(recipe.contains("airprint simulate receipt"))
    let bin = person.path("bin")
    let printed = try await person.shell(
      """
      mkdir \(bin); ln -s $airprint \(bin)/airprint; export PATH=\(bin):$PATH
      cd \(person.folder); cp '\(root)/demo/receipt.pdf' .
      \(recipe.replacing("8631", with: "\(try freePort())").replacing("cmp ", with: "ls "))
      """)
    #expect(printed.stdout.contains("page-1.png"), "\(printed.report)")
    #expect(printed.stderr.contains("Printed receipt.pdf"), "\(printed.report)")
  }

  /// Checks that the changelog has the version, from which the package takes it.
  @Test func `one version everywhere`() async throws {
    let person = try await Person.anybody()
    let log = String(decoding: try bytes(of: "\(root)/CHANGELOG.md"), as: UTF8.self)
    let heading = try #require(
      log.split(separator: "\n").first { $0.hasPrefix("## [") && !$0.contains("Unreleased") })
    let version = heading.dropFirst(4).prefix { $0 != "]" }
    let date = try #require(heading.split(separator: " ").last)
    let metainfo = String(
      decoding: try bytes(of: "\(root)/packaging/airprint.metainfo.xml"), as: UTF8.self)
    #expect(metainfo.contains("<release version=\"\(version)\" date=\"\(date)\"/>"), "\(heading)")
    let told = try await person.airprint("--version").stdout.split(whereSeparator: \.isWhitespace)
    #expect(told.first == version, "\(told)")
    #expect(told.contains { $0.hasPrefix("libcups/2.") }, "\(told)")
    #expect(told.contains { $0.hasPrefix("GnuTLS/3.") }, "\(told)")
  }
}
