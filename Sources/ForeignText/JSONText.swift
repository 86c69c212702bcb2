/// Escapes the scalars of a JSON document that would affect a terminal, as `\uXXXX` (RFC 8259 §7).
///
/// Parsers read the same document: outside strings there is only ASCII.
///
/// It escapes controls beyond ASCII, direction marks, everything else that is invisible, and marks without a letter.
package func terminalSafeJSON(_ document: String) -> String {
  if document.utf8.allSatisfy({ $0 < 0x7F }) { return document }
  var output = String.UnicodeScalarView()
  var previous: Unicode.Scalar = "\n"
  for scalar in document.unicodeScalars {
    let isLoose = (scalar.isMark || scalar.isSpacingMark) && !previous.bearsMarks
    let isHidden = scalar.value >= 0x7F && scalar.isInvisible(before: nil)
    if isLoose || isHidden {
      for unit in String(scalar).utf16 {
        // The last four of five digits.
        let digits = String(0x1_0000 + UInt32(unit), radix: 16, uppercase: true).dropFirst()
        output.append(contentsOf: "\\u\(digits)".unicodeScalars)
      }
      previous = "\n"
    } else {
      output.append(scalar)
      previous = scalar
    }
  }
  return String(output)
}
