/// A key that was pressed.
package enum KeyPress: Sendable, Hashable {
  case up, down, pageUp, pageDown, home, end
  case text(String)
  case backspace, deleteWord, clear
  case enter, escape
  /// Tab, Ctrl-B and Ctrl-T, whose meaning depends on the list's owner (`PickerAction`).
  case action(PickerAction)
  /// Ctrl-C, Ctrl-Z, Ctrl-L.
  case interrupt, suspend, redraw
}

/// Parses the bytes of a terminal in raw mode into keys.
///
/// The Esc key sends the first byte of an arrow key's sequence, so call `silence` when nothing follows while it
/// `waitsForMore`. Pasted data is text, whatever it contains: a line break in it does not choose.
package struct KeyReader: Sendable {
  private var pending: [UInt8] = []
  private var isPasting = false
  /// Longer than any key's sequence.
  private static let longest = 32

  package init() {}

  /// True if bytes, or their absence, within the next 50 ms determine the key.
  package var waitsForMore: Bool { !pending.isEmpty || isPasting }

  package mutating func read(_ bytes: some Sequence<UInt8>) -> [KeyPress] {
    pending += bytes
    var keys: [KeyPress] = []
    while !pending.isEmpty {
      guard let step = readOne() else { break }
      pending.removeFirst(step.count)
      if let key = step.key { keys.append(key) }
    }
    // An unterminated sequence is discarded.
    if pending.count > KeyReader.longest { pending = [] }
    return keys
  }

  /// Reports that nothing came for 50 ms: a lone ESC was the Esc key, and the rest of anything else will not come.
  package mutating func silence() -> [KeyPress] {
    let wasEscape = pending == [0x1B] && !isPasting
    pending = []
    isPasting = false
    return wasEscape ? [.escape] : []
  }

  /// The number of bytes that are read, and their key; nil until more bytes have come.
  private typealias Step = (count: Int, key: KeyPress?)

  private mutating func readOne() -> Step? {
    let byte = pending[0]
    if byte == 0x1B { return readEscape() }
    guard byte < 0x20 || byte == 0x7F else { return character() }
    return (1, isPasting ? .text(" ") : KeyReader.controls[byte])
  }

  /// Reads one UTF-8 character; an invalid first byte is skipped.
  private func character() -> Step? {
    let count =
      switch pending[0] {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard count > 0 else { return (1, nil) }
    let bytes = pending.prefix(count)
    guard bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (1, nil) }
    guard bytes.count == count else { return nil }
    return (count, String(validating: bytes, as: UTF8.self).map(KeyPress.text))
  }

  private mutating func readEscape() -> Step? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case 0x1B: return (1, .escape)
    case UInt8(ascii: "O"):
      return pending.count < 3 ? nil : (3, KeyReader.byFinal[pending[2]])
    case UInt8(ascii: "["):
      // F1 to F5 of the Linux console have a second bracket and one more byte.
      if pending.count > 2, pending[2] == UInt8(ascii: "[") {
        return pending.count < 4 ? nil : (4, nil)
      }
      return sequence()
    default:
      // Alt with a key.
      return (2, nil)
    }
  }

  /// Reads ESC [ parameters final (ECMA-48 5.4).
  private mutating func sequence() -> Step? {
    guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return nil
    }
    // Not a final byte: another key interrupted the sequence.
    guard (0x40...0x7E).contains(pending[end]) else { return (end, nil) }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    let number = Int(parameters.prefix { $0 != ";" })
    guard pending[end] == UInt8(ascii: "~") else {
      return (end + 1, KeyReader.byFinal[pending[end]])
    }
    switch number {
    case 200: isPasting = true
    case 201: isPasting = false
    default: break
    }
    return (end + 1, number.flatMap { KeyReader.byNumber[$0] })
  }

  private static let controls: [UInt8: KeyPress] = [
    0x02: .action(.controlB), 0x03: .interrupt, 0x08: .backspace, 0x09: .action(.tab),
    0x0A: .enter, 0x0C: .redraw, 0x0D: .enter, 0x0E: .down, 0x10: .up, 0x14: .action(.controlT),
    0x15: .clear, 0x17: .deleteWord, 0x1A: .suspend, 0x7F: .backspace,
  ]

  private static let byFinal: [UInt8: KeyPress] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "H"): .home,
    UInt8(ascii: "F"): .end,
  ]

  private static let byNumber: [Int: KeyPress] = [
    1: .home, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]
}
