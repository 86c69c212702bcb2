/// Puts words that are written from right to left between U+2068 (FSI) and U+2069 (PDI), so that they turn nothing
/// around but themselves (UAX #9): a name in Hebrew must not carry the number behind it to its other side.
///
/// For a terminal or a desktop; data that a program reads stays as it is.
///
/// - `text`: clean already, so that every direction mark in the result is one of these.
package func isolated(_ text: String) -> String {
  // U+0590, the first of them, begins with this byte in UTF-8.
  guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return text }
  var output = String.UnicodeScalarView()
  /// Scalars after the last letter of a run, which may or may not go on.
  var pending = String.UnicodeScalarView()
  var isOpen = false
  func close() {
    if isOpen { output.append("\u{2069}") }
    output.append(contentsOf: pending)
    pending.removeAll()
    isOpen = false
  }
  for scalar in text.unicodeScalars {
    if scalar.isRightToLeft {
      if !isOpen { output.append("\u{2068}") }
      output.append(contentsOf: pending)
      pending.removeAll()
      isOpen = true
      output.append(scalar)
    } else if isOpen, scalar.isMark, pending.isEmpty {
      output.append(scalar)
    } else if isOpen, !scalar.isLetter, scalar.value >= 0x20 {
      pending.append(scalar)
    } else {
      close()
      output.append(scalar)
    }
  }
  close()
  return String(output)
}
