internal import Glibc

/// A value that a worker and its parent exchange: the bytes of its members, one after the other.
///
/// Both ends are the same program, so nothing needs a name. JSON took a twelfth of a small page's time: each type's
/// keys are a type of their own, which Swift's runtime looks up among all types.
protocol WorkerValue {
  func write(to bytes: inout [UInt8])
  /// Reads the value from the next bytes.
  init(from reader: inout WorkerBytesReader) throws(MalformedBytes)
  /// Most elements of an array of them.
  static var most: Int { get }
}

extension WorkerValue {
  static var most: Int { .max }

  var workerBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// Reads the value from exactly these bytes.
  init(workerBytes bytes: [UInt8]) throws(MalformedBytes) {
    var reader = WorkerBytesReader(bytes)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw MalformedBytes() }
  }
}

/// A value of several members, each of them a `WorkerValue`: what is written of it and what it is made of is one list.
protocol WorkerRecord: WorkerValue {
  static var form: WorkerForm<Self> { get }
}

/// The members of a record in their order: how it is taken apart, and how it is put together again.
struct WorkerForm<Whole>: Sendable {
  let write: @Sendable (Whole, _ bytes: inout [UInt8]) -> Void
  let read: @Sendable (inout WorkerBytesReader) throws(MalformedBytes) -> Whole

  init<each Part: WorkerValue & SendableMetatype>(
    _ split: @escaping @Sendable (Whole) -> (repeat each Part),
    _ join: @escaping @Sendable (repeat each Part) throws(MalformedBytes) -> Whole
  ) {
    write = { whole, bytes in
      let parts = split(whole)
      repeat (each parts).write(to: &bytes)
    }
    read = { (reader) throws(MalformedBytes) in
      try join(repeat try (each Part)(from: &reader))
    }
  }
}

extension WorkerRecord {
  func write(to bytes: inout [UInt8]) { Self.form.write(self, &bytes) }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    self = try Self.form.read(&reader)
  }
}

/// Bytes that are not the expected value.
struct MalformedBytes: Error {}

/// Reads bytes sequentially that a compromised worker may have forged.
struct WorkerBytesReader {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { next == bytes.count }

  mutating func take() throws(MalformedBytes) -> UInt8 {
    guard next < bytes.count else { throw MalformedBytes() }
    defer { next += 1 }
    return bytes[next]
  }

  mutating func take(_ count: Int) throws(MalformedBytes) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - next else { throw MalformedBytes() }
    defer { next += count }
    return bytes[next..<next + count]
  }

  /// Reads a number of values that take at least one byte each.
  mutating func takeCount() throws(MalformedBytes) -> Int {
    let count = try Int(from: &self)
    guard count >= 0, count <= bytes.count - next else { throw MalformedBytes() }
    return count
  }
}

// MARK: What all values are made of

extension Int: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    Swift.withUnsafeBytes(of: Int64(self).littleEndian) { bytes.append(contentsOf: $0) }
  }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    let bits = try reader.take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let value = Int(exactly: Int64(bitPattern: bits)) else {
      throw MalformedBytes()
    }
    self = value
  }
}

extension UInt8: WorkerValue {
  func write(to bytes: inout [UInt8]) { bytes.append(self) }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    self = try reader.take()
  }
}

extension Bool: WorkerValue {
  func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    switch try reader.take() {
    case 0: self = false
    case 1: self = true
    default: throw MalformedBytes()
    }
  }
}

/// Reads finite numbers only; infinity and NaN are malformed.
extension Double: WorkerValue {
  func write(to bytes: inout [UInt8]) { Int(bitPattern: UInt(bitPattern)).write(to: &bytes) }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    self.init(bitPattern: UInt64(UInt(bitPattern: try Int(from: &reader))))
    guard isFinite else { throw MalformedBytes() }
  }
}

extension String: WorkerValue {
  /// Warnings, which are kept in memory while the document is printed.
  static let most = 10_000

  func write(to bytes: inout [UInt8]) {
    utf8.count.write(to: &bytes)
    bytes.append(contentsOf: utf8)
  }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    let count = try reader.takeCount()
    self.init(decoding: try reader.take(count), as: UTF8.self)
  }
}

extension Optional: WorkerValue where Wrapped: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    (self != nil).write(to: &bytes)
    self?.write(to: &bytes)
  }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
  }
}

extension Array: WorkerValue where Element: WorkerValue {
  func write(to bytes: inout [UInt8]) {
    count.write(to: &bytes)
    for element in self { element.write(to: &bytes) }
  }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    let count = try reader.takeCount()
    guard count <= Element.most else { throw MalformedBytes() }
    self = []
    for _ in 0..<count { append(try Element(from: &reader)) }
  }
}

extension WorkerValue where Self: RawRepresentable, RawValue: WorkerValue {
  func write(to bytes: inout [UInt8]) { rawValue.write(to: &bytes) }

  init(from reader: inout WorkerBytesReader) throws(MalformedBytes) {
    guard let value = Self(rawValue: try RawValue(from: &reader)) else {
      throw MalformedBytes()
    }
    self = value
  }
}
