import FoundationEssentials
import Glibc
import IPP
import PrintModel
import System
import TestSupport
import Testing

/// Connections to a printer that is not our code.
@Suite struct ConnectionTests {
  @Test func `attributes arrive, over many requests on one connection, plain and over TLS`()
    async throws
  {
    let bench = try await Bench.shared
    let printer = try await bench.printer("Connection", .init())
    for uri in [printer.uri, printer.secureURI] {
      let names = try await connected(to: uri) { (connection) throws(IPPError) -> [String] in
        var names: [String] = []
        for _ in 0..<10 {
          let response = try connection.exchange(question(connection.uri))
          guard response.status == .ok else { continue }
          names += response.printer.strings("printer-name")
        }
        return names
      }
      #expect(names == Array(repeating: "Connection", count: 10), "\(uri)")
    }
    await printer.stop()
  }

  @Test func `an address stands in for a name that nobody resolves`() async throws {
    let bench = try await Bench.shared
    let printer = try await bench.printer("Addressed", .init())
    let uri = "ipp://no-such-host.local:\(printer.port)/ipp/print"
    let address = try await connected(to: uri, at: ["127.0.0.1"]) {
      (connection) throws(IPPError) -> String? in
      _ = try connection.exchange(question(connection.uri))
      return connection.address
    }
    #expect(address == "127.0.0.1")
    await printer.stop()
  }

  @Test func `a document arrives as it was, whatever its length`() async throws {
    let bench = try await Bench.shared
    var options = VirtualPrinter.Options()
    options.formats = ["application/pdf"]
    let printer = try await bench.printer("Documents", options)
    for (number, length) in [1, 10_000_000].enumerated() {
      // A prime, so that the pattern does not repeat with any buffer's length.
      let document = (0..<length).map { UInt8(truncatingIfNeeded: $0 % 251 + $0 / 251) }
      let status = try await connected(to: number == 0 ? printer.uri : printer.secureURI) {
        (connection) throws(IPPError) -> Status in
        try send(document, over: connection).status
      }
      #expect(status == .ok)
      let job = try await printer.jobs(atLeast: number + 1)[number]
      #expect(job.document.count == document.count)
      #expect(job.document == document)
    }
    await printer.stop()
  }

  @Test func `an answer that is no success is an answer`() async throws {
    let bench = try await Bench.shared
    let printer = try await bench.printer("Refusing", .init())
    let response = try await connected(to: printer.uri) { (connection) throws(IPPError) in
      try connection.exchange(
        Request(
          .getJobAttributes,
          operationAttributes: [
            Attribute("printer-uri", .uri(connection.uri.text)), Attribute("job-id", .integer(999)),
            Attribute("requesting-user-name", .name("test")),
          ]))
    }
    #expect(response.status == .notFound)
    #expect(response.message?.isEmpty == false)
    await printer.stop()
  }

  /// 426 (RFC 8010 §8.2): the request is repeated over TLS.
  @Test func `a printer that demands encryption gets it`() async throws {
    let bench = try await Bench.shared
    let printer = try await bench.printer("Demanding", .init())
    let server = try ScriptedServer { client in
      guard client.number > 1 else {
        _ = try client.readRequest(tellsToGoOn: false)
        return try client.send(
          IPPAnswer.http(
            [], status: "426 Upgrade Required", fields: ["Upgrade: TLS/1.2", "Connection: Upgrade"])
        )
      }
      try client.relay(to: printer.port)
    }
    let certificate = try await onThread { () throws(IPPError) -> Fingerprint? in
      guard let uri = PrinterURI(server.uri) else { throw IPPError(.unresolved, "no URI") }
      let connection = try Connection(
        to: uri, timeout: endlessly, cancellation: Cancellation())
      guard connection.peer == nil,
        try connection.exchange(question(connection.uri)).status == .ok
      else { return nil }
      return connection.peer?.fingerprint
    }
    #expect(certificate != nil)
    server.close()
    await printer.stop()
  }

  /// The certificate changes between two requests on one connection: the second request is never sent.
  @Test func `a certificate that changes between two requests`() async throws {
    let bench = try await Bench.shared
    let printer = try await bench.printer("Changing", .init())
    let keys = printer.keysFolder
    let kind = try await onThread { () throws(IPPError) -> IPPError.Kind? in
      guard let uri = PrinterURI(printer.secureURI) else { throw IPPError(.unresolved, "no URI") }
      let connection = try Connection(
        to: uri, timeout: endlessly, cancellation: Cancellation())
      _ = try connection.exchange(question(connection.uri))
      for name in (try? FileManager.default.contentsOfDirectory(atPath: keys)) ?? [] {
        unlink("\(keys)/\(name)")
      }
      connection.shutDown()
      do throws(IPPError) {
        _ = try connection.exchange(question(connection.uri))
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .untrusted)
    await printer.stop()
  }
}
