import Glibc

/// The units of one line before coding, followed by padding, so that 65 units can be read at each of them.
struct LineBuffer: ~Copyable {
  /// Bytes that may be read and written beyond the line's end.
  static let padding = 65 * 8

  let base: UnsafeMutableRawPointer

  init(byteCount: Int) {
    base = .allocate(byteCount: byteCount + Self.padding, alignment: 64)
    memset(base, 0, byteCount + Self.padding)
  }

  deinit { base.deallocate() }
}
