import Glibc

/// A growing buffer that is written through a pointer.
struct OutputBuffer: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Pointer to the end, with room for `room` more bytes.
  ///
  /// Call `advance(to:)` after writing.
  mutating func reserve(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    if count + room > capacity {
      capacity = max(2 * capacity, count + room)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: base, count: count)
      base.deallocate()
      base = larger
    }
    return base + count
  }

  mutating func advance(to end: UnsafeMutablePointer<UInt8>) {
    count = end - base
    assert(count <= capacity)
  }

  mutating func append(_ bytes: [UInt8]) {
    let end = reserve(bytes.count)
    end.update(from: bytes, count: bytes.count)
    advance(to: end + bytes.count)
  }

  /// Appends another copy of the bytes from `start` to the end.
  mutating func repeatTail(from start: Int) {
    let length = count - start
    let end = reserve(length)
    end.update(from: base + start, count: length)
    advance(to: end + length)
  }

  /// Drops the first `length` bytes.
  mutating func removeFirst(_ length: Int) {
    memmove(base, base + length, count - length)
    count -= length
  }
}

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
