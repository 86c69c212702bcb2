import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// airprint-json(7): its commands run in order, and the output of each has the keys of the example below it.
@Suite struct JSONManualTests {
  /// A command of the page, and the JSON below it.
  struct Example {
    var command: String
    var json: [JSON]
  }

  @Test func `every command writes what the manual shows`() async throws {
    // A job on Back waits, so it can be canceled.
    let reader = try await Reader(
      printers: ["Till": "receipt", "Back": "receipt --fault cover-open"])
    try reader.write(try bytes(of: "\(Reader.repository)/demo/receipt.pdf"), to: "receipt.pdf")
    try reader.write(Array("secret".utf8), to: "password")
    let examples = try examples()
    #expect(examples.count > 20)
    /// The journal's IDs, by the IDs on the page.
    var jobs: [String: String] = [:]
    for example in examples {
      let command = jobs.reduce(example.command) { $0.replacing($1.key, with: $1.value) }
      let program = try reader.start("exec \(command)")
      if command.contains("watch") {
        try await eventually("\(command) writes \(example.json.count) lines") {
          jsonTexts(program.output).texts.count >= example.json.count
        }
        program.signal(SIGTERM)
      }
      let outcome = await program.end()
      let (real, rest) = jsonTexts(outcome.output)
      #expect(rest.isEmpty, "\(command): \(outcome.report)")
      for value in real + example.json { try Schema.check(value) }
      try #require(real.isEmpty == example.json.isEmpty, "\(command): \(outcome.report)")
      for event in Set(example.json.map { $0.event?.string }) {
        let found = differences(
          example.json.filter { $0.event?.string == event },
          real.filter { $0.event?.string == event })
        #expect(found.isEmpty, "\(command)")
      }
      for (shown, job) in zip(example.json, real) {
        if let shown = shown.job?.string { jobs[shown] = job.job?.string }
      }
    }
    await reader.close()
  }

  @Test func `every command that writes JSON is there`() async throws {
    let page = try page()
    let help = try await run(["airprint", "--help"]).stdout
    let commands = help.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .map { $0.dropFirst(2).prefix { $0.isLowercase } }
    #expect(commands.contains("print") && commands.contains("simulate"))
    for command in commands where !command.isEmpty && command != "airprint" {
      #expect(page.contains("$ airprint \(command) "), "\(command)")
    }
  }

  private func page() throws -> String {
    String(
      decoding: try bytes(of: "\(Reader.repository)/man/templates/airprint-json.7.in"),
      as: UTF8.self)
  }

  private func examples() throws -> [Example] {
    let lines = try page().split(separator: "\n", omittingEmptySubsequences: false)
    return try lines.indices.filter { lines[$0].hasPrefix("  $ ") }.map { start in
      var rest = lines[start...].prefix { $0.hasPrefix("  ") }
      var command = String(rest.removeFirst().dropFirst(4))
      while command.hasSuffix("\\") {
        command = command.dropLast() + String(rest.removeFirst().drop { $0 == " " })
      }
      let shown = rest.prefix { !$0.hasPrefix("  $ ") }.joined(separator: "\n")
      let (json, broken) = jsonTexts(Array(shown.utf8))
      guard broken.isEmpty else { throw Missing("JSON below \(command): \(broken)") }
      return Example(command: command, json: json)
    }
  }
}
