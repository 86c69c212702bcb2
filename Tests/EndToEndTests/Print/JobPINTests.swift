import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The form of a PIN on the wire, below TLS.
@Suite struct JobPINTests {
  /// Names in the registry (IANA, job-password-encryption), and openssl's names for the same hash.
  @Test(
    arguments: [
      ("sha2-224", "sha224"), ("sha2-256", "sha256"), ("sha2-384", "sha384"),
      ("sha2-512", "sha512"), ("none", nil),
    ] as [(String, String?)])
  func `the hash that the printer takes, and nothing else of it`(
    _ method: String, _ digest: String?
  ) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office(with: [
      "integer job-password-supported 255",
      "keyword job-password-encryption-supported \(method)",
    ])
    let file = try person.document(PDF().bytes)
    let pin = try person.document(Array("471108\n".utf8), "pin")
    // The relay uses the printer's own certificate.
    #expect(try await person.airprint("show", printer.secureURI).code == 0)
    let relay = try await Relay(to: printer, person)
    let printed = try await person.airprint(
      "print", "-d", relay.uri, file, "--pin-file", pin)
    #expect(printed.code == 0, "\(printed.report)")
    let wire = try bytes(of: relay.record)
    var secret = Array("471108".utf8)
    if let digest {
      #expect(!wire.contains(secret), "the PIN itself is on the wire")
      let made = try await person.bench.run(
        ["openssl", "dgst", "-\(digest)", "-binary"], input: secret)
      secret = made.output
    }
    let name = Array("job-password".utf8)
    // octetString (RFC 8010 §3.5.2), its name, its value.
    let attribute: [UInt8] =
      [0x30, 0, UInt8(name.count)] + name + [0, UInt8(secret.count)] + secret
    #expect(wire.contains(attribute), "\(method)")
    #expect(
      wire.contains(
        Array("job-password-encryption".utf8) + [0, UInt8(method.utf8.count)] + Array(method.utf8)))
    await relay.end()
    await printer.stop()
  }
}

/// A relay with TLS on both sides, which stores what the client sends in a file.
private struct Relay {
  let program: Program
  let record: String
  let uri: String

  init(to printer: VirtualPrinter, _ person: Person) async throws {
    record = person.path("relay.bin")
    let port = try freePort()
    uri = "ipps://localhost:\(port)/ipp/print"
    let keys = try FileManager.default.contentsOfDirectory(atPath: printer.keysFolder)
    let key = try #require(keys.first { $0.hasSuffix(".key") })
    let certificate = try #require(keys.first { $0.hasSuffix(".crt") })
    program = try person.bench.start([
      "python3", "-c", Relay.script, "\(port)", "\(printer.port)",
      "\(printer.keysFolder)/\(certificate)", "\(printer.keysFolder)/\(key)", record,
    ])
    try await program.wait(for: "ready")
  }

  func end() async {
    program.signal(SIGTERM)
    _ = await program.end()
  }

  private static let script = """
    import select, socket, ssl, sys, threading
    port, printer, certificate, key, record = sys.argv[1:]
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    client = ssl._create_unverified_context()
    out = open(record, 'wb', 0)
    listener = socket.create_server(('localhost', int(port)), backlog=8)
    def serve(plain):
      near = server.wrap_socket(plain, server_side=True)
      far = client.wrap_socket(socket.create_connection(('localhost', int(printer))))
      ends = {near: far, far: near}
      while True:
        for end in [e for e in ends if e.pending()] or select.select(list(ends), [], [])[0]:
          piece = end.recv(65536)
          if not piece: return near.close(), far.close()
          if end is near: out.write(piece)
          ends[end].sendall(piece)
    print('ready', flush=True)
    while True:
      threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """
}
