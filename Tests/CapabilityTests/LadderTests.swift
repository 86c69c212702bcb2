import Capability
import IPP
import PrintModel
import TestSupport
import Testing
import System

/// A printer's answers to Get-Printer-Attributes: the attributes it sends for `all`, and those it only sends by name.
private struct Answers: Sendable {
  var all: [Fact] = [.format]
  var ready: [Fact]?
  var database: [Fact]?
  /// The status of the first response, and of the later ones.
  var first = 0
  var later = 0
  /// True if it only supports IPP 1.1.
  var isOld = false

  /// An attribute, as bytes.
  enum Fact {
    case format
    case keyword(String, String)
    case media(String, width: Int32, length: Int32)
    case none(String)
  }

  func answer(_ request: ScriptedServer.Request) -> [UInt8] {
    if isOld, request.body.first == 2 { return IPPAnswer(to: request, status: 0x0503).http }
    let asks = { (name: String) in request.body.firstRange(of: Array(name.utf8)) != nil }
    let isFirst = asks("all")
    let facts =
      isFirst
      ? all
      : asks("media-col-ready") || asks("document-format-supported") || asks("operations-supported")
        ? ready : asks("media-col-database") ? database : nil
    let status = isFirst ? first : facts == nil ? 0x0406 : later
    var answer = IPPAnswer(to: request, status: status, message: status == 0 ? nil : "No, thanks")
    answer.group(4)
    for fact in facts ?? [] { answer.add(fact) }
    return answer.http
  }
}

extension IPPAnswer {
  fileprivate mutating func add(_ fact: Answers.Fact) {
    switch fact {
    case .format:
      add(0x49, "document-format-supported", "image/urf")
      add(0x23, "operations-supported", 5)
    case .keyword(let name, let value): add(0x44, name, value)
    case .none(let name): add(0x13, name, "")
    case .media(let name, let width, let length):
      add(0x34, name, "")
      add(0x4A, "", "media-size")
      add(0x34, "", "")
      for (side, value) in [("x-dimension", width), ("y-dimension", length)] {
        add(0x4A, "", side)
        add(0x21, "", value)
      }
      add(0x37, "", "")
      add(0x37, "", "")
    }
  }
}

/// The attributes that a printer is asked for a second time, and the result.
@Suite struct LadderTests {
  private static let a4 = Answers.Fact.media("media-col-ready", width: 21_000, length: 29_700)
  private static let a3 = Answers.Fact.media("media-col-database", width: 29_700, length: 42_000)
  private static let letter = Answers.Fact.keyword("media-supported", "na_letter_8.5x11in")

  @Test(arguments: [
    // Everything at once
    (Answers(all: [.format, a4, a3]), ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 1),
    (Answers(all: [.format, a4, letter]), ["iso_a4_210x297mm"], ["na_letter_8.5x11in"], 1),
    // The database is only sent by name; a refusal is not an error
    (Answers(all: [.format, a4], database: [a3]), ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 2),
    (Answers(all: [.format, a4]), ["iso_a4_210x297mm"], [], 2),
    // Loaded media are only sent by name
    (
      Answers(ready: [a4], database: [a3]), ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 3
    ),
    (
      Answers(all: [.format, letter], ready: [.keyword("media-ready", "iso_a4_210x297mm")]),
      ["iso_a4_210x297mm"], ["na_letter_8.5x11in"], 2
    ),
    // Formats are only sent by name
    (Answers(all: [a4, a3], ready: [.format]), ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 2),
    (Answers(all: [a3], ready: [.format, a4]), ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 2),
    // Operations are only sent by name
    (
      Answers(all: [.keyword("document-format-supported", "image/urf"), a4, a3], ready: [.format]),
      ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 2
    ),
    // It reports nothing about loaded media
    (
      Answers(all: [.format, .none("media-col-ready")], database: [a3]), [], ["iso_a3_297x420mm"], 2
    ),
    (Answers(ready: [.none("media-ready")], database: [a3]), [], ["iso_a3_297x420mm"], 3),
    (Answers(), [], [], 3),
    // successful-ok-ignored-or-substituted-attributes is a success
    (
      Answers(ready: [a4], database: [a3], first: 1, later: 1), ["iso_a4_210x297mm"],
      ["iso_a3_297x420mm"], 3
    ),
    // IPP 1.1: every request is sent twice
    (Answers(all: [.format, a4, a3], isOld: true), ["iso_a4_210x297mm"], ["iso_a3_297x420mm"], 2),
  ])
  private func `what is missing is asked for by name`(
    _ answers: Answers, _ ready: [String], _ possible: [String], _ questions: Int
  ) async throws {
    let server = try ScriptedServer { client in
      while true { try client.send(answers.answer(client.readRequest())) }
    }
    defer { server.close() }
    let capabilities = try await contact(server)
    #expect(capabilities.ready.map(\.name) == ready)
    #expect(capabilities.possible.map(\.name) == possible)
    #expect(capabilities.reportsReady == !ready.isEmpty)
    #expect(capabilities.formats == ["image/urf"])
    #expect(server.requests.count == questions, "\(server.requests.count) questions")
  }

  /// If an attribute arrives twice, the first one counts, so that a later response can't replace it.
  @Test func `a later answer adds and does not replace`() async throws {
    let answers = Answers(
      all: [.format, Self.a4], database: [.keyword("document-format-supported", "x/y"), Self.a3])
    let server = try ScriptedServer { client in
      while true { try client.send(answers.answer(client.readRequest())) }
    }
    defer { server.close() }
    let capabilities = try await contact(server)
    #expect(capabilities.formats == ["image/urf"])
    #expect(capabilities.possible.count == 1)
  }

  /// Get-User-Printer-Attributes (PWG 5100.11-2024): color for some, and for who has no password what everyone is told.
  @Test(arguments: [(0, false), (0x0403, true), (nil, true)])
  func `what this user may do replaces what everyone may`(_ status: Int?, _ isColor: Bool)
    async throws
  {
    let operation = Int(Capabilities.Operation.getUserPrinterAttributes.rawValue)
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        let isOwn = request.operation == operation
        if isOwn, status == nil {
          let realm = ["WWW-Authenticate: Basic realm=\"x\""]
          return try client.send(IPPAnswer.http([], status: "401 Unauthorized", fields: realm))
        }
        var answer = IPPAnswer(to: request, status: isOwn ? status ?? 0 : 0)
        answer.group(4)
        // Before those of `format`: the first ones count.
        answer.add(0x23, "operations-supported", Int32(operation))
        answer.add(0x22, "color-supported", isOwn ? [0] : [1])
        for fact in [Answers.Fact.format, Self.a4, Self.a3] { answer.add(fact) }
        try client.send(answer.http)
      }
    }
    defer { server.close() }
    let capabilities = try await contact(server)
    #expect(capabilities.attributes.boolean("color-supported") == isColor)
    #expect(status == nil || server.requests.count == 2)
  }

  @Test(arguments: [0x0401, 0x0403, 0x0406, 0x0500, 0x0506])
  func `a printer that refuses the first question is an error with its words`(_ status: Int)
    async throws
  {
    let server = try ScriptedServer { client in
      while true { try client.send(Answers(first: status).answer(client.readRequest())) }
    }
    defer { server.close() }
    await #expect {
      _ = try await contact(server)
    } throws: { error in
      let error = error as? IPPError
      return error?.status != nil && error?.message == "No, thanks"
    }
  }

  /// An attribute that is longer than the answer, in answers by IPP 2.0 or in all: what is before it is read.
  @Test(arguments: [(true, 3), (false, 4)])
  func `what can be read counts if no question gets a valid answer`(
    _ isNewOnly: Bool, _ questions: Int
  ) async throws {
    let server = try ScriptedServer { client in
      while true {
        let request = try client.readRequest()
        var answer = IPPAnswer(to: request, status: 0)
        answer.group(4)
        for fact in [Answers.Fact.format, Self.a4] { answer.add(fact) }
        if request.body.first == 2 || !isNewOnly {
          answer.add(raw: [0x44, 0, 1, 98, 0xFF, 0xFF, 98])
        }
        if isNewOnly { answer.add(Self.a3) }
        try client.send(answer.http)
      }
    }
    defer { server.close() }
    let capabilities = try await contact(server)
    #expect(capabilities.formats == ["image/urf"])
    #expect(capabilities.ready.map(\.name) == ["iso_a4_210x297mm"])
    #expect(server.requests.count == questions, "\(server.requests.count) questions")
  }

  @Test func `a real printer is understood`() async throws {
    let bench = try await Bench.shared
    let printer = try await bench.printer("Contacted", .init())
    let capabilities = try await contact(printer.uri)
    #expect(capabilities.name == "Contacted")
    #expect(capabilities.does(.createJob) && capabilities.does(.sendDocument))
    #expect(capabilities.uuid?.count == 36)
    #expect(!capabilities.ready.isEmpty && capabilities.reportsReady)
    #expect(!capabilities.formats.isEmpty && !capabilities.resolutions.isEmpty)
    await printer.stop()
  }
}

private func contact(_ server: ScriptedServer) async throws -> Capabilities {
  try await contact(server.uri)
}

private func contact(_ uri: String) async throws -> Capabilities {
  let uri = try #require(PrinterURI(uri))
  return try await onThread { () throws(IPPError) in
    let connection = try Connection(
      to: uri, timeout: .seconds(20), cancellation: Cancellation())
    return try ContactResult(over: connection, user: "test").capabilities
  }
}
