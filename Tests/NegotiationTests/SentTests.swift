import FoundationEssentials
import Glibc
import IPP
import Capability
import Negotiation
import PrintModel
import System
import TestSupport
import Testing

/// Random requests that are sent, to printers that `simulate` imitates: it ignores nothing of them.
///
/// AIRPRINT_SENT in the environment is their number.
@Suite struct SentTests {
  private static let count =
    ProcessInfo.processInfo.environment["AIRPRINT_SENT"].flatMap { Int($0) } ?? 60

  @Test func `no request that a simulated printer refuses`() async throws {
    let names = try Recordings.names()
    let each = max(20, Self.count / names.count)
    var sent = 0
    for (index, name) in names.enumerated() where sent < Self.count {
      let file = "\(Recordings.folder)/\(name).conf"
      let program = try Program(
        ["airprint", "simulate", "--like", file, "--port", "0", "--name", "Sim \(name)", "--json"])
      try await program.wait(for: "\"started\"")
      let output = String(decoding: program.output, as: UTF8.self)
      let port = try #require(output.split(separator: "localhost:").dropFirst().first)
      let uri = try #require(PrinterURI("ipp://localhost:\(port.prefix { $0.isNumber })/ipp/print"))
      let problems = try await onThread { () throws(IPPError) in
        try Self.problems(at: uri, named: name, seeds: index * each..<(index + 1) * each)
      }
      #expect(problems.isEmpty)
      sent += each
      program.signal(SIGTERM)
      _ = await program.end()
    }
  }

  /// Sends the requests of these seeds as jobs, which are canceled, and returns what is not granted to the letter.
  private static func problems(
    at uri: PrinterURI, named name: String, seeds: Range<Int>
  ) throws(IPPError) -> [String] {
    let connection = try Connection(
      to: uri, timeout: .seconds(20), cancellation: Cancellation())
    let printer = try ContactResult(over: connection, user: "test").capabilities
    var problems: [String] = []
    for seed in seeds {
      var dice = Dice(seed)
      let (job, document) = Recordings.jobs.randomElement(using: &dice) ?? Recordings.jobs[0]
      guard let random = try? RandomRequest(for: printer, &dice), !random.request.force,
        let ticket = try? negotiate(
          random.request, document: document, with: printer, region: .a4)
      else { continue }
      let target = Request.target(uri, user: "test")
      let answer = try connection.exchange(
        Request(
          .createJob,
          operationAttributes: target + [
            Attribute("job-name", .name(job)), Attribute("ipp-attribute-fidelity", .boolean(true)),
          ], jobAttributes: ticket.attributes.filter { $0.name != "compression" }))
      if answer.status != .ok || !answer.unsupported.all.isEmpty {
        problems.append("\(name), \(seed), \(job) \(random): \(answer.words)")
      }
      guard let number = answer.jobs.first?.number("job-id") else { continue }
      _ = try connection.exchange(
        Request(.cancelJob, operationAttributes: Request.target(uri, job: number, user: "test")))
    }
    return problems
  }
}
