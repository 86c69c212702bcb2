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
