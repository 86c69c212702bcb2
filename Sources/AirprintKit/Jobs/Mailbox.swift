internal import Glibc
internal import PrintModel
internal import Synchronization

/// Messages from any thread for one that waits with poll(2).
final class Mailbox<Message: Sendable>: Sendable {
  /// Readable when there is something to `take`, or when somebody wrote to `bell`.
  let descriptor: Int32
  /// A byte written here wakes whoever waits; a signal handler may do so.
  let bell: Int32
  private let messages = Mutex<[Message]>([])

  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw Failure(.fault, "Can't create a socket: \(String(cString: strerror(errno))).")
    }
    (descriptor, bell) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    // A socket that is full rings already.
    _ = send(bell, [1], 1, Int32(MSG_NOSIGNAL))
  }

  /// What has come since the last time.
  func take() -> [Message] {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
