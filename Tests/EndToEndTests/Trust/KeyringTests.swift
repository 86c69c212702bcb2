import FoundationEssentials
import TestSupport
import Testing

/// The desktop's keyring, GNOME's: it stores the password, and no file does.
@Suite(.inTurn) struct KeyringTests {
  @Test func `a password is kept in the keyring, used, and forgotten`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let password = try #require(simulation.printers[0].password?.string)
    let secret = try person.document(Array("ada:\(password)\n".utf8), "secret")
    let file = try person.document(PDF().bytes)
    let uri = simulation.secureURI
    let place = uri.split(separator: "/")[1]
    let told = try await person.shell(
      """
      cd \(person.folder); cat > session <<'END'
      printf unlocked | gnome-keyring-daemon --unlock --components=secrets > /dev/null
      $airprint login --password-file \(secret) \(uri) --json | tr -d '\\n'; echo
      secret-tool lookup service airprint printer \(place); echo
      $airprint print -q -d \(uri) \(file); echo "printed $?"
      $airprint logout \(uri) --json | tr -d '\\n'; echo
      secret-tool lookup service airprint printer \(place); echo "looked up $?"
      $airprint print -q -d \(uri) \(file); echo "printed $?"
      END
      export airprint; dbus-run-session -- sh session
      """)
    let lines = told.stdout.split(separator: "\n")
    try #require(lines.count == 7, "\(told.report)")
    #expect(try JSON(Array(lines[0].utf8)).keptIn == .string("keyring"), "\(told.report)")
    #expect(lines[1] == "ada:\(password)")
    // The certificate that the password was saved for.
    #expect(lines[2].utf8.count == 95 && lines[2].contains(":"), "\(told.report)")
    #expect(lines[3] == "printed 0", "\(told.report)")
    #expect(try JSON(Array(lines[4].utf8)).forgotten == .boolean(true))
    #expect(lines[5...] == ["looked up 1", "printed 77"], "\(told.report)")
    let found = try await person.bench.run(["grep", "-rlF", password, person.path("config")])
    #expect(found.code == 1, "\(found.stdout)")
    _ = await simulation.end()
  }
}
