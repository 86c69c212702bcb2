// Of the whole module, the compiler knows timeval from this one.
internal import CAvahi
internal import CResolv
import Glibc
import System

// Answers that are too long for UDP. libresolv would wait indefinitely for each byte of one.

extension UnicastResolver {
  /// Time for a complete answer.
  private static let patienceByTCP = Duration.seconds(4)
  private static let quickPatienceByTCP = Duration.seconds(1)
  /// Time for one server to accept a connection.
  private static let patienceToConnect = Duration.seconds(2)

  /// Sends one question over TCP (RFC 7766) and returns the first server's answer; nil if none answers in time.
  func answerByTCP(_ type: UInt16, of name: DomainName, isQuick: Bool) -> DNSMessage? {
    let patience = isQuick ? Self.quickPatienceByTCP : Self.patienceByTCP
    let deadline = ContinuousClock.now + patience
    // RD: the server is to ask others.
    let query = DNSMessage(
      id: .random(in: 0...UInt16.max), flags: 0x0100, questions: [DNSQuestion(name, type)])
    guard let bytes = query.bytes else { return nil }
    var refusal: DNSMessage?
    for number in 0..<Int32(MAXNS) {
      var address = sockaddr_storage()
      let size = resolver_server(state, number, &address)
      guard size > 0 else { break }
      guard
        let answer = exchange(
          octets(UInt16(bytes.count)) + bytes, with: address, size, until: deadline),
        let message = DNSMessage(answer), message.isResponse, message.id == query.id,
        message.questions.first == query.questions.first
      else { continue }
      // If this server fails or refuses, another may have the answer (3: the name does not exist).
      if [0, 3].contains(message.responseCode) { return message }
      refusal = message
    }
    return refusal
  }

  /// Sends a message with its length prefix and returns its answer without it; nil if time runs out or no server
  /// answers.
  private func exchange(
    _ query: [UInt8], with address: sockaddr_storage, _ size: socklen_t,
    until deadline: ContinuousClock.Instant
  ) -> [UInt8]? {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(Int32(address.ss_family), Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let limit = min(Self.patienceToConnect, ContinuousClock.now.duration(to: deadline))
    guard limit > .zero else { return nil }
    // Of connect(2) and send(2).
    let milliseconds = Int(limit / .milliseconds(1)) + 1
    var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    let length = socklen_t(MemoryLayout<timeval>.size)
    guard setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, length) == 0 else { return nil }
    let isConnected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
    guard isConnected, send(descriptor, query, query.count, Int32(MSG_NOSIGNAL)) == query.count
    else { return nil }
    var answer: [UInt8] = []
    var wanted = 2
    var room = [UInt8](repeating: 0, count: 16_384)
    while answer.count < wanted {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0, waitForInput(on: [descriptor], milliseconds: Int32(left) + 1) == [true]
      else { return nil }
      let count = recv(
        descriptor, &room, min(room.count, wanted - answer.count), Int32(MSG_DONTWAIT))
      if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
      guard count > 0 else { return nil }
      answer += room.prefix(count)
      if answer.count == 2 { wanted += Int(answer[0]) << 8 | Int(answer[1]) }
    }
    return Array(answer.dropFirst(2))
  }
}
