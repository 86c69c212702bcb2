internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import Synchronization
package import System

/// A user's action at a running printer, sent by another command: `load`, `supply`, `fault`, `clear`, `pin`.
package struct ControlRequest: Codable, Sendable {
  package enum Command: String, Codable, Sendable, CaseIterable {
    case load, supply, fault, clear, pin
    /// Returns the printer's state, as JSON.
    case describe
  }

  package var action: Command
  package var arguments: [String]

  package init(_ action: Command, _ arguments: [String]) {
    self.action = action
    self.arguments = arguments
  }
}

private struct ControlAnswer: Codable {
  /// nil if it was done.
  var reason: FailureReason?
  var message: String
}

/// The control socket of a running printer: a Unix socket in a folder that belongs to the user alone, with one line of
/// JSON in each direction.
package final class ControlSocket: Sendable {
  private let path: String
  private let descriptor: Int32
  private let isClosed = Mutex(false)

  /// Opens the socket of the printer `name` in `folder`, which only its owner can enter.
  ///
  /// Throws exit 73 when it can't be created; exit 64 when a printer of this name is already running.
  ///
  /// - `perform`: performs the request, and returns the answer.
  package init(
    _ name: String, in folder: String,
    _ perform: @escaping @Sendable (ControlRequest) throws(Failure) -> String
  ) throws(Failure) {
    path = ControlSocket.path(name, in: folder)
    if let other = ControlSocket.openConnection(to: name, in: folder) {
      close(other)
      throw .usage(
        "A printer called \(name) is already being simulated: give this one another --name.")
    }
    try ControlSocket.makeFolder(folder)
    unlink(path)
    guard let address = UnixAddress(path.utf8) else { throw cannotWrite(path) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, address.apply({ bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 8) == 0
    else {
      let failure = cannotWrite(path)
      close(descriptor)
      throw failure
    }
    detachThread { [self] in run(perform) }
  }

  deinit { close(descriptor) }

  /// Closes the socket and removes its file.
  package func remove() {
    isClosed.withLock { $0 = true }
    unlink(path)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func run(_ perform: (ControlRequest) throws(Failure) -> String) {
    while !isClosed.withLock({ $0 }) {
      let caller = accept(descriptor, nil, nil)
      guard caller >= 0 else {
        // Out of descriptors: the caller stays queued, and accept(2) would return at once again.
        usleep(100_000)
        continue
      }
      _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
      defer { close(caller) }
      var answer = ControlAnswer(message: "")
      do throws(Failure) {
        guard let request = ControlSocket.receive(ControlRequest.self, from: caller) else {
          throw .usage("The request is invalid.")
        }
        answer.message = try perform(request)
      } catch {
        answer = ControlAnswer(reason: error.reason, message: error.message)
      }
      ControlSocket.send(answer, to: caller)
    }
  }

  /// Waits until no other simulator is choosing a name in `folder`, and keeps others waiting while the lock is held.
  ///
  /// Throws exit 73 when the folder can't be used.
  package static func takeTurn(in folder: String) throws(Failure) -> FileLock {
    try makeFolder(folder)
    let path = "\(folder)/lock"
    guard let lock = FileLock(file: path, waits: true) else { throw cannotWrite(path) }
    return lock
  }

  // MARK: The other side

  /// Names of the running printers.
  package static func names(in folder: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
      .map { $0.replacing("%2F", with: "/") }
      .filter { name in
        guard let descriptor = openConnection(to: name, in: folder) else { return false }
        close(descriptor)
        return true
      }.inNaturalOrder
  }

  /// Sends a command to the printer `name`, and returns its answer.
  ///
  /// Throws the printer's failure, or exit 69 when it does not answer.
  @discardableResult
  package static func tell(
    _ name: String, _ request: ControlRequest, in folder: String
  ) throws(Failure) -> String {
    let gone = Failure(.unavailable, "\(name) does not answer.")
    guard let descriptor = openConnection(to: name, in: folder) else { throw gone }
    defer { close(descriptor) }
    send(request, to: descriptor)
    guard let answer = receive(ControlAnswer.self, from: descriptor) else { throw gone }
    if let reason = answer.reason { throw Failure(reason, answer.message) }
    return answer.message
  }

  // MARK: Helpers

  private static let suffix = ".printer"

  private static func path(_ name: String, in folder: String) -> String {
    "\(folder)/\(name.replacing("/", with: "%2F"))\(suffix)"
  }

  /// Makes the folder and its parents.
  ///
  /// Throws exit 73 where that fails, and for a folder that does not belong to the user alone.
  private static func makeFolder(_ path: String) throws(Failure) {
    guard PrivateFolder.make(path) else { throw cannotWrite("The folder \(path)") }
    guard isOwn(path) else {
      throw .cannotWrite(
        "The folder \(path) does not belong to you alone: set XDG_RUNTIME_DIR to one that does.")
    }
  }

  /// True when the folder and its parent are this user's: in a shared folder, those that somebody else made are neither
  /// used nor trusted.
  private static func isOwn(_ path: String) -> Bool {
    let parent = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    return [parent, path].allSatisfy { folder in
      guard let status = FileStatus(link: folder) else { return false }
      return status.st_uid == geteuid() && status.kind == S_IFDIR && status.st_mode & 0o022 == 0
    }
  }

  private static func openConnection(to name: String, in folder: String) -> Int32? {
    guard isOwn(folder), let address = UnixAddress(path(name, in: folder).utf8) else { return nil }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    guard address.apply({ connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      return nil
    }
    // Don't wait forever for the printer's answer.
    var timeout = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    return descriptor
  }

  private static func send(_ message: some Encodable, to descriptor: Int32) {
    guard var line = try? JSONEncoder().encode(message) else { return }
    line.append(UInt8(ascii: "\n"))
    _ = line.withUnsafeBytes { writeAll($0, to: descriptor, isSocket: true) }
  }

  /// Reads a line of at most 64 KB; nil if it is no such message.
  private static func receive<Message: Decodable>(
    _ type: Message.Type, from descriptor: Int32
  ) -> Message? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while line.count < 1 << 16 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      line += buffer[..<count]
      if line.last == UInt8(ascii: "\n") {
        return try? JSONDecoder().decode(type, from: Data(line))
      }
    }
    return nil
  }
}
