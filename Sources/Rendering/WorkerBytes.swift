internal import Glibc

/// A value that a worker and its parent exchange: the bytes of its members, one after the other.
///
/// Both ends are the same program, so nothing needs a name. JSON took a twelfth of a small page's time: each type's
/// keys are a type of their own, which Swift's runtime looks up among all types.
protocol WorkerValue {
  func write(to bytes: inout [UInt8])
  /// Reads the value from the next bytes.
  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed)
}

extension WorkerValue {
  var workerBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// Reads the value from exactly these bytes.
  init(workerBytes bytes: [UInt8]) throws(WorkerBytesReader.Malformed) {
    var reader = WorkerBytesReader(bytes)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw WorkerBytesReader.Malformed() }
  }
}

/// Reads bytes sequentially that a compromised worker may have forged.
struct WorkerBytesReader {
  private let bytes: [UInt8]
  private var next = 0

  /// The bytes are not the expected value.
  struct Malformed: Error {}

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { next == bytes.count }

  mutating func take() throws(Malformed) -> UInt8 {
    guard next < bytes.count else { throw Malformed() }
    defer { next += 1 }
    return bytes[next]
  }

  mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - next else { throw Malformed() }
    defer { next += count }
    return bytes[next..<next + count]
  }

  /// Reads a number of values that take at least one byte each.
  mutating func takeCount() throws(Malformed) -> Int {
    let count = try Int(from: &self)
    guard count >= 0, count <= bytes.count - next else { throw Malformed() }
    return count
  }
}

extension WorkerBytesReader {
  /// Reads an array of at most `most` elements.
  mutating func takeArray<Element: WorkerValue>(upTo most: Int) throws(Malformed) -> [Element] {
    let count = try takeCount()
    guard count <= most else { throw Malformed() }
    var elements: [Element] = []
    for _ in 0..<count { elements.append(try Element(from: &self)) }
    return elements
  }
}

// MARK: What all values are made of

extension Int: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    Swift.withUnsafeBytes(of: Int64(self).littleEndian) { bytes.append(contentsOf: $0) }
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    let bits = try reader.take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let value = Int(exactly: Int64(bitPattern: bits)) else {
      throw WorkerBytesReader.Malformed()
    }
    self = value
  }
}

extension UInt8: WorkerValue {
  func write(to bytes: inout [UInt8]) { bytes.append(self) }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self = try reader.take()
  }
}

extension Bool: WorkerValue {
  func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    switch try reader.take() {
    case 0: self = false
    case 1: self = true
    default: throw WorkerBytesReader.Malformed()
    }
  }
}

/// Reads finite numbers only; infinity and NaN are malformed.
extension Double: WorkerValue {
  func write(to bytes: inout [UInt8]) { Int(bitPattern: UInt(bitPattern)).write(to: &bytes) }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self.init(bitPattern: UInt64(UInt(bitPattern: try Int(from: &reader))))
    guard isFinite else { throw WorkerBytesReader.Malformed() }
  }
}

extension String: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    utf8.count.write(to: &bytes)
    bytes.append(contentsOf: utf8)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    let count = try reader.takeCount()
    self.init(decoding: try reader.take(count), as: UTF8.self)
  }
}

extension Optional: WorkerValue where Wrapped: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    (self != nil).write(to: &bytes)
    self?.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
  }
}

extension Array: WorkerValue where Element: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    count.write(to: &bytes)
    for element in self { element.write(to: &bytes) }
  }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    self = try reader.takeArray(upTo: .max)
  }
}

extension WorkerValue where Self: RawRepresentable, RawValue: WorkerValue {
  func write(to bytes: inout [UInt8]) { rawValue.write(to: &bytes) }

  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed) {
    guard let value = Self(rawValue: try RawValue(from: &reader)) else {
      throw WorkerBytesReader.Malformed()
    }
    self = value
  }
}
