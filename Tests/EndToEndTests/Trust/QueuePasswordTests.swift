import FoundationEssentials
import TestSupport
import Testing

/// A queue with a PPD that admits users whose passwords the print server's machine has.
@Suite struct QueuePasswordTests {
  @Test(.needsNamespaces) func `a password opens a queue with a PPD, for every command`()
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(PDF(pages: [.a4()]).bytes)
    let folder = person.path("server")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Array(CupsQueue.laser.utf8).write(to: "\(folder)/laser.ppd")
    let outcome = try await person.bench.run(
      Namespaces.available.unshare("--mount", "--net", "--pid") + [
        "--fork", "--kill-child", "sh", "-c", Self.setUp + Self.story, "sh", folder,
        try locate("airprint"), file,
      ], adding: person.variables)
    try #require(outcome.code == 0, "\(outcome.report)")
    func expect(_ step: String, _ code: Int, _ words: String...) throws {
      let said = try person.text("server/\(step)")
      #expect(said.hasSuffix("exit \(code)\n"), "\(step): \(said)")
      for words in words { #expect(said.contains(words), "\(step): \(said)") }
    }

    // Attributes are readable by everyone.
    try expect("discovered", 0, "behind", "ipps://print.example.test:18631/printers/behind")
    try expect("locked", 77, "airprint login ipp://print.example.test:18631/printers/behind")
    try expect("mistaken", 77, "refused this user name and password")
    try expect("known", 0, "Saved the login of kay")
    try expect("picked", 0, "Saved Desk")
    try expect("shown", 0, "Example Laser", "a CUPS queue", "both sides  yes", "encrypted")
    try expect("paper", 0, "Letter, margins 4.2 mm")
    try expect("printed", 0, "2 copies on A4")
    // cupsd only counts pages that a filter counts; neither does airprint.
    try expect("jobs", 0, "completed\t\tDesk")
    try expect("held", 0)
    try expect("canceled", 0, "Canceled ")
    // cupsd's own log of who printed.
    let requests = try person.text("server/access.log").split(separator: "\n")
    let sent = requests.filter { $0.contains("Send-Document successful-ok") }
    #expect(sent.count == 2 && sent.allSatisfy { $0.contains(" kay ") }, "\(requests)")
    #expect(requests.contains { $0.contains(" kay ") && $0.contains("Cancel-Job successful-ok") })
  }

  private static let setUp =
    LockedQueue.host + """
      trap '[ $? = 0 ] || tail -n 20 lpadmin.log error.log >&2' EXIT
      cp /etc/passwd passwd
      echo 'kay:x:4243:4243::/:/bin/false' >> passwd
      mount --bind passwd /etc/passwd
      echo "kay:$(openssl passwd -6 sesame):19000:0:99999:7:::" > shadow
      mount --bind shadow /etc/shadow
      printf 'auth required pam_unix.so nodelay\naccount required pam_unix.so\n' > pam
      mount --bind pam /etc/pam.d/cups
      (umask 077 && echo kay:open > mistake && echo kay:sesame > password)

      """
    + LockedQueue.setUp("Basic", "Require valid-user", lpadmin: "-P laser.ppd")

  private static let story =
    LockedQueue.steps + """
      airprint discovered discover print.example.test:18631
      airprint locked print -d $printer "$3"
      airprint mistaken login --password-file mistake $printer
      airprint known login --password-file password $printer
      airprint picked pick $printer --as Desk
      airprint shown show Desk
      airprint paper paper Desk --paper letter
      airprint printed print -d Desk --copies 2 --sides long --timeout 60 "$3"
      airprint jobs jobs
      airprint held print --no-wait --hold -d Desk "$3"
      airprint canceled cancel --all

      """
}
