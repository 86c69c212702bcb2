import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// File ownership: private files stay private, files that others can write are not trusted, and root leaves nothing
/// in a user's home.
@Suite(.inTurn) struct OwnershipTests {
  /// Another user.
  ///
  /// Where only root is mapped (a user namespace), there is none.
  private static let stranger: uid_t = 65_534
  private static let canGiveAway: Bool = {
    let path = "\(Scratch.shared.path)/given"
    return mkdir(path, 0o700) == 0 && chown(path, stranger, stranger) == 0
  }()

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `settings, pins and jobs are for nobody else to read`() async throws {
    let person = try await Person.anybody()
    let uri = "ipp://192.0.2.7/ipp/print"
    let picked = try await person.airprint("pick", uri, "--as", "bar", "--no-contact")
    #expect(picked.code == 0, "\(picked.report)")
    let file = try person.document(PDF().bytes)
    let queued = try await person.airprint("print", "--later", "-d", "bar", file)
    #expect(queued.code == 0, "\(queued.report)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: person.folder)
    let own = names.filter { $0.contains("/airprint") }
    #expect(
      own.contains { $0.hasSuffix("printers.toml") && mode("\(person.folder)/\($0)") == 0o600 })
    #expect(own.contains { $0.hasSuffix("job.json") })
    for name in own {
      #expect(mode("\(person.folder)/\(name)") & 0o077 == 0, "\(name)")
    }
  }

  @Test func `folders of caches and keys are for nobody else to look into`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--listen", "lo")
    #expect(try await person.airprint("show", simulation.secureURI).code == 0)
    #expect(try await person.airprint("status", simulation.uri).code == 0)
    _ = await simulation.end()
    let names = try FileManager.default.subpathsOfDirectory(atPath: person.folder)
    #expect(names.contains { $0.hasSuffix("/airprint/simulate/localhost.key") })
    #expect(names.contains { $0.contains("/airprint/status/") })
    for name in names where name.hasSuffix("/airprint") || name.contains("/airprint/") {
      let mode = mode("\(person.folder)/\(name)")
      var folder = stat()
      lstat("\(person.folder)/\(name)", &folder)
      if folder.st_mode & S_IFMT == S_IFDIR { #expect(mode & 0o077 == 0, "\(name)") }
    }
  }

  @Test(arguments: ["config.toml", "printers.toml"])
  func `settings that others may write are not read`(_ name: String) async throws {
    let person = try await Person.anybody()
    try person.configure("", in: name)
    let place = "\(person.folder)/config/airprint"
    for (path, bad, good) in [("\(place)/\(name)", 0o666, 0o644), (place, 0o777, 0o755)] {
      chmod(path, mode_t(bad))
      let refused = try await person.airprint("print", "--dry-run", "-d", "ipp://127.0.0.1:1/", "x")
      #expect(refused.code == 78, "\(refused.report)")
      #expect(refused.stderr.contains("\(path): it can be written by others"), "\(refused.stderr)")
      chmod(path, mode_t(good))
    }
    #expect(try await person.airprint("printers").code == 0)
  }

  @Test(.enabled(if: canGiveAway))
  func `settings that a foreign group may write are not read`() async throws {
    let person = try await Person.anybody()
    try person.configure("")
    let place = "\(person.folder)/config/airprint"
    let path = "\(place)/config.toml"
    for (target, bad, good) in [(path, 0o664, 0o644), (place, 0o775, 0o755)] {
      chown(target, geteuid(), 100)
      chmod(target, mode_t(bad))
      let refused = try await person.airprint("print", "--dry-run", "-d", "ipp://127.0.0.1:1/", "x")
      #expect(refused.code == 78, "\(refused.report)")
      #expect(
        refused.stderr.contains("\(target): it can be written by others"), "\(refused.stderr)")
      chmod(target, mode_t(good))
    }
  }

  @Test func `settings that are a link into a folder for all are not read`() async throws {
    let person = try await Person.anybody()
    try person.configure("")
    let open = person.path("open")
    mkdir(open, 0o777)
    chmod(open, 0o777)
    let path = "\(person.folder)/config/airprint/config.toml"
    rename(path, "\(open)/real.toml")
    symlink("\(open)/real.toml", path)
    let refused = try await person.airprint("print", "--dry-run", "-d", "ipp://127.0.0.1:1/", "x")
    #expect(
      refused.code == 78 && refused.stderr.contains("\(open): it can be written"),
      "\(refused.report)")
  }

  @Test(.enabled(if: canGiveAway))
  func `root who came by sudo leaves no cache and no keys`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--listen", "lo")
    let home = person.path("home")
    mkdir(home, 0o755)
    chown(home, Self.stranger, Self.stranger)
    let script = """
      export HOME=\(home) SUDO_UID=\(Self.stranger) SUDO_USER=nobody
      unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME
      "$airprint" status \(simulation.uri)
      timeout 30 "$airprint" simulate laser --port 0 --output \(person.path("pages"))
      echo "code $?"
      """
    let outcome = try await person.shell(script)
    #expect(outcome.stdout.contains("code 73"), "\(outcome.report)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty, "\(outcome.report)")
    _ = await simulation.end()
  }

  @Test(.enabled(if: canGiveAway))
  func `settings of somebody else are not read`() async throws {
    let person = try await Person.anybody()
    try person.configure("quality = \"draft\"\n")
    let path = "\(person.folder)/config/airprint/config.toml"
    chown(path, Self.stranger, Self.stranger)
    let refused = try await person.airprint("doctor")
    #expect(refused.stderr.contains("does not belong to you") || refused.stdout.contains("belong"))
    // With sudo, they count as the user's own.
    let read = try await person.airprint("printers", adding: ["SUDO_UID": "\(Self.stranger)"])
    #expect(read.code == 0, "\(read.report)")
  }

  @Test(.needsNamespaces, .enabled(if: canGiveAway))
  func `settings of the machine are root's`() async throws {
    let person = try await Person.anybody()
    let machine = try Machine(person)
    let files = [
      ("config.toml", "quality = \"draft\"\n"),
      ("printers.toml", "[printers.bar]\nuri = \"ipp://localhost:1/\"\n"),
    ]
    for (name, text) in files {
      try machine.put(Array(text.utf8), at: "airprint/\(name)")
      let place = "\(person.folder)/etc/airprint"
      let print = ["print", "--dry-run", "-d", "ipp://127.0.0.1:1/", "/no/such.pdf"]
      #expect(try await machine.airprint(print).code == 66)
      for path in ["\(place)/\(name)", place] {
        chown(path, Self.stranger, Self.stranger)
        let refused = try await machine.airprint(print)
        #expect(refused.code == 78, "\(path): \(refused.report)")
        #expect(refused.stderr.contains("/etc/airprint"), "\(refused.stderr)")
        chown(path, 0, 0)
      }
      unlink("\(place)/\(name)")
    }
  }

  @Test(.enabled(if: canGiveAway))
  func `the machine's settings without rights, and how with sudo`() async throws {
    let person = try await Person.anybody()
    let home = person.path("ada")
    mkdir(home, 0o700)
    chown(home, Self.stranger, Self.stranger)
    // Another user, who can reach the program and the folder wherever they are.
    let script = """
      export HOME=\(home) XDG_CONFIG_HOME=\(home)/config EDITOR='touch "$HOME/edited"; false'
      exec setpriv --reuid \(Self.stranger) --regid \(Self.stranger) --clear-groups \
        --inh-caps +dac_read_search --ambient-caps +dac_read_search "$airprint"
      """
    for (words, file) in [
      ("config set --system quality draft", "config"), ("config edit --system", "config"),
      ("pick --system --as 'My Own' ipp://192.0.2.7/ --no-contact", "printers"),
      ("pick --system Nowhere", "printers"),
    ] {
      let refused = try await person.shell("\(script) \(words)")
      #expect(refused.code == 73, "\(refused.report)")
      #expect(
        refused.stderr
          == "airprint: /etc/airprint/\(file).toml can't be written: Permission denied. "
          + "Run: sudo airprint \(words)\n",
        "\(refused.report)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    let sample = try await person.airprint("config", "set", "--system", "paper", "A4")
    #expect(sample.stderr.contains("set --system types.document.paper A4"), "\(sample.report)")
  }

  @Test(.enabled(if: canGiveAway))
  func `a link that somebody left in a shared folder is not followed`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let shared = person.path("shared")
    mkdir(shared, 0o700)
    chmod(shared, 0o1777)
    let target = try person.document(Array("mine".utf8), "mine.txt")
    symlink(target, "\(shared)/x.pwg")
    // The user's own link is followed.
    let own = try await person.airprint("render", file, "-o", "\(shared)/x.pwg")
    #expect(own.code == 0, "\(own.report)")
    #expect(try bytes(of: target).starts(with: Array("RaS2".utf8)))
    try Array("mine".utf8).write(to: target)
    symlink(person.path("documents"), "\(shared)/folder")
    for (link, path) in [("x.pwg", "x.pwg"), ("folder", "folder/mine.txt")] {
      lchown("\(shared)/\(link)", Self.stranger, Self.stranger)
      let refused = try await person.airprint("render", file, "-o", "\(shared)/\(path)")
      #expect(refused.code == 73, "\(refused.report)")
      #expect(refused.stderr.contains("another user"), "\(refused.stderr)")
      #expect(try bytes(of: target) == Array("mine".utf8))
    }
  }

  @Test(.enabled(if: canGiveAway))
  func `root by sudo leaves nothing in a person's home`() async throws {
    let person = try await Person.anybody()
    let home = person.path("ada")
    mkdir(home, 0o700)
    chown(home, Self.stranger, Self.stranger)
    let variables = [
      "SUDO_UID": "\(Self.stranger)", "HOME": home, "XDG_CONFIG_HOME": "\(home)/.config",
      "XDG_STATE_HOME": "\(home)/.local/state", "XDG_CACHE_HOME": "\(home)/.cache",
    ]
    let file = try person.document(PDF().bytes)
    let uri = "ipp://192.0.2.7/ipp/print"
    for command in [
      ["pick", uri, "--as", "bar", "--no-contact"], ["print", "--later", "-d", uri, file],
    ] {
      let refused = try await person.airprint(command, adding: variables)
      #expect(refused.code == 73, "\(refused.report)")
      #expect(refused.stderr.contains("sudo -H"), "\(refused.stderr)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
  }
}
