/// TerminalStyle of a piece of text: ECMA-48's SGR numbers, as every terminal of today knows them.
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
  /// This in `styles`, ended so that nothing after it is touched; as it is when `allowed` is false
  /// (`Screen.hasColours`).
  package func styled(_ styles: [TerminalStyle], if allowed: Bool) -> String {
    guard allowed, !styles.isEmpty, !isEmpty else { return self }
    let numbers = styles.map { "\($0.rawValue)" }.joined(separator: ";")
    return "\u{1B}[\(numbers)m\(self)\u{1B}[0m"
  }
}
