internal import Glibc
internal import Synchronization

/// Messages from any thread to one that waits with poll(2).
package final class Mailbox<Message: Sendable>: Sendable {
  /// Readable if there are messages for `take`, or if a byte was written to `bell`.
  package let descriptor: Int32
  /// A byte written here wakes the waiting thread; a signal handler may do that.
  package let bell: Int32
  private let messages = Mutex<[Message]>([])

  package init() throws(SystemError) {
    let ends = try SocketPair(isNonBlocking: true)
    (descriptor, bell) = (ends.own, ends.other)
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  package func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    // A full socket wakes the reader as well.
    _ = send(bell, [1], 1, Int32(MSG_NOSIGNAL))
  }

  /// Returns the messages posted since the last call.
  package func take() -> [Message] {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
