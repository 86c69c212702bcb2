/// Checks a message's bytes before ippReadIO parses them.
///
/// ippReadIO calls itself for every collection in a collection (libcups 2.4, cups/ipp.c): a hundred thousand of them,
/// in 1 MB, overflow the stack.
///
/// It follows the tags and lengths of RFC 8010 §3.1 and understands nothing else. Where libcups deviates from the RFC,
/// a sender could hide the rest of a message, so such messages are refused: extended tags, whose four octets libcups
/// 2.4 reads as a name, and an end of attributes within a collection, after which it continues.
///
/// libcups inserts names and strings into a sorted array (cups/string.c), one by one: 380,000 different ones, in 5 MB,
/// take 16 s. So these are counted, too.
struct MessageGuard {
  /// Deepest nesting; collections in the registry nest two deep.
  private static let deepest = 32
  /// Most values, including those in collections: the 4,000 media of the largest database are 100,000.
  private static let most = 400_000
  /// Most different names and strings: a database of 4,000 media has 5,000, a list of 1,000 jobs 4,000.
  private static let mostStrings = 30_000

  private enum MessagePart { case head, tag, nameLength, name, valueLength, value, document }

  private var field = MessagePart.head
  /// Bytes of the field that are still missing, and the value of those before them.
  private var left = 8
  private var number = 0
  private var depth = 0
  private var values = 0
  private var hasText = false
  private var hasher = Hasher()
  private var strings: Set<Int> = []

  /// Returns false if the message nests deeper, or has more values, than any printer's, or is ambiguous.
  mutating func allows(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = bytes[...]
    while let byte = rest.first {
      switch field {
      case .head, .name, .value:
        let step = min(left, rest.count)
        if field == .name || field == .value && hasText { add(rest.prefix(step)) }
        rest = rest.dropFirst(step)
        left -= step
        if left == 0 {
          guard count() else { return false }
          skip(to: field == .name ? .valueLength : .tag)
        }
      case .nameLength, .valueLength:
        rest = rest.dropFirst()
        number = number << 8 | Int(byte)
        left -= 1
        if left == 0 { skip(to: field == .nameLength ? .name : .value) }
      case .tag:
        rest = rest.dropFirst()
        guard take(tag: byte) else { return false }
      case .document: return true
      }
    }
    return true
  }

  private mutating func add(_ bytes: some Collection<UInt8>) {
    let isHashed: Void? = bytes.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil { for byte in bytes { hasher.combine(byte) } }
  }

  /// Counts the name or string that is now complete; false if it is one too many.
  private mutating func count() -> Bool {
    guard field == .name || field == .value && hasText else { return true }
    strings.insert(hasher.finalize())
    hasher = Hasher()
    return strings.count <= Self.mostStrings
  }

  private mutating func take(tag: UInt8) -> Bool {
    switch tag {
    case 0x03:
      guard depth == 0 else { return false }
      field = .document
    case 0..<0x10: break
    case 0x7F: return false
    default:
      if tag == 0x34 { depth += 1 }
      if tag == 0x37 { depth = max(0, depth - 1) }
      values += 1
      // Strings with and without a language, and names of members (RFC 8010 §3.5.2).
      hasText = tag == 0x35 || tag == 0x36 || (0x40..<0x50).contains(tag)
      skip(to: .nameLength)
    }
    return depth <= Self.deepest && values <= Self.most
  }

  /// Moves to the next field, and skips it if it is empty.
  private mutating func skip(to next: MessagePart) {
    field = next
    switch next {
    case .nameLength, .valueLength:
      left = 2
      number = 0
    case .name:
      left = number
      if left == 0 { skip(to: .valueLength) }
    case .value:
      left = number
      if left == 0 { field = .tag }
    case .head, .tag, .document: break
    }
  }
}
