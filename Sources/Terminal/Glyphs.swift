/// The characters for drawing lines.
package struct Glyphs: Sendable, Equatable {
  package var pointer: Character
  package var spinner: [Character]
  package var barDone: Character
  package var barLeft: Character

  package static let unicode = Glyphs(
    pointer: "❯", spinner: Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), barDone: "━", barLeft: "─")

  /// For the Linux console, whose fonts have at most 512 characters, and for a locale without UTF-8.
  package static let ascii = Glyphs(
    pointer: ">", spinner: Array("|/-\\"), barDone: "=", barLeft: "-")

  /// Returns a text with these characters in place of airprint's own signs, at the same width.
  package func replacing(in text: String) -> String {
    guard self == .ascii, text.unicodeScalars.contains(where: { $0.value > 0x7F }) else {
      return text
    }
    return String(text.replacing(" … ", with: " - ").map { Glyphs.plain[$0] ?? $0 })
  }

  /// Returns a text that may grow with its ellipses as three dots.
  func spelling(_ text: String) -> String {
    self == .ascii ? text.replacing("…", with: "...") : text
  }

  private static let plain: [Character: Character] = ["…": ".", "·": "-", "✓": "*"]
}

extension Glyphs {
  /// The characters for a terminal of this type, in the locale of these variables (locale(7)); one that is not stated
  /// has UTF-8.
  init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }?.lowercased()
    let isUTF8 = locale.map { $0.contains("utf-8") || $0.contains("utf8") } ?? true
    self = isUTF8 && environment["TERM"] != "linux" ? .unicode : .ascii
  }
}
