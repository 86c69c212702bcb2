internal import Glibc
package import PrintModel

/// A document that was named on the command line, opened: a regular file behind a descriptor.
package final class InputFile {
  /// What was typed; `-` for standard input.
  package let path: String
  package let descriptor: Int32
  package let mediaType: String

  /// Opens a file, or copies what is no regular file (a pipe, standard input) to a temporary one that
  /// has no name. Exit 66 for what can't be read, 65 for what is empty or of an unknown type; the
  /// sentences leave the file's name to whoever shows them.
  package init(_ path: String) throws(Failure) {
    self.path = path
    let opened = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw InputFile.unreadable(errno) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(opened)
      throw InputFile.unreadable(EISDIR)
    }
    if status.st_mode & S_IFMT == S_IFREG && lseek(opened, 0, SEEK_CUR) == 0 {
      descriptor = opened
    } else {
      defer { close(opened) }
      descriptor = try InputFile.spool(opened)
    }
    do {
      mediaType = DocumentFormat.named(path, sniffed: try InputFile.sniff(descriptor))
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// What the first bytes of a regular file say that it is. Exit 65 for what is empty or of an unknown
  /// type.
  static func sniff(_ descriptor: Int32) throws(Failure) -> String {
    var head = [UInt8](repeating: 0, count: 1024)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw unreadable(errno) }
    guard count > 0 else { throw Failure(.document, "The file is empty.") }
    guard let type = DocumentFormat.sniff(head[..<count]) else {
      throw Failure(
        .document,
        "The file is of a type that airprint can't print. It prints PDF, JPEG, PNG and other "
          + "pictures: see airprint check --formats.")
    }
    return type
  }

  private static func spool(_ source: Int32) throws(Failure) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"  // as mktemp(1) does
    var template = Array("\(folder)/airprint-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    guard target >= 0 else {
      throw Failure(
        .cannotWrite, "\(folder) can't be written: \(String(cString: strerror(errno))).")
    }
    _ = fcntl(target, F_SETFD, FD_CLOEXEC)
    unlink(template)
    do {
      try copy(source, to: target, folder)
      return target
    } catch {
      close(target)
      throw error
    }
  }

  private static func copy(
    _ source: Int32, to target: Int32, _ folder: String
  ) throws(Failure) {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      if count == 0 { return }
      var done = 0
      while done < count {
        let written = piece.withUnsafeBytes {
          write(target, $0.baseAddress?.advanced(by: done), count - done)
        }
        guard written > 0 else {
          throw Failure(
            .cannotWrite, "\(folder) can't be written: \(String(cString: strerror(errno))).")
        }
        done += written
      }
    }
  }

  private static func unreadable(_ code: Int32) -> Failure {
    Failure(.unreadable, "The file can't be read: \(String(cString: strerror(code))).")
  }
}
