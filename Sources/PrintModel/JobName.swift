/// job-name (RFC 8011 §5.3.5): a name of at most 255 bytes.
package enum JobName {
  /// Removes control characters, puts a blank in place of line breaks and tabs, and truncates the name at a character;
  /// never empty.
  package static func clean(_ text: String) -> String {
    var name = ""
    var length = 0
    var isBroken = false
    for character in text {
      if character.isNewline || character == "\t" {
        isBroken = !name.isEmpty
        continue
      }
      if character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        continue
      }
      length += character.utf8.count + (isBroken ? 1 : 0)
      if length > 255 { break }
      if isBroken { name.append(" ") }
      isBroken = false
      name.append(character)
    }
    return name.isEmpty ? "untitled" : name
  }
}
