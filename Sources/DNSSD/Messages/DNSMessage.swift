/// A message of DNS or multicast DNS (RFC 1035 §4.1, RFC 6762 §18), read from untrusted bytes.
package struct DNSMessage: Sendable, Equatable {
  package var id: UInt16 = 0
  /// The field between the ID and the counts.
  package var flags: UInt16 = 0
  package var questions: [DNSQuestion] = []
  package var answers: [DNSRecord] = []
  package var authorities: [DNSRecord] = []
  package var additionals: [DNSRecord] = []

  package var isResponse: Bool { flags & 0x8000 != 0 }
  /// TC: not all records fit.
  package var isTruncated: Bool { flags & 0x0200 != 0 }
  /// 0: no error; 3: there is no such name.
  package var responseCode: Int { Int(flags & 0x000F) }
}

extension DNSMessage {
  /// Largest value of TCP's length field; UDP carries less.
  static let longest = 65_535

  /// Parses a message; nil if it is invalid: truncated, or with an invalid name or one that refers to itself.
  ///
  /// A record of which only the data are invalid is kept as `other`. Bytes after the last record are ignored.
  ///
  /// The work is bounded by the message's length: each record takes 11 octets of it, and a name is never longer than
  /// 255.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= DNSMessage.longest else { return nil }
    var reader = DNSReader(bytes)
    do {
      (id, flags) = (try reader.number(), try reader.number())
      let counts = try (0..<4).map { _ in try reader.number() }
      for _ in 0..<counts[0] {
        questions.append(
          DNSQuestion(
            name: try reader.name(), type: try reader.number(), classField: try reader.number()))
      }
      answers = try reader.records(counts[1])
      authorities = try reader.records(counts[2])
      additionals = try reader.records(counts[3])
    } catch { return nil }
  }
}

/// Parses a message from its beginning to its end.
private struct DNSReader {
  struct Invalid: Error {}

  private let bytes: [UInt8]
  private var position = 0
  /// The end of what may be read: of the message, or of one record's data.
  private var end: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  mutating func number() throws(Invalid) -> UInt16 {
    try octets(2).reduce(0) { $0 << 8 | UInt16($1) }
  }

  mutating func octets(_ count: Int) throws(Invalid) -> ArraySlice<UInt8> {
    guard count <= end - position else { throw Invalid() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads a name that may be compressed (RFC 1035 §4.1.4).
  ///
  /// A pointer must lead to a position before everything read of the name so far, which prevents loops. A name has at
  /// most 127 labels; more pointers than that would only waste time.
  mutating func name() throws(Invalid) -> DomainName {
    var encoded: [UInt8] = []
    var place = position
    var limit = end
    var earliest = position
    var isElsewhere = false
    var pointers = 0
    while place < limit {
      let octet = Int(bytes[place])
      switch octet >> 6 {
      case 0b11:
        guard place + 1 < limit else { throw Invalid() }
        let target = (octet & 0x3F) << 8 | Int(bytes[place + 1])
        pointers += 1
        guard target < earliest, pointers <= 128 else { throw Invalid() }
        if !isElsewhere { position = place + 2 }
        (isElsewhere, limit) = (true, bytes.count)
        (place, earliest) = (target, target)
      case 0 where octet == 0:
        if !isElsewhere { position = place + 1 }
        return DomainName(checked: encoded)
      case 0:
        guard place + octet < limit, encoded.count + octet + 1 < DomainName.longestName else {
          throw Invalid()
        }
        encoded += bytes[place...place + octet]
        place += octet + 1
      default: throw Invalid()  // RFC 6891 §5 has retired the other kinds.
      }
    }
    throw Invalid()
  }

  mutating func records(_ count: UInt16) throws(Invalid) -> [DNSRecord] {
    var records: [DNSRecord] = []
    for _ in 0..<count {
      var name = try name()
      let (type, classField) = (try number(), try number())
      let timeToLive = try octets(4).reduce(0) { $0 << 8 | UInt32($1) }
      let length = Int(try number())
      guard length <= end - position else { throw Invalid() }
      // A long answer has thousands of records with one name.
      if let last = records.last, last.name.isWritten(as: name) { name = last.name }
      records.append(
        DNSRecord(
          name, type, classField: classField, timeToLive: timeToLive,
          data: data(of: type, length: length)))
    }
    return records
  }

  /// Reads the next `length` octets, which exist, as the data of a record of this type.
  private mutating func data(of type: UInt16, length: Int) -> DNSRecord.Content {
    let (start, message) = (position, end)
    end = start + length
    let known = try? content(of: type, length: length)
    let isWhole = position == end
    position = end
    end = message
    if let known, isWhole { return known }
    return .other(Array(bytes[start..<start + length]))
  }

  private mutating func content(
    of type: UInt16, length: Int
  ) throws(Invalid) -> DNSRecord.Content? {
    switch type {
    case DNSType.pointer: return .pointer(try name())
    case DNSType.alias: return .alias(try name())
    case DNSType.service:
      return .service(
        priority: try number(), weight: try number(), port: try number(), target: try name())
    case DNSType.text:
      var strings: [[UInt8]] = []
      while position < end {
        let size = try octets(1)
        strings.append(Array(try octets(Int(size.first ?? 0))))
      }
      return .text(strings)
    case DNSType.a where length == 4, DNSType.aaaa where length == 16:
      return .address(Array(try octets(length)))
    default: return nil
    }
  }
}
