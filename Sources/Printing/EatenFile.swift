internal import Glibc
package import PrintModel
internal import PrintOptions

extension PrintArguments {
  /// Exit 65 where standard input is to be printed and has no data, because an option took the file that was meant:
  /// `print --header note.txt`.
  ///
  /// A terminal, which has no data either, is exit 64.
  package func refuseEatenFile() throws(Failure) {
    guard files == ["-"], isTerminalOrEmpty(0), let eaten else { return }
    throw Failure(
      isatty(0) == 1 ? .usage : .document,
      "Nothing to print: \(eaten.file) was taken as the value of \(eaten.option). Name the file to print, too."
    )
  }

  /// The last option whose whole value is the name of a file.
  private var eaten: (option: String, file: String)? {
    let options = typed.map { ("--\($0.option.rawValue)", $0.value) }
    let titles = title.map { [("--title", $0)] } ?? []
    return (titles + options).last { isRegularFile($0.1) }
  }
}

private func isRegularFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// True for a terminal, `/dev/null`, a file at its end, and a pipe that was closed.
private func isTerminalOrEmpty(_ descriptor: Int32) -> Bool {
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { return false }
  switch status.st_mode & S_IFMT {
  case S_IFCHR: return true
  case S_IFREG: return lseek(descriptor, 0, SEEK_CUR) >= status.st_size
  case S_IFIFO:
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) == 1 && input.revents & Int16(POLLIN) == 0
  default: return false
  }
}
