/// job-name (RFC 8011 §5.3.5): a name of at most 255 bytes.
package enum JobName {
  /// Removes control characters and truncates the name at a character; never empty.
  package static func clean(_ text: String) -> String {
    var name = ""
    var length = 0
    for character in text {
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control || $0.properties.generalCategory == .lineSeparator
          || $0.properties.generalCategory == .paragraphSeparator
      }
      if isControl { continue }
      length += character.utf8.count
      if length > 255 { break }
      name.append(character)
    }
    return name.isEmpty ? "untitled" : name
  }
}
