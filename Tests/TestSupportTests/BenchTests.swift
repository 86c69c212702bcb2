import Glibc
import TestSupport
import Testing

@Suite struct BenchTests {
  @Test func `a printer keeps what it is sent, and what it is told about it`() async throws {
    let bench = try await Bench.shared
    var options = VirtualPrinter.Options()
    options.formats = ["image/urf", "application/pdf"]
    options.location = "Bench"
    let printer = try await bench.printer("Keeper", options)
    let document: [UInt8] = Array("UNIRAST\0".utf8) + [0, 0xFF, 0, 1]
    let path = try bench.scratch.write(document, to: "keeper.urf")
    let printing = try await bench.run([
      "ipptool", "-f", path, "-d", "filetype=image/urf", printer.uri, "print-job.test",
    ])
    #expect(printing.code == 0, "\(printing.stdout)")
    let job = try #require(try await printer.jobs(atLeast: 1).first)
    #expect(job.id == 1)
    #expect(job.document == document)
    #expect(job.contentType == "image/urf")
    #expect(job["copies"] == "1")
    #expect(job["document-format-supplied"] == "image/urf")
    #expect(job["sides"] == nil)
    await printer.stop()
    #expect(!printer.program.isRunning)
  }

  @Test func `a printer's command decides how a job ends`() async throws {
    let bench = try await Bench.shared
    var options = VirtualPrinter.Options()
    options.command = "exit 1"
    let printer = try await bench.printer("Fails", options)
    let path = try bench.scratch.write("UNIRAST\0", to: "fails.urf")
    let job = ["-f", path, "-d", "filetype=image/urf", printer.uri]
    let printing = try await bench.run(["ipptool", "-tv"] + job + ["print-job.test"])
    #expect(printing.code == 0, "\(printing.stdout)")
    #expect(try await printer.jobs(atLeast: 1).count == 1)
    try await eventually("the job is aborted") {
      let jobs = try await bench.run(["ipptool", "-tv", printer.uri, "get-completed-jobs.test"])
      return jobs.stdout.contains("job-state (enum) = aborted")
    }
    await printer.stop()
  }

  @Test func `a printer has the attributes of a file`() async throws {
    let bench = try await Bench.shared
    var options = VirtualPrinter.Options()
    options.attributes = try bench.scratch.write(
      """
      ATTR keyword printer-kind receipt
      ATTR textWithoutLanguage printer-make-and-model "Bench Receipt 80"
      ATTR mimeMediaType document-format-supported image/urf
      """, to: "receipt.conf")
    let printer = try await bench.printer("From a file", options)
    let answer = try await bench.run([
      "ipptool", "-tv", printer.uri, "get-printer-attributes.test",
    ])
    #expect(answer.stdout.contains("printer-kind (keyword) = receipt"))
    await printer.stop()
  }

  @Test(.needsNamespaces) func `two benches do not see each other`() async throws {
    let first = try await Bench.shared
    let second = try await Bench()
    let announcement = try await first.publish("Only on the first")
    let here = try await first.run(["avahi-browse", "-tp", "_ipp._tcp"])
    let there = try await second.run(["avahi-browse", "-tp", "_ipp._tcp"])
    #expect(here.stdout.contains("Only"))
    #expect(there.code == 0 && !there.stdout.contains("Only"))
    await announcement.withdraw()
    await second.close()
  }

  @Test func `a canceled test closes its folder, too`() async throws {
    let scratch = try Scratch()
    let program = try Program(["/bin/sleep", "60"], environment: scratch.environment)
    let closing = Task {
      while !Task.isCancelled { await Task.yield() }
      await scratch.close()
    }
    closing.cancel()
    await closing.value
    #expect(access(scratch.path, F_OK) != 0)
    #expect(await program.end().end == .signalled(SIGKILL))
  }

  @Test(.needsNamespaces) func `a closed bench leaves nothing, in whatever session it runs`()
    async throws
  {
    let bench = try await Bench()
    let program = try bench.start(["sh", "-c", "setsid sleep 60 & echo $!; sleep 60"])
    try await program.wait(for: "\n")
    let pid = try #require(Int32(String(decoding: program.output, as: UTF8.self).dropLast()))
    await bench.close()
    try await eventually("\(pid) has ended") { isGone(pid) }
    #expect(access(bench.scratch.path, F_OK) != 0)
    #expect(await program.end().end == .signalled(SIGKILL))
  }

  @Test(.needsNamespaces) func `a test process that is killed leaves nothing`() async throws {
    if isOwnProcess {
      let bench = try await Bench()
      let printer = try await bench.printer("Orphan")
      print("\(bench.scratch.path) \(printer.program.pid)")
      fflush(nil)
      kill(getpid(), SIGKILL)
    }
    let bench = try await Bench.shared
    let outcome = try await bench.secondRun()
    #expect(outcome.end == .signalled(SIGKILL))
    let words = outcome.stdout.split(whereSeparator: \.isWhitespace)
    let path = String(try #require(words.first { $0.contains("airprint-test") }))
    let pid = try #require(words.last.flatMap { Int32($0) })
    try await eventually("\(path) and \(pid) are gone") {
      isGone(pid) && access(path, F_OK) != 0
    }
  }

  @Test(.needsTwoHosts) func `two hosts reach each other over IPv4 and IPv6`() async throws {
    let hosts = try await TwoHosts()
    let printer = try await hosts.b.printer("On B")
    for address in ["192.0.2.2", "[2001:db8::2]"] {
      let asked = try await hosts.a.run([
        "ipptool", "-q", "ipp://\(address):\(printer.port)/ipp/print",
        "get-printer-attributes.test",
      ])
      #expect(asked.code == 0, "\(address): \(asked.stderr)")
    }
    let found = try await hosts.a.run(["avahi-browse", "-rtp", "_ipp._tcp"])
    #expect(found.stdout.contains(";beta.local;192.0.2.2;\(printer.port);"))
    #expect(found.stdout.contains(";beta.local;2001:db8::2;\(printer.port);"))
    await hosts.close()
  }
}

/// Returns true if a process has ended; this includes zombies.
private func isGone(_ pid: Int32) -> Bool {
  guard let file = fopen("/proc/\(pid)/stat", "r") else { return true }
  defer { fclose(file) }
  var line = [UInt8](repeating: 0, count: 512)
  let count = fread(&line, 1, line.count, file)
  return String(decoding: line[..<count], as: UTF8.self).contains(") Z ")
}
