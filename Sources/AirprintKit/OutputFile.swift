internal import Glibc
internal import PrintModel

/// A file that a command writes, or standard output. A file that could not be finished is taken away.
final class OutputFile {
  private let path: String
  private let descriptor: Int32
  private var isFinished = false

  /// Exit 73 when it can't be made.
  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = path == "-" ? dup(1) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFile.failure(path) }
  }

  deinit {
    close(descriptor)
    guard !isFinished, path != "-" else { return }
    // Only what we made: never a device that was named as the output.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unlink(path) }
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw OutputFile.failure(path) }
      done += count
    }
  }

  /// The file is whole.
  func finish() { isFinished = true }

  private static func failure(_ path: String) -> Failure {
    Failure(
      .cannotWrite,
      "\(path == "-" ? "Standard output" : path) can't be written: "
        + "\(String(cString: strerror(errno))).")
  }
}
