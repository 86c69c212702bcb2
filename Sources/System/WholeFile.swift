internal import Glibc

/// The bytes of a file, up to `most`; none if it can't be read.
///
/// Also of a file that the kernel writes as it is read (/proc, /sys): of those, FoundationEssentials (6.3) returns only
/// what the first read(2) gives, one page at most.
package func wholeFile(_ path: String, most: Int = 16 << 20) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 64 << 10)
  while bytes.count < most {
    let count = read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    bytes += piece[..<min(count, most - bytes.count)]
  }
  return bytes
}

/// Returns the absolute path without symbolic links; nil if nothing exists there.
package func absolutePath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// Reads a stream to its end, and returns its first 4 kB as text; nil if that takes longer than until `deadline`.
package func shortText(
  from descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
) -> String? {
  var text: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1024)
  while true {
    if let deadline {
      guard ContinuousClock.now < deadline else { return nil }
      guard waitForInput(on: [descriptor], milliseconds: 200) == [true] else { continue }
    }
    let count = read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return String(decoding: text, as: UTF8.self) }
    if text.count < 4096 { text += piece[..<count] }
  }
}
