import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Passwords: asked for, tried, saved, forgotten, and never sent to another printer.
@Suite(.inTurn) struct LoginTests {
  /// A server that accepts any password, before a printer that does not.
  @Test(arguments: [0x0401, 0x0402, 0x0403])
  func `a login that only the printer refuses, by IPP, is not saved`(_ status: Int) async throws {
    // It may refuse the user, or a job without an account.
    let isRefused = status == 0x0402
    let person = try await Person.anybody()
    let printer = try OddPrinter { request, _ in
      request.operation == OddPrinter.validateJob ? .answer(status: status) : .usual
    }
    let secret = try person.document(Array("kay:mistyped\n".utf8), "secret")
    let login = try await person.airprint("login", printer.uri, "--password-file", secret)
    #expect(login.code == (isRefused ? 77 : 0), "\(login.report)")
    #expect(exists(person.passwords) != isRefused)
    #expect(login.stderr.contains("may not allow kay to print") != isRefused, "\(login.report)")
    printer.close()
  }

  @Test func `a password is typed once, kept, and seen nowhere`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let password = try #require(simulation.printers[0].password?.string)
    let file = try person.document(PDF().bytes)
    let picked = try await person.airprint(
      "pick", simulation.secureURI, "--as", "Locked")
    var told = [picked.report]
    func airprint(_ arguments: String...) async throws -> Outcome {
      let outcome = try await person.airprint(arguments)
      told.append(outcome.report)
      return outcome
    }
    if picked.code == 77 {
      #expect(picked.stderr.contains("airprint login ipps://"), "\(picked.report)")
      #expect(
        try await airprint("pick", simulation.secureURI, "--as", "Locked", "--no-contact").code == 0
      )
    }
    // There is no prompt, and the message has the command to run.
    let refused = try await airprint("print", "-d", "Locked", file)
    #expect(refused.code == 77, "\(refused.report)")
    #expect(refused.stderr.contains("airprint login Locked"), "\(refused.stderr)")
    #expect(refused.stderr.contains(" Locked asks for a user name and"), "\(refused.stderr)")
    for command in [["show"], ["status"], ["status", "--json"]] {
      let shown = try await airprint(
        command[0], "Locked", command.last == "--json" ? "--json" : "-v")
      #expect(shown.code == 77, "\(shown.report)")
      #expect(
        (shown.stdout + shown.stderr).contains("a password"), "\(shown.report)")
      #expect(
        (shown.stdout + shown.stderr).contains("airprint login Locked"), "\(shown.report)")
    }
    // What it answered without a password says nothing of one.
    let login = try person.document(Array("kay:\(password)\n".utf8), "login")
    chmod(login, 0o600)
    let known = try await airprint("status", "Locked", "--password-file", login)
    #expect(known.code == 0, "\(known.report)")
    // A wrong one opens nothing, so the printer is not ready.
    let stale = try person.document(Array("kay:not-\(password)\n".utf8), "login")
    for command in ["show", "doctor"] {
      let shown = try await person.airprint(
        command, "Locked", adding: ["AIRPRINT_PASSWORD_FILE": stale])
      #expect(shown.code == 77, "\(shown.report)")
    }
    try FileManager.default.removeItem(atPath: login)
    let alone = try await airprint("login", "Locked")
    #expect(alone.code == 77, "\(alone.report)")

    let wrong = try person.terminal("login", "Locked")
    try await wrong.expect("User name for Locked")
    wrong.type("kay\r")
    try await wrong.expect("Password for kay")
    wrong.type("not-\(password)\r")
    let refusal = await wrong.program.end()
    #expect(refusal.code == 77)
    #expect(
      wrong.screen.text.contains("Locked refused this user name and password. Nothing was saved."),
      "\(wrong.screen.text)")
    #expect(!exists(person.passwords))
    let right = try person.terminal("login", "Locked")
    try await right.expect("User name for Locked")
    right.type("kay\r")
    try await right.expect("Password for kay")
    right.type("\(password)\r")
    let saved = await right.program.end()
    #expect(saved.code == 0, "\(saved.report)")
    told.append(saved.report)
    var status = stat()
    #expect(stat(person.passwords, &status) == 0 && status.st_mode & 0o777 == 0o600)

    #expect(try await airprint("print", "-v", "-d", "Locked", file).code == 0)
    #expect(try await airprint("print", "--json", "-d", "Locked", file).code == 0)
    let detached = try await airprint("print", "--detach", "-d", "Locked", file)
    let id = try #require(detached.stdout.split(separator: "\n").first.map(String.init))
    #expect(try await airprint("wait", id).code == 0)
    #expect(try await airprint("queue", "add", "-d", "Locked", file).code == 0)
    #expect(try await airprint("queue", "run").code == 0)
    _ = try await airprint("doctor", "Locked")
    #expect(try await airprint("printers", "--json").code == 0)

    chmod(person.passwords, 0o644)
    let open = try await airprint("print", "-d", "Locked", file)
    #expect(open.code == 77)
    #expect(open.stderr.contains("chmod 600 \(person.passwords)"), "\(open.stderr)")
    chmod(person.passwords, 0o600)

    // All output, and every file except this one.
    let secrets = [password, Data("kay:\(password)".utf8).base64EncodedString()]
    for secret in secrets {
      for text in told { #expect(!text.contains(secret), "\(text)") }
      let found = try await person.bench.run(
        [
          "grep", "-rlF", "--exclude=passwords.toml", secret, person.path("state"),
          person.path("config"), person.path("cache"),
        ])
      #expect(found.code == 1, "\(found.stdout)")
    }
    #expect(try await airprint("logout", "Locked").code == 0)
    #expect(try !person.text("config/airprint/passwords.toml").contains(password))
    #expect(try await airprint("print", "-d", "Locked", file).code == 77)
    _ = await simulation.end()
  }

  @Test func `pick asks again for a wrong password, and draws nothing over the question`()
    async throws
  {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let password = try #require(simulation.printers[0].password?.string)
    let printing = try person.terminal(
      "print", "-d", simulation.secureURI, try person.document(PDF().bytes))
    try await printing.expect("User name for")
    printing.type("kay\r")
    try await printing.expect("Password for kay: ")
    printing.type("\(password)\r")
    let printed = await printing.end()
    #expect(printed.code == 0, "\(printed.report)")
    #expect(printed.stdout.contains("airprint login \(simulation.secureURI)"), "\(printed.report)")
    let picking = try person.terminal("pick", simulation.secureURI, "--as", "Locked")
    for answer in ["not-\(password)", password] {
      try await picking.expect("User name for")
      picking.type("kay\r")
      try await picking.expect("Password for kay: ")
      // Several updates of the progress line, which has to wait.
      try await Task.sleep(for: .milliseconds(400))
      #expect(picking.rest.isEmpty, "\(picking.rest.debugDescription)")
      picking.type("\(answer)\r")
    }
    let picked = await picking.end()
    #expect(picked.code == 0, "\(picked.report)")
    #expect(exists(person.passwords))
    _ = await simulation.end()
  }

  @Test func `a password is forgotten with the last name of its printer`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let password = try #require(simulation.printers[0].password?.string)
    let secret = try person.document(Array("till:\(password)\n".utf8), "secret")
    for name in ["Laser", "Same"] {
      let picked = try await person.airprint(
        "pick", simulation.secureURI, "--as", name, "--password-file", secret)
      #expect(picked.code == 0, "\(picked.report)")
    }
    #expect(try await person.airprint("login", "Laser", "--password-file", secret).code == 0)
    let slip = try person.document(Array("till:not-\(password)\n".utf8), "slip")
    let wrong = try await person.airprint("login", "Laser", "--password-file", slip)
    #expect(wrong.code == 77, "\(wrong.report)")
    #expect(wrong.stderr.contains("The login saved before is unchanged."), "\(wrong.stderr)")
    #expect(try person.text("config/airprint/passwords.toml").contains(password))
    #expect(try await person.airprint("forget", "Laser").code == 0)
    #expect(try person.text("config/airprint/passwords.toml").contains(password))
    #expect(try await person.airprint("forget", "Same").code == 0)
    #expect(try !person.text("config/airprint/passwords.toml").contains(password))
    _ = await simulation.end()
  }

  @Test func `services give a file`() async throws {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser", "--require-password")
    let password = try #require(simulation.printers[0].password?.string)
    let file = try person.document(PDF().bytes)
    let secret = try person.document(Array("till:\(password)\n".utf8), "airprint-password")
    let uri = simulation.secureURI
    let print = ["print", "-d", uri, file]
    #expect(try await person.airprint(print).code == 77)
    #expect(try await person.airprint(print + ["--password-file", secret]).code == 0)
    let wrong = try person.document(Array("till:wrong\n".utf8), "wrong")
    let refused = try await person.airprint(print + ["--password-file", wrong])
    #expect(refused.code == 77, "\(refused.report)")
    #expect(
      refused.stderr.contains("and the password of --password-file (\(wrong))."),
      "\(refused.report)")
    let folder = person.path("documents")
    for variables in [["AIRPRINT_PASSWORD_FILE": secret], ["CREDENTIALS_DIRECTORY": folder]] {
      let printed = try await person.airprint(print, adding: variables)
      #expect(printed.code == 0, "\(printed.report)")
    }
    // An unencrypted URI of a printer that was seen with encryption: the connection is encrypted before the password
    // is sent.
    let plain = ["-d", simulation.uri, "--password-file", secret]
    let upgraded = try await person.airprint(["print", file] + plain)
    #expect(upgraded.code == 0, "\(upgraded.report)")
    let shown = try await person.airprint(["show", "--json"] + plain.dropFirst())
    #expect(shown.code == 0, "\(shown.report)")
    #expect(try shown.json.secure == .boolean(true))
    #expect(try shown.json.authentication == .string("username,password"))
    // What is asked about the job later is, too.
    let held = try await person.airprint(
      print + ["--hold", "--no-wait", "--json", "--password-file", secret])
    let job = try #require(try held.jsonLines.first?.job?.string, "\(held.report)")
    for command in [["release", job], ["wait", job]] {
      let asked = try await person.airprint(command)
      #expect(asked.code == 0, "\(asked.report)")
    }
    let detached = try await person.airprint(print + ["--detach", "--password-file", secret])
    let id = try #require(detached.stdout.split(separator: "\n").first.map(String.init))
    #expect(try await person.airprint("wait", id).code == 0)
    #expect(try await person.airprint(print + ["--password-file", "/none"]).code == 66)
    #expect(try await person.airprint(print + ["--later", "--password-file", secret]).code == 64)
    _ = await simulation.end()
  }

  /// Scripts rewrite one file for each printer.
  @Test func `what a job's file has later is not sent to its printer`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let fields = Mutex<Set<String>>([])
    let printer = try OddPrinter { request, state in
      state.ending = (state: 5, reasons: ["job-printing"], impressions: nil)
      guard let field = request.field("Authorization") else {
        let asked = "WWW-Authenticate: Basic realm=\"x\""
        return .bytes(IPPAnswer.http([], status: "401 Unauthorized", fields: [asked]))
      }
      fields.withLock { _ = $0.insert(field) }
      return .usual
    }
    let door = try EncryptedDoor(["printer": printer.port]) { _ in "printer" }
    func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
    let own = basic("till:sesame")
    let secret = try person.document(Array("till:sesame\n".utf8), "secret")
    let sent = try await person.airprint(
      "print", "-d", door.uri, "--no-wait", "--json", "--password-file", secret, file)
    let id = try #require(try sent.jsonLines.first?.job?.string, "\(sent.report)")
    func wait(_ variables: [String: String] = [:]) async throws -> Outcome {
      try await person.airprint("wait", id, "--timeout", "0", adding: variables)
    }
    #expect(try await wait().code == 75)
    #expect(fields.withLock { $0 } == [own])
    try Array("till:other\n".utf8).write(to: secret)
    let refused = try await wait()
    #expect(refused.code == 77 && refused.stderr.contains("--password-file"), "\(refused.report)")
    _ = try await person.airprint("jobs")
    #expect(fields.withLock { $0 } == [own])
    #expect(try !person.text("state/airprint/jobs/\(id)/job.json").contains("sesame"))
    // The printer's password was changed: the file is named.
    #expect(try await wait(["AIRPRINT_PASSWORD_FILE": secret]).code == 75)
    #expect(fields.withLock { $0 } == [own, basic("till:other")])
    door.close()
    printer.close()
  }

  @Test(.needsNamespaces) func `a printer whose users PAM knows`() async throws {
    let person = try await Person.anybody()
    // A PAM configuration whose only service accepts one user.
    let pam = person.path("pam")
    try FileManager.default.createDirectory(atPath: pam, withIntermediateDirectories: false)
    try writeFile(
      Array("#!/bin/sh\n[ \"$PAM_USER\" = kay ] && [ \"$(tr -d '\\0')\" = sesame ]\n".utf8),
      to: "\(pam)/ask", mode: 0o755)
    let service = """
      auth required pam_exec.so expose_authtok quiet \(pam)/ask
      account required pam_permit.so

      """
    try writeFile(Array(service.utf8), to: "\(pam)/airprint")
    let enter = "mount --bind \"$1\" /etc/pam.d && shift && exec \"$@\""
    var options = VirtualPrinter.Options()
    options.subtypes = ["off"]
    options.formats = ["application/pdf"]
    options.others = ["-A", "--pam-service", "airprint"]
    options.surroundings = Namespaces.available.unshare("--mount") + ["sh", "-c", enter, "sh", pam]
    let printer = try await person.bench.printer("Guarded", options)
    let file = try person.document(PDF().bytes)
    let print = ["print", "-d", printer.secureURI, file]
    let nobody = try await person.airprint(print)
    #expect(nobody.code == 77 && nobody.stderr.contains("airprint login"), "\(nobody.report)")
    for (text, code) in [("kay:tahini", 77), ("eve:sesame", 77), ("kay:sesame", 0)]
      as [(String, Int32)]
    {
      let secret = try person.document(Array("\(text)\n".utf8), "secret")
      let outcome = try await person.airprint(print + ["--password-file", secret])
      #expect(outcome.code == code, "\(text): \(outcome.report)")
    }
    #expect(try printer.jobs().count == 1)
    await printer.stop()
  }

  @Test func `a PIN goes to printers that take it, encrypted, and into no journal`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "integer job-password-supported 8", "rangeOfInteger job-password-length-supported 4-8",
      "keyword job-password-encryption-supported none,sha2-256",
      "keyword job-password-repertoire-configured iana_us-ascii_digits",
      "boolean job-account-id-supported true",
      "keyword printer-mandatory-job-attributes job-password,job-account-id",
    ])
    let file = try person.document(PDF().bytes)
    let pin = try person.document(Array("471108\n".utf8), "pin")
    let uri = printer.secureURI
    let account = ["-o", "job-account-id=Sales 7"]
    let none = try await person.airprint(["print", "-d", uri, file] + account)
    #expect(none.code == 76 && none.stderr.contains("--pin-file"), "\(none.report)")
    let unpaid = try await person.airprint("print", "-d", uri, file, "--pin-file", pin)
    #expect(unpaid.code == 76, "\(unpaid.report)")
    #expect(unpaid.stderr.contains("-o job-account-id=VALUE"), "\(unpaid.stderr)")
    // This user has not seen the printer's certificate, or the plain URI would be upgraded.
    let stranger = try Person(at: person.bench)
    let plain = try await stranger.airprint(
      ["print", "-d", printer.uri, file, "--pin-file", pin] + account)
    #expect(plain.code == 77 && plain.stderr.contains("not encrypted"), "\(plain.report)")
    for text in ["12", "123456789", "12ab"] {
      let bad = try person.document(Array(text.utf8), "bad")
      let refused = try await person.airprint(
        ["print", "-d", uri, file, "--pin-file", bad] + account)
      #expect(refused.code == 64, "\(refused.report)")
    }
    #expect(try printer.jobs().isEmpty)
    let printed = try await person.airprint(
      ["print", "-v", "-d", uri, file, "--pin-file", pin] + account)
    #expect(printed.code == 0, "\(printed.report)")
    #expect(!printed.report.contains("471108"))
    let job = try #require(try printer.jobs().first)
    #expect(job["job-account-id"] == "Sales 7", "\(job.environment)")
    let found = try await person.bench.run(["grep", "-rlF", "471108", person.path("state")])
    #expect(found.code == 1, "\(found.stdout)")

    let again = try await person.airprint("reprint", "-d", uri)
    #expect(again.code == 64 && again.stderr.contains("--pin-file"), "\(again.report)")
    #expect(try await person.airprint("reprint", "-d", uri, "--pin-file", pin).code == 0)
    for option in ["--later", "--detach"] {
      let kept = try await person.airprint(["print", "-d", uri, file, "--pin-file", pin, option])
      #expect(kept.code == 64, "\(kept.report)")
    }
    let typed = try await person.airprint(
      ["print", "-d", uri, file, "-o", "job-password=471108"] + account)
    #expect(typed.code != 0 && !typed.stderr.contains("471108"), "\(typed.report)")
    #expect(try printer.jobs().count == 2)
    await printer.stop()
  }
}

extension Person {
  fileprivate var passwords: String { path("config/airprint/passwords.toml") }
}
