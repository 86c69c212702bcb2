internal import CCups
internal import CGnuTLS
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A TLS server in front of unencrypted ones, which presents another certificate on each connection if a test wants
/// that: the printer, and those who pretend to be it.
///
///     let door = try EncryptedDoor(["a": printer.port, "b": stranger.port]) { $0 == 3 ? "b" : "a" }
package final class EncryptedDoor: Sendable {
  private let server: ScriptedServer
  private let completed: Completed

  private final class Completed: Sendable {
    let names = Mutex<[String]>([])
  }

  /// - `rooms`: the port on loopback to which connections with each certificate lead.
  /// - `plain`: the port to which connections without TLS lead; nil: these settings decide about them.
  /// - `asks`: true to answer a request without TLS with HTTP 426, on the same port.
  /// - `refusal`: the HTTP status for such a request instead; empty to end the connection; nil to await TLS.
  /// - `choice`: the certificate of a connection, by its number from 1.
  package init(
    _ rooms: [String: Int], plain: Int? = nil, asks: Bool = false, refusal: String? = nil,
    _ choice: @escaping @Sendable (Int) -> String
  ) throws {
    let folder = try Self.certificates(rooms.keys.sorted())
    let completed = Completed()
    self.completed = completed
    server = try ScriptedServer { client in
      if let plain, try client.firstByte() != 0x16 { return try client.relay(to: plain) }
      if let refusal = asks ? "426 Upgrade Required" : refusal, try client.firstByte() != 0x16 {
        _ = try client.readHead()
        guard !refusal.isEmpty else { return }
        return try client.send(IPPAnswer.http([], status: refusal, fields: ["Upgrade: TLS/1.2"]))
      }
      let name = choice(client.number)
      guard let port = rooms[name] else { return }
      try client.relay(to: port, presenting: "\(folder)/\(name)") {
        completed.names.withLock { $0.append(name) }
      }
    }
  }

  /// The names of the certificates that this process has made: a name is the same certificate at each door, because a
  /// key takes half a second.
  private static let made = Mutex<Set<String>>([])

  /// Makes certificates of these names, and returns their folder.
  private static func certificates(_ names: [String]) throws -> String {
    let folder = "\(Scratch.shared.path)/certificates"
    try made.withLock { made throws in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for name in names where made.insert(name).inserted {
        guard cupsMakeServerCredentials(folder, name, 0, nil, time(nil) + 86_400) != 0 else {
          throw Missing("a certificate")
        }
      }
    }
    return folder
  }

  package var port: Int { server.port }
  package var uri: String { server.secureURI }
  /// The number of connections so far, with and without a completed handshake.
  package var connections: Int { server.connections }
  /// The certificates of completed handshakes, in order.
  package var handshakes: [String] { completed.names.withLock { $0 } }

  package func close() { server.close() }
}

extension ScriptedServer.Client {
  /// Waits for the first byte, and leaves it to be read.
  fileprivate func firstByte() throws -> UInt8 {
    var byte: UInt8 = 0
    guard recv(socket, &byte, 1, Int32(MSG_PEEK)) == 1 else { throw Missing("a byte") }
    return byte
  }

  /// Encrypts the connection, and relays what is inside to another server, until either side closes.
  ///
  /// - `path`: of the certificate and the key, without their suffixes.
  fileprivate func relay(
    to port: Int, presenting path: String, whenEncrypted: () -> Void
  ) throws {
    var credentials: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&credentials) == 0 else {
      throw Missing("memory")
    }
    defer { gnutls_certificate_free_credentials(credentials) }
    // The other function of this kind is replaced in the program.
    let isRead = gnutls_certificate_set_x509_key_file2(
      credentials, "\(path).crt", "\(path).key", GNUTLS_X509_FMT_PEM, nil, 0)
    var session: gnutls_session_t?
    guard isRead >= 0, gnutls_init(&session, UInt32(bitPattern: Int32(GNUTLS_SERVER))) == 0 else {
      throw Missing("the certificate \(path)")
    }
    defer { gnutls_deinit(session) }
    gnutls_set_default_priority(session)
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    gnutls_transport_set_int2(session, socket, socket)
    var status: CInt
    repeat {
      status = gnutls_handshake(session)
    } while status < 0
      && gnutls_error_is_fatal(status) == 0
    guard status == 0 else { throw Missing("a handshake") }
    whenEncrypted()
    try exchange(with: port, session)
  }

  private func exchange(with port: Int, _ session: gnutls_session_t?) throws {
    let other = try ScriptedServer.connect(to: port)
    defer { Glibc.close(other) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var ends = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      let hasMore = gnutls_record_check_pending(session) > 0
      poll(&ends, 2, hasMore ? 0 : -1)
      if hasMore || ends[0].revents != 0 {
        let count = gnutls_record_recv(session, &room, room.count)
        guard count > 0 else { return }
        guard Glibc.send(other, room, count, Int32(MSG_NOSIGNAL)) == count else { return }
      }
      if ends[1].revents != 0 {
        let count = recv(other, &room, room.count, 0)
        guard count > 0 else {
          gnutls_bye(session, GNUTLS_SHUT_WR)
          return
        }
        var sent = 0
        while sent < count {
          let part = Array(room[sent..<count])
          let written = gnutls_record_send(session, part, part.count)
          guard written > 0 else { return }
          sent += written
        }
      }
    }
  }
}
