internal import Documents
package import PrintModel
package import Rendering
package import Threading

/// A document that was opened, looked at, and can be printed: its renderer and what it is.
package final class OpenDocument {
  package let file: InputFile
  package let renderer: Renderer
  package private(set) var info: DocumentInfo
  private let pictures: ReceiptPictures
  private var isMeasured = false
  /// Pages were drawn, perhaps not to the end.
  var isUsed = false

  /// Exit 66 or 65 when the file can't be read or printed; no printer is asked for anything.
  ///
  /// - Parameter password: opens a document that is protected.
  package init(
    _ path: String, password: String? = nil, _ context: Context, interruption: Interruption
  ) throws(Failure) {
    file = try InputFile(path)
    pictures = try ReceiptPictures(of: file)
    var opening = Opening(mediaType: file.mediaType)
    opening.password = password
    opening.attachments = pictures.attachments
    renderer = try Renderer(
      document: file.descriptor, opening, attachments: pictures.descriptors,
      executable: context.executable, interruption: interruption)
    info = try renderer.inspect()
    info.warnings += pictures.warnings
  }

  /// Looks at the document once more with its ticket's eyes, where that can change the ticket: a roll is
  /// cut by the content, and text has the pages that its paper gives it. True when something new is
  /// known.
  func refine(for ticket: Ticket) throws(Failure) -> Bool {
    if info.reflows {
      info = try renderer.layOut(for: ticket)
      info.warnings += pictures.warnings
      return true
    }
    guard ticket.paper.isRoll, !isMeasured else { return false }
    info = try renderer.measure()
    isMeasured = true
    return true
  }

  /// The job's name where none was given: the file's last component; for standard input the PDF's title,
  /// else `stdin HOST TIME`.
  package func jobName(host: String, time: String) -> String {
    if file.path != "-" { return JobName.clean(Context.lastComponent(file.path)) }
    return JobName.clean(info.title ?? "stdin \(host) \(time)")
  }
}
