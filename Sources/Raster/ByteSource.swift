import PrintModel

/// Sequential bytes, pulled in as they are needed.
///
/// Reading past the end returns nothing and is not an error here.
struct ByteSource: ~Copyable {
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var position = 0
  private var end = 0
  private let pull: RasterReader.Pull

  init(_ pull: @escaping RasterReader.Pull) { self.pull = pull }

  /// True when at least one more byte is available.
  mutating func hasMore() throws(Failure) -> Bool {
    if position < end { return true }
    let got = try buffer.withUnsafeMutableBufferPointer { (memory) throws(Failure) in
      try pull(UnsafeMutableRawBufferPointer(memory))
    }
    precondition((0...buffer.count).contains(got), "more bytes than there was memory for")
    position = 0
    end = got
    return got > 0
  }

  /// The next byte; nil at the end.
  mutating func next() throws(Failure) -> UInt8? {
    guard try hasMore() else { return nil }
    position += 1
    return buffer[position - 1]
  }

  /// Overwrites `range` of `target`; false when fewer bytes are left.
  mutating func read(into target: inout [UInt8], _ range: Range<Int>) throws(Failure) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      guard try hasMore() else { return false }
      let count = min(range.upperBound - start, end - position)
      target.replaceSubrange(start..<start + count, with: buffer[position..<position + count])
      start += count
      position += count
    }
    return true
  }

  /// Skips `count` bytes; false when fewer bytes are left.
  mutating func skip(_ count: Int) throws(Failure) -> Bool {
    var left = count
    while left > 0 {
      guard try hasMore() else { return false }
      let step = min(left, end - position)
      left -= step
      position += step
    }
    return true
  }
}
