internal import Glibc
internal import Logging
package import PrintModel
package import System

/// The command line, for `--verbose`.
private let log = Logger(label: "renderer")

/// Runs a renderer, the user's own program, on the regular file behind `data`: it gets the paper in its environment and
/// the data on its standard input, and writes pages to its standard output, a PDF, or PNG pictures one after the other.
///
/// It runs with the user's rights, and only its time is limited. Throws exit 65, with the program's last line, when it
/// fails; 130 or 143 when the user stopped it.
///
/// - `command`: the program, as a path, and its arguments.
/// - `environment`: the complete environment, including the paper.
/// - `timeLimit`: seconds.
/// - `temporary`: folder for the pages, which are in a file without a name.
package func makePages(
  of data: Int32, by command: [String], environment: [String: String], timeLimit: Int,
  temporary: String, cancellation: Cancellation
) throws(Failure) -> ConvertedDocument {
  let name = command[0].split(separator: "/").last.map(String.init) ?? ""
  let work = try WorkFolder(in: temporary)
  let pages = try work.file("pages")
  let made = ConvertedDocument(pages, DocumentFormat.pdf)
  let messages = try work.file("messages")
  defer { close(messages) }
  // The program reads from the current offset, which all copies of the descriptor share.
  lseek(data, 0, SEEK_SET)
  var start = ProgramStart(command, environment: environment)
  start.descriptors = [0: .copy(of: data), 1: .copy(of: pages), 2: .copy(of: messages)]
  let ending = try SupervisedProgram(
    start: start, name: name, timeLimit: .seconds(timeLimit), keepsOthers: true
  ).run(cancellation)
  let lines = ProgramMessages(messages, hiding: [])
  for line in lines.all { log.debug("\(name): \(line)") }
  guard ending == .exit(0) else { throw Failure.of(name, ending, lines.all.last) }
  let type = DocumentFormat.guess((piece(of: pages, most: 1024) ?? [])[...]).type
  guard let type, [DocumentFormat.pdf, DocumentFormat.png].contains(type) else {
    throw .document("\(name) wrote neither a PDF nor PNG pictures.")
  }
  made.mediaType = type
  return made
}
