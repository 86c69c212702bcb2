internal import CCups
internal import ForeignText
internal import Logging
internal import PrintModel
internal import Synchronization

/// A received IPP message (RFC 8010 §3): its head, and its attributes in their groups.
///
/// libcups refuses a message for a single wrong attribute, and printers' firmware has them: values without a name,
/// members outside a collection (cups#755), values of different kinds in one attribute (cups-filters#22, #486). Here,
/// what can't be read is left out, and all the rest is read.
struct ReceivedMessage {
  /// Attributes after one delimiter tag, such as those of one job.
  struct Group {
    let tag: ipp_tag_t
    fileprivate(set) var attributes: [Attribute] = []
  }

  /// Why bytes are not a message.
  enum Defect: Error {
    /// They end within it.
    case truncated
    /// They don't start like one, or are longer or have more values than any printer's.
    case foreign
  }

  let version: (major: UInt8, minor: UInt8)
  /// The operation of a request, the status of an answer.
  let code: Int
  let id: Int
  private(set) var groups: [Group] = []
  /// Names of attributes that were left out, or of which a value was.
  private(set) var omissions: [String] = []
  /// The group's attributes, and within it the members of each collection that has begun.
  private var levels = [Level()]

  /// Deepest nesting read; collections in the registry nest two deep.
  private static let deepest = 8
  /// Most values, including those in collections: the 4,000 media of the largest database are 100,000.
  private static let mostValues = 400_000
  private static let mostOmissions = 20

  /// Reads a message, and nothing after its end.
  ///
  /// - `takesPart`: true if the attributes before one that the bytes end within are enough.
  /// - `isComplete`: true if nothing was to follow where the bytes end: then only the tag of the end is missing there.
  init(
    from reader: inout ByteReader, takesPart: Bool = false, _ isComplete: () -> Bool = { false }
  ) throws(Defect) {
    let head = Array(try reader.take(8))
    // Text is no message.
    guard head[0] < 0x20 else { throw .foreign }
    version = (head[0], head[1])
    code = Int(head[2]) << 8 | Int(head[3])
    id = Int(ReceivedMessage.number(head[4...]))
    var (count, isWithin) = (0, false)
    do throws(Defect) {
      while true {
        let tag = ipp_tag_t(rawValue: .init(try reader.take(1).first ?? 0))
        if tag.rawValue < 0x10 { endGroup() }
        if tag == IPP_TAG_END { return }
        isWithin = tag.rawValue >= 0x10
        if !isWithin { groups.append(Group(tag: tag)) }
        guard isWithin else { continue }
        count += 1
        guard count <= ReceivedMessage.mostValues else { throw .foreign }
        let name = try reader.takeField()
        add(tag, name, try reader.takeField())
        isWithin = false
      }
    } catch {
      guard error == .truncated, takesPart || !isWithin, isComplete() else { throw error }
      endGroup()
      if isWithin { omit("what follows") }
    }
  }

  /// Returns the groups with this tag that have attributes.
  func sets(_ tag: ipp_tag_t) -> [AttributeSet] {
    groups.filter { $0.tag == tag && !$0.attributes.isEmpty }.map { AttributeSet($0.attributes) }
  }

  /// Returns the attributes of all groups with this tag.
  func set(_ tag: ipp_tag_t) -> AttributeSet { AttributeSet(sets(tag).flatMap(\.all)) }

  private mutating func add(
    _ tag: ipp_tag_t, _ name: ArraySlice<UInt8>, _ bytes: ArraySlice<UInt8>
  ) {
    let isInCollection = levels.count > 1
    let innermost = levels.count - 1
    if tag == IPP_TAG_MEMBERNAME {
      levels[innermost].begin(isInCollection ? ReceivedMessage.text(bytes) : nil)
      if !isInCollection { omit(ReceivedMessage.text(bytes)) }
      return
    }
    if !name.isEmpty { levels[innermost].begin(ReceivedMessage.text(name), isMember: false) }
    switch tag {
    case IPP_TAG_BEGIN_COLLECTION: levels.append(Level())
    case IPP_TAG_END_COLLECTION where isInCollection: endCollection()
    default: add(tag == IPP_TAG_END_COLLECTION ? nil : ReceivedMessage.value(tag, bytes))
    }
  }

  /// Adds a value to the attribute that was named last; nil for one that can't be read.
  private mutating func add(_ value: Attribute.Value?) {
    let innermost = levels.count - 1
    guard let value, levels[innermost].current != nil else {
      return omit(levels.lazy.compactMap(\.current?.name).first ?? "a value without a name")
    }
    levels[innermost].current?.values.append(value)
  }

  private mutating func endCollection() {
    let isReadable = levels.count <= ReceivedMessage.deepest + 1
    let members = levels.removeLast().ended
    add(isReadable ? .collection(members) : nil)
  }

  /// Ends the group; a collection that is still open has no end, and is left out: what has a name of its own came after
  /// it.
  private mutating func endGroup() {
    let others = levels.dropFirst().flatMap { $0.ended.dropFirst($0.other ?? .max) }
    if levels.count > 1 {
      levels.removeSubrange(1...)
      add(nil)
    }
    let attributes = levels[0].ended + others
    levels = [Level()]
    guard !groups.isEmpty else { return attributes.forEach { omit($0.name) } }
    groups[groups.count - 1].attributes = attributes
  }

  private mutating func omit(_ name: String) {
    guard omissions.count < ReceivedMessage.mostOmissions, !omissions.contains(name) else { return }
    omissions.append(name)
  }
}

/// Attributes of a group or of a collection while they are read.
private struct Level {
  private var attributes: [Attribute] = []
  /// The attribute to which values without a name belong; nil if none has begun, or if its name can't be read.
  var current: Attribute?
  /// Index of the first one that is no member.
  var other: Int?

  mutating func begin(_ name: String?, isMember: Bool = true) {
    if let current, !current.values.isEmpty { attributes.append(current) }
    current = name.map { Attribute($0, []) }
    if !isMember, other == nil { other = attributes.count }
  }

  var ended: [Attribute] {
    var level = self
    level.begin(nil)
    return level.attributes
  }
}

// MARK: - Values

extension ReceivedMessage {
  /// Reads a value (RFC 8010 §3.9); nil if its length is not that of its kind, or if it means nothing.
  ///
  /// A value of an unknown kind says nothing, like `unknown`.
  private static func value(_ tag: ipp_tag_t, _ bytes: ArraySlice<UInt8>) -> Attribute.Value? {
    if let length = length(of: tag), length != bytes.count { return nil }
    switch tag {
    case IPP_TAG_INTEGER: return .integer(Int(number(bytes)))
    case IPP_TAG_ENUM: return .enumeration(Int(number(bytes)))
    case IPP_TAG_BOOLEAN: return .boolean(bytes.first != 0)
    case IPP_TAG_RANGE:
      let (lower, upper) = (number(bytes.prefix(4)), number(bytes.suffix(4)))
      return lower <= upper ? .range(Int(lower)...Int(upper)) : nil
    case IPP_TAG_RESOLUTION: return resolution(bytes)
    case IPP_TAG_STRING: return .octets(Array(bytes))
    case IPP_TAG_DATE: return .dateTime(Array(bytes))
    case IPP_TAG_NAMELANG, IPP_TAG_TEXTLANG:
      return unlocalized(bytes).map { .string(tag == IPP_TAG_NAMELANG ? .name : .text, $0) }
    default:
      return Attribute.StringSyntax.byTag[tag.rawValue].map { .string($0, text(bytes)) }
        ?? (tag == IPP_TAG_NOVALUE ? Attribute.Value.none : .unknown)
    }
  }

  /// The length of every value of a kind; nil if it varies.
  private static func length(of tag: ipp_tag_t) -> Int? {
    switch tag {
    case IPP_TAG_INTEGER, IPP_TAG_ENUM: 4
    case IPP_TAG_BOOLEAN: 1
    case IPP_TAG_RANGE: 8
    case IPP_TAG_RESOLUTION: 9
    case IPP_TAG_DATE: 11
    default: nil
    }
  }

  fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
    bytes.reduce(0) { $0 << 8 | Int32($1) }
  }

  private static func resolution(_ bytes: ArraySlice<UInt8>) -> Attribute.Value? {
    let (x, y) = (number(bytes.prefix(4)), number(bytes.dropFirst(4).prefix(4)))
    guard x > 0, y > 0 else { return nil }
    // Dots per centimeter: 236 dpcm is 600 dpi.
    func perInch(_ value: Int32) -> Int {
      bytes.last == 4 ? Int((Double(value) * 2.54).rounded()) : Int(value)
    }
    return .resolution(Resolution(x: perInch(x), y: perInch(y)))
  }

  /// The text of one with a language: two fields in one value.
  private static func unlocalized(_ bytes: ArraySlice<UInt8>) -> String? {
    var reader = ByteReader(Array(bytes))
    guard (try? reader.takeField()) != nil else { return nil }
    return (try? reader.takeField()).map(text)
  }

  /// Text on one line; some printers pad it with zeros.
  fileprivate static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).onOneLine
  }
}

// MARK: - Bytes

/// The bytes of a message, from a source that may have to wait for them.
struct ByteReader {
  /// Longest message, 16 MB: that of a printer with 4,000 media in its database has 2.
  private static let longest = 16 << 20

  private var bytes: [UInt8]
  private var position = 0
  private var left = ByteReader.longest
  private let share: LongMessages.Share
  private let readsAhead: Bool
  private let source: (UnsafeMutableRawBufferPointer) -> Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    share = LongMessages.Share(of: .all)
    readsAhead = false
    source = { _ in 0 }
  }

  /// Reads from `source`, which fills a part of the buffer and returns its length, 0 at the end.
  ///
  /// - `readsAhead`: true if nothing follows the message that another reader needs.
  init(
    readsAhead: Bool, sharing messages: LongMessages = .all,
    _ source: @escaping (UnsafeMutableRawBufferPointer) -> Int
  ) {
    bytes = []
    share = LongMessages.Share(of: messages)
    self.readsAhead = readsAhead
    self.source = source
  }

  /// Takes exactly `count` bytes.
  mutating func take(_ count: Int) throws(ReceivedMessage.Defect) -> ArraySlice<UInt8> {
    while bytes.count - position < count {
      let missing = count - (bytes.count - position)
      guard missing <= left else { throw .foreign }
      let most = readsAhead ? max(missing, 16 << 10) : missing
      let more = [UInt8](unsafeUninitializedCapacity: most) { room, count in
        count = max(0, source(UnsafeMutableRawBufferPointer(room)))
      }
      guard !more.isEmpty else { throw .truncated }
      guard share.grants(more.count) else { throw .foreign }
      left -= more.count
      bytes.removeFirst(position)
      position = 0
      bytes += more
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Takes a length of two bytes, and as many bytes.
  mutating func takeField() throws(ReceivedMessage.Defect) -> ArraySlice<UInt8> {
    let length = try take(2)
    return try take(length.reduce(0) { $0 << 8 | Int($1) })
  }
}

/// Memory that long messages of printers that no user named share while they are read: the attributes take up to 25
/// times as much as the bytes, and hundreds of printers may answer at one time.
final class LongMessages: Sendable {
  static let all = LongMessages(32 << 20)
  /// Bytes that every message may have: most printers' answers have less than half as many.
  private static let usual = 128 << 10

  /// Bytes that are left to messages, beyond `usual` in each.
  private let left: Mutex<Int>

  init(_ length: Int) { left = Mutex(length) }

  /// What one message has taken, until it has been read.
  final class Share {
    private let messages: LongMessages
    private var length = 0
    private var taken = 0

    init(of messages: LongMessages) { self.messages = messages }

    deinit { messages.left.withLock { $0 += taken } }

    /// Takes what `count` more bytes of the message need; false if other messages have it.
    func grants(_ count: Int) -> Bool {
      length += count
      let missing = max(0, length - LongMessages.usual) - taken
      let isGranted = messages.left.withLock { left in
        guard missing <= left else { return false }
        left -= missing
        return true
      }
      if isGranted { taken += missing }
      return isGranted
    }
  }
}

extension Response {
  /// Takes an answer's status and groups from a message.
  init(_ message: ReceivedMessage) {
    let operation = message.set(IPP_TAG_OPERATION)
    self.init(
      status: Status(rawValue: message.code),
      message: operation["status-message"]?.values.first?.string,
      printer: message.set(IPP_TAG_PRINTER), jobs: message.sets(IPP_TAG_JOB),
      unsupported: message.set(IPP_TAG_UNSUPPORTED_GROUP))
    printers = message.sets(IPP_TAG_PRINTER)
    // Some printers state it there, although RFC 8011 §4.2.1.2 has a group for it (ippserver 0.2).
    if jobs.isEmpty, operation["job-id"] != nil {
      jobs = [AttributeSet(operation.all.filter { $0.name.hasPrefix("job-") })]
    }
    if !message.omissions.isEmpty {
      log.debug(
        "left out of the answer, in which they are invalid: \(message.omissions.joined(separator: ", "))"
      )
    }
  }

  /// Decodes an answer that was recorded from its first byte as sent; nil for invalid bytes.
  package init?(recorded bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let message = try? ReceivedMessage(from: &reader) else { return nil }
    self.init(message)
  }
}
