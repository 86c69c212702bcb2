/// Style of a piece of text, as ECMA-48's SGR number, which all current terminals support.
package enum TerminalStyle: Int, Sendable, Hashable {
  case bold = 1
  case dim = 2
  case inverse = 7
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36
}

extension String {
  /// Returns the text in `styles`, with a reset at its end; unchanged if `allowed` is false (`Screen.hasColors`).
  package func styled(_ styles: [TerminalStyle], if allowed: Bool) -> String {
    guard allowed, !styles.isEmpty, !isEmpty else { return self }
    let numbers = styles.map { "\($0.rawValue)" }.joined(separator: ";")
    return "\u{1B}[\(numbers)m\(self)\u{1B}[0m"
  }
}
