internal import Documents
package import PrintModel
package import Rendering
package import Threading

/// A document that was opened, looked at, and can be printed: its renderer and what it is.
package final class OpenDocument {
  package let file: InputFile
  package let renderer: Renderer
  package private(set) var info: DocumentInfo
  private var isMeasured = false

  /// Exit 66 or 65 when the file can't be read or printed; no printer is asked for anything.
  package init(
    _ path: String, _ context: Context, interruption: Interruption
  ) throws(Failure) {
    file = try InputFile(path)
    renderer = try Renderer(
      document: file.descriptor, mediaType: file.mediaType, executable: context.executable,
      interruption: interruption)
    info = try renderer.inspect()
  }

  /// Finds where the content of every page ends: what a roll is cut by.
  func measure() throws(Failure) {
    if isMeasured { return }
    info = try renderer.measure()
    isMeasured = true
  }

  /// The job's name where none was given: the file's last component; for standard input the PDF's title,
  /// else `stdin HOST TIME`.
  package func jobName(host: String, time: String) -> String {
    if file.path != "-" { return JobName.clean(Context.lastComponent(file.path)) }
    return JobName.clean(info.title ?? "stdin \(host) \(time)")
  }
}

/// job-name (RFC 8011 §5.3.5): a name of at most 255 bytes.
package enum JobName {
  /// Takes control characters out and cuts at a character that fits; never empty.
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
