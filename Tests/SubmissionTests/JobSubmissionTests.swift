import IPP
import PrintModel
import System
import TestSupport
import Testing

@testable import Submission

/// The operation attributes of a job beside its name.
@Suite struct JobSubmissionTests {
  private func submission(_ printer: [Attribute]) -> JobSubmission {
    var submission = JobSubmission.test()
    submission.capabilities.attributes = AttributeSet(printer)
    submission.ticket.attributes = [
      Attribute("sides", .keyword("two-sided-long-edge")), Attribute("copies", .integer(2)),
    ]
    submission.ticket.typed = ["sides"]
    return submission
  }

  private func sent(_ submission: JobSubmission) throws -> AttributeSet {
    let uri = try #require(PrinterURI("ipp://localhost/ipp/print"))
    return AttributeSet(submission.createJob(at: uri).operationAttributes)
  }

  @Test(arguments: [
    (["client-name", "client-string-version", "client-type", "client-patches"], true),
    (["client-name", "client-patches", "client-string-version", "client-version"], true),
    (["client-name"], false), ([], false),
  ])
  func `the program is told to printers that list its members`(
    _ listed: [String], _ isTold: Bool
  ) throws {
    let printer =
      listed.isEmpty
      ? []
      : [
        Attribute("client-info-supported", listed.map { .keyword($0) })
      ]
    var submission = submission(printer)
    submission.user = "anna"
    let info = try sent(submission).collections("client-info").first
    #expect((info != nil) == isTold)
    if let info {
      #expect(info.string("client-name") == "airprint" && info.number("client-type") == 3)
      #expect(info.string("client-string-version") == productVersion && info.all.count == 3)
    }
    submission.usesIPP11 = true
    #expect(try sent(submission)["client-info"] == nil)
  }

  @Test func `what was typed is mandatory where the printer knows that`() throws {
    let knows = [Attribute("job-mandatory-attributes-supported", .boolean(true))]
    var submission = submission(knows)
    #expect(try sent(submission).strings("job-mandatory-attributes") == ["sides"])
    // A printer that refuses it all the same is not asked again without it.
    #expect(submission.leaveOut(["sides"]) == nil && submission.leaveOut(["copies"]) != nil)
    submission.handling.strict = true
    #expect(try sent(submission)["job-mandatory-attributes"] == nil)
    for printer in [[], [Attribute("job-mandatory-attributes-supported", .boolean(false))]] {
      var submission = self.submission(printer)
      #expect(try sent(submission)["job-mandatory-attributes"] == nil)
      #expect(submission.leaveOut(["sides"]) != nil)
    }
  }

  @Test(arguments: [([4], [4], false), ([4, 0x3D], [4, 0x3D], true), ([0x3D], [], false)])
  func `a printer is asked about the document, too`(
    _ operations: [Int], _ asked: [Int], _ isRefused: Bool
  ) async throws {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let status = request.operation == 0x3D ? 0x040A : 0
        try client.send(IPPAnswer(to: request, status: status).http)
      }
    }
    defer { server.close() }
    var submission = submission([])
    submission.capabilities.operations = Set(operations)
    let uri = try #require(PrinterURI(server.uri))
    let failure = await onThread { [submission] () -> Failure? in
      do {
        let connection = try Connection(
          to: uri, timeout: .seconds(20), cancellation: Cancellation())
        _ = try submission.ask(over: connection, cancellation: Cancellation())
        return nil
      } catch {
        return error as? Failure ?? Failure(.refused, "\(error)")
      }
    }
    #expect((failure != nil) == isRefused, "\(failure?.message ?? "")")
    #expect(server.requests.map(\.operation) == asked)
  }
}
