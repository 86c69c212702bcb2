internal import DocumentBytes
internal import Glibc

/// A dictionary in a PDF's bytes (ISO 32000-1 §7.3.7), read as text: its references are not followed.
struct DictionaryText {
  private let bytes: UnsafeRawBufferPointer

  /// Maximum number of bytes to search on either side.
  private static let longest = 4_096

  /// The innermost dictionary around `place`; nil if there is none nearby.
  ///
  /// Brackets in strings may end it too early.
  init?(around place: Int, in file: UnsafeRawBufferPointer) {
    let first = max(0, place - DictionaryText.longest)
    let near = file.piece(first..<min(file.count, place + DictionaryText.longest))
    guard let start = DictionaryText.start(of: place - first, in: near),
      let end = DictionaryText.end(from: start, in: near), end >= place - first
    else { return nil }
    bytes = near.piece(start..<end)
  }

  /// The first byte behind the `<<` of the dictionary around `place`.
  private static func start(of place: Int, in near: UnsafeRawBufferPointer) -> Int? {
    var (depth, at) = (0, place - 1)
    while at > 0 {
      if near.isPair(">", at: at - 1) {
        depth += 1
        at -= 2
      } else if near.isPair("<", at: at - 1) {
        if depth == 0 { return at + 1 }
        depth -= 1
        at -= 2
      } else {
        at -= 1
      }
    }
    return nil
  }

  /// The first byte of the `>>` that ends the dictionary whose members begin at `start`.
  private static func end(from start: Int, in near: UnsafeRawBufferPointer) -> Int? {
    var (depth, at) = (0, start)
    while at < near.count {
      if near.isPair("<", at: at) {
        depth += 1
        at += 2
      } else if near.isPair(">", at: at) {
        if depth == 0 { return at }
        depth -= 1
        at += 2
      } else {
        at += near.lengthOfString(at: at) ?? 1
      }
    }
    return nil
  }

  /// The bytes behind a member's name; nil if the dictionary doesn't have it.
  func value(of name: String) -> UnsafeRawBufferPointer? {
    var (depth, at) = (0, 0)
    while at < bytes.count {
      if bytes.isPair("<", at: at) || bytes.isPair(">", at: at) {
        depth += bytes[at] == UInt8(ascii: "<") ? 1 : -1
        at += 2
      } else if depth == 0, bytes[at] == UInt8(ascii: "/"), bytes.hasName(name, at: at + 1) {
        return bytes.dropping(at + 1 + name.utf8.count)
      } else {
        at += bytes.lengthOfString(at: at) ?? 1
      }
    }
    return nil
  }

  /// A member that is a whole number; nil if it is missing or a reference.
  func number(_ name: String) -> Int? {
    guard let value = value(of: name) else { return nil }
    let words = value.prefix(32).split { $0 <= 32 }
    guard let word = words.first.map({ $0.prefix { (48...57).contains($0) } }) else { return nil }
    // `4 0 R`.
    let isReference =
      words.count > 1 && words[0].count == word.count && (48...57).contains(words[1].first ?? 0)
    return isReference ? nil : Int(String(decoding: word, as: UTF8.self))
  }

  /// A member that is a dictionary; nil if it is missing or a reference.
  func dictionary(_ name: String) -> DictionaryText? {
    guard let value = value(of: name), let first = value.firstIndex(where: { $0 > 32 }),
      value.isPair("<", at: first)
    else { return nil }
    return DictionaryText(around: first + 2, in: value)
  }

  func has(_ name: String) -> Bool { value(of: name) != nil }
}

extension UnsafeRawBufferPointer {
  /// True for two equal brackets, which begin or end a dictionary.
  fileprivate func isPair(_ bracket: Unicode.Scalar, at place: Int) -> Bool {
    place >= 0 && place + 1 < count && self[place] == UInt8(ascii: bracket)
      && self[place + 1] == UInt8(ascii: bracket)
  }

  /// True if exactly this name is at `place`.
  fileprivate func hasName(_ name: String, at place: Int) -> Bool {
    let end = place + name.utf8.count
    return hasPrefix(name, at: place) && (end >= count || !isRegular(self[end]))
  }

  /// The number of bytes of a string in parentheses (§7.3.4.2) that begins at `place`; nil if none does.
  fileprivate func lengthOfString(at place: Int) -> Int? {
    guard self[place] == UInt8(ascii: "(") else { return nil }
    var (depth, at) = (0, place)
    while at < count {
      switch self[at] {
      case UInt8(ascii: "\\"): at += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return at + 1 - place }
      default: break
      }
      at += 1
    }
    return nil
  }
}
