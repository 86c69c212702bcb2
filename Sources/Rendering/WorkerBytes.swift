internal import Glibc

/// A value that a worker and its parent exchange: its members' bytes, one after the other.
///
/// Both are the same program, so that nothing needs a name. As JSON these took a twelfth of a small page's time: each
/// type's keys are a type of their own, which Swift's run time looks up among all that there are.
protocol WorkerValue {
  func write(to bytes: inout [UInt8])
  /// The value that the next bytes are.
  init(from reader: inout WorkerBytesReader) throws(WorkerBytesReader.Malformed)
}

extension WorkerValue {
  var workerBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The value that all of `bytes` are.
  init(workerBytes bytes: [UInt8]) throws(WorkerBytesReader.Malformed) {
    var reader = WorkerBytesReader(bytes)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw WorkerBytesReader.Malformed() }
  }
}

/// Bytes that a worker may have made up, from the first to the last.
struct WorkerBytesReader {
  private let bytes: [UInt8]
  private var next = 0

  /// They are not what was asked for.
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

  /// A number of values, each of one byte at least.
  mutating func takeCount() throws(Malformed) -> Int {
    let count = try Int(from: &self)
    guard count >= 0, count <= bytes.count - next else { throw Malformed() }
    return count
  }
}

extension WorkerBytesReader {
  /// An array that a worker may not make longer than `most`.
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

/// A number that is one: what is infinite, or none, is malformed.
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
