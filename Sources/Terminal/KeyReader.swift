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
      let step = isPasting ? readPasted() : readTyped()
      guard case .took(let count, let key) = step else { break }
      pending.removeFirst(count)
      if let key { keys.append(key) }
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

  private enum Step {
    case incomplete
    case took(Int, KeyPress?)
  }

  private func first(_ count: Int, as key: KeyPress?) -> Step {
    pending.count < count ? .incomplete : .took(count, key)
  }

  private mutating func readTyped() -> Step {
    switch pending[0] {
    case 0x1B: readEscape()
    case 0x03: .took(1, .interrupt)
    case 0x08, 0x7F: .took(1, .backspace)
    case 0x02: .took(1, .action(.controlB))
    case 0x09: .took(1, .action(.tab))
    case 0x14: .took(1, .action(.controlT))
    case 0x0A, 0x0D: .took(1, .enter)
    case 0x0C: .took(1, .redraw)
    case 0x0E: .took(1, .down)
    case 0x10: .took(1, .up)
    case 0x15: .took(1, .clear)
    case 0x17: .took(1, .deleteWord)
    case 0x1A: .took(1, .suspend)
    case ..<0x20: .took(1, nil)
    default: character()
    }
  }

  private mutating func readPasted() -> Step {
    if pending[0] == 0x1B {
      let step = readEscape()
      if case .took = step { return step }
      return .incomplete
    }
    return pending[0] < 0x20 || pending[0] == 0x7F ? .took(1, .text(" ")) : character()
  }

  /// Reads one UTF-8 character; an invalid first byte is skipped.
  private func character() -> Step {
    let count =
      switch pending[0] {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard count > 0 else { return .took(1, nil) }
    let bytes = pending.prefix(count)
    guard bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return .took(1, nil) }
    guard bytes.count == count else { return .incomplete }
    return .took(count, String(validating: bytes, as: UTF8.self).map(KeyPress.text))
  }

  private mutating func readEscape() -> Step {
    guard pending.count > 1 else { return .incomplete }
    switch pending[1] {
    case 0x1B: return .took(1, .escape)
    case UInt8(ascii: "O"):
      return pending.count < 3 ? .incomplete : .took(3, KeyReader.byFinal[pending[2]])
    case UInt8(ascii: "["):
      // F1 to F5 of the Linux console have a second bracket and one more byte.
      if pending.count > 2, pending[2] == UInt8(ascii: "[") { return first(4, as: nil) }
      return sequence()
    default:
      // Alt with a key.
      return .took(2, nil)
    }
  }

  /// Reads ESC [ parameters final (ECMA-48 5.4).
  private mutating func sequence() -> Step {
    guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return .incomplete
    }
    // Not a final byte: another key interrupted the sequence.
    guard (0x40...0x7E).contains(pending[end]) else { return .took(end, nil) }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    let number = Int(parameters.prefix { $0 != ";" })
    guard pending[end] == UInt8(ascii: "~") else {
      return .took(end + 1, KeyReader.byFinal[pending[end]])
    }
    switch number {
    case 200: isPasting = true
    case 201: isPasting = false
    default: break
    }
    return .took(end + 1, number.flatMap { KeyReader.byNumber[$0] })
  }

  private static let byFinal: [UInt8: KeyPress] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "H"): .home,
    UInt8(ascii: "F"): .end,
  ]

  private static let byNumber: [Int: KeyPress] = [
    1: .home, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]
}
