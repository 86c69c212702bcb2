internal import Glibc
internal import Logging
package import PrintModel
package import System

/// The command line, for `--verbose`.
private let log = Logger(label: "renderer")

/// A renderer: the user's own program, which gets the paper in its environment and the data on its standard input, and
/// writes pages to its standard output.
///
/// It runs with the user's rights, and only its time is limited.
package struct PageProgram {
  /// The program, as a path, and its arguments.
  package var command: [String]
  /// The complete environment, including the paper.
  package var environment: [String: String]
  /// Seconds.
  package var timeLimit: Int
  /// Folder for the pages, which are in a file without a name.
  package var temporary: String

  package init(
    command: [String], environment: [String: String], timeLimit: Int, temporary: String
  ) {
    self.command = command
    self.environment = environment
    self.timeLimit = timeLimit
    self.temporary = temporary
  }

  /// Runs the program on the regular file behind `data`.
  ///
  /// Its pages are a PDF, or PNG pictures one after the other. Throws exit 65, with the program's last line, when it
  /// fails; 130 or 143 when the user stopped it.
  package func run(on data: Int32, cancellation: Cancellation) throws(Failure) -> ConvertedDocument
  {
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
    guard let type = mediaType(of: pages) else {
      throw Failure(.document, "\(name) wrote neither a PDF nor PNG pictures.")
    }
    made.mediaType = type
    return made
  }

  private var name: String { command[0].split(separator: "/").last.map(String.init) ?? "" }

  private func mediaType(of pages: Int32) -> String? {
    var head = [UInt8](repeating: 0, count: 1024)
    let count = head.withUnsafeMutableBytes { pread(pages, $0.baseAddress, $0.count, 0) }
    let type = DocumentFormat.guess(head.prefix(max(0, count))).type
    return type == DocumentFormat.pdf || type == DocumentFormat.png ? type : nil
  }
}
