import Glibc
import TestSupport
import Testing

/// Documents that arrive otherwise than their requests state, and printers that start together.
@Suite struct SimulateArrivalTests {
  /// The answer arrives, although the client has sent more than the printer has read.
  @Test(arguments: [(0, 0), (0, 200_000), (8_000_000, 0)])
  func `a document that is not compressed as stated`(_ packed: Int, _ rest: Int) async throws {
    let (code, ended) = try await send(
      """
      import gzip, os
      body = gzip.compress(os.urandom(\(packed)))[:-8] if \(packed) else b''
      body = request(b'image/jpeg', attr(0x44, b'compression', b'gzip')) + body + bytes(40) + os.urandom(\(rest))
      print(answer(b'Content-Length: %d\\r\\n\\r\\n' % len(body) + body))
      """)
    #expect(code == "0410")
    #expect(ended.state == .string("aborted"), "\(ended)")
    #expect(ended.reasons?.strings?.contains("compression-error") == true, "\(ended)")
  }

  /// What has arrived looks complete to a printer that does not wait for the last chunk.
  @Test(arguments: ["", "300"])
  func `a client that leaves after a chunk, or within one`(_ more: String) async throws {
    let (code, ended) = try await send(
      """
      body = request(b'image/jpeg')
      parts = b'%x\\r\\n' % len(body) + body + b'\\r\\n5\\r\\nabcde\\r\\n' + (b'\(more)\\r\\nabcde' if '\(more)' else b'')
      print(answer(b'Transfer-Encoding: chunked\\r\\n\\r\\n' + parts, True))
      """)
    #expect(code == "none")
    #expect(ended.reasons?.strings?.contains("submission-interrupted") == true, "\(ended)")
  }

  /// The second one sees the name of the first.
  @Test func `two that start at the same time get two names`() async throws {
    let person = try await Person.anybody()
    let sockets = ["XDG_RUNTIME_DIR": person.folder]
    let programs = try (0..<4).map { number in
      try person.bench.start(
        [
          "airprint", "simulate", "--json", "--port", "0", "--output", person.path("\(number)"),
          "receipt", "label",
        ], adding: person.variables.merging(sockets) { $1 })
    }
    for program in programs { try await program.wait(for: "\"started\"") }
    let listed = try await person.airprint(["simulate", "list", "--json"], adding: sockets)
    let names = try listed.json.array?.compactMap { $0.name?.string } ?? []
    #expect(Set(names).count == 8, "\(listed.report)")
    for program in programs {
      program.signal(SIGTERM)
      #expect(await program.end().code == 0)
    }
  }

  /// Runs a script, and returns its output and the end of the printer's first job.
  private func send(_ script: String) async throws -> (answer: String, ended: JSON) {
    let person = try await Person.anybody()
    let simulation = try await person.simulate("laser")
    let outcome = try await person.bench.run(
      ["python3", "-c", Self.client + script, simulation.port], adding: person.variables)
    let ended = try await simulation.wait(for: "ended")
    _ = await simulation.end()
    #expect(outcome.code == 0, "\(outcome.report)")
    return (outcome.stdout.trimmed, ended)
  }

  private static let client = """
    import socket, struct, sys
    port = int(sys.argv[1])
    def attr(tag, name, value): return struct.pack('>BH', tag, len(name)) + name + struct.pack('>H', len(value)) + value
    def request(format, *more):
      return (struct.pack('>HHIB', 0x200, 2, 1, 1) + attr(0x47, b'attributes-charset', b'utf-8')
        + attr(0x48, b'attributes-natural-language', b'en')
        + attr(0x45, b'printer-uri', b'ipp://localhost:%d/ipp/print' % port)
        + attr(0x49, b'document-format', format) + b''.join(more) + b'\\x03')
    def answer(rest, leaves=False):
      s = socket.create_connection(('127.0.0.1', port), 60)
      s.settimeout(60)
      s.sendall(b'POST /ipp/print HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/ipp\\r\\n' + rest)
      if leaves: s.shutdown(socket.SHUT_WR)
      out = b''
      while b'\\r\\n\\r\\n' not in out or len(out.split(b'\\r\\n\\r\\n', 1)[1]) < 4:
        piece = s.recv(65536)
        if not piece: return 'none'
        out += piece
      return '%04x' % struct.unpack('>H', out.split(b'\\r\\n\\r\\n', 1)[1][2:4])

    """
}
