internal import Glibc
internal import Synchronization

/// The worker that commands which draw have from their start (CStart forks it).
///
/// It waits at its socket for the document, which arrives as descriptors; from then on it works like any other worker.
package enum ForkedWorker {
  /// The process and the parent's end of its socket, until a document is given to it.
  private static let waiting = Mutex<(process: pid_t, socket: Int32)?>(nil)

  /// Makes this worker the one that draws the next document.
  package static func offer(_ process: Int32, _ socket: Int32) {
    waiting.withLock { $0 = (process, socket) }
  }

  /// The worker, with `document` as its standard input and `errors` as its standard error; nil when none is waiting, or
  /// it has ended.
  static func take(document: Int32, errors: Int32) -> (process: pid_t, socket: Int32)? {
    guard let worker = waiting.withLock({ $0.take() }) else { return nil }
    if send([document, errors], over: worker.socket) { return worker }
    close(worker.socket)
    return nil
  }

  /// Takes over the document and the standard error that the parent sends.
  ///
  /// Returns false when the parent has ended.
  static func adopt(from parent: Int32) -> Bool {
    guard let given = receive(2, from: parent) else { return false }
    for (number, descriptor) in zip([STDIN_FILENO, STDERR_FILENO], given) {
      dup2(descriptor, number)
      close(descriptor)
    }
    return true
  }

  // MARK: Descriptors over a socket (unix(7), SCM_RIGHTS; cmsg(3)'s macros are none that Swift has)

  private static let rights: Int32 = 1  // SCM_RIGHTS
  private static let headLength = MemoryLayout<cmsghdr>.size

  private static func send(_ descriptors: [Int32], over socket: Int32) -> Bool {
    withMessage(descriptors.count) { message, control in
      var head = cmsghdr()
      head.cmsg_len = .init(headLength + descriptors.count * MemoryLayout<Int32>.size)
      head.cmsg_level = SOL_SOCKET
      head.cmsg_type = rights
      control.storeBytes(of: head, as: cmsghdr.self)
      for (index, descriptor) in descriptors.enumerated() {
        control.storeBytes(of: descriptor, toByteOffset: headLength + 4 * index, as: Int32.self)
      }
      message.msg_controllen = .init(head.cmsg_len)
      return sendmsg(socket, &message, noSignal) == 1
    }
  }

  private static func receive(_ count: Int, from socket: Int32) -> [Int32]? {
    withMessage(count) { message, control in
      var got = recvmsg(socket, &message, 0x4000_0000)  // MSG_CMSG_CLOEXEC
      while got < 0 && errno == EINTR { got = recvmsg(socket, &message, 0x4000_0000) }
      let head = control.load(as: cmsghdr.self)
      guard got == 1, head.cmsg_type == rights,
        Int(head.cmsg_len) == headLength + count * MemoryLayout<Int32>.size
      else { return nil }
      return (0..<count).map { control.load(fromByteOffset: headLength + 4 * $0, as: Int32.self) }
    }
  }

  /// Calls `body` with a message of one byte that has room for `count` descriptors.
  private static func withMessage<Result>(
    _ count: Int, _ body: (inout msghdr, UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    let room = headLength + (count + 1) / 2 * 2 * MemoryLayout<Int32>.size
    var byte: UInt8 = 0
    return withUnsafeMutableBytes(of: &byte) { byte in
      withUnsafeTemporaryAllocation(byteCount: room, alignment: MemoryLayout<cmsghdr>.alignment) {
        control in
        control.initializeMemory(as: UInt8.self, repeating: 0)
        var piece = iovec(iov_base: byte.baseAddress, iov_len: 1)
        return withUnsafeMutablePointer(to: &piece) { piece in
          var message = msghdr()
          message.msg_iov = piece
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = .init(room)
          return body(&message, control)
        }
      }
    }
  }
}
