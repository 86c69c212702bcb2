package import AirprintContext
internal import ForeignText
internal import Glibc
package import PrintModel
internal import PrintOptions
internal import System

extension PrintArguments {
  /// Throws exit 64 if a saved printer's name is given in place of a file or pages, as with `lpr -P`: before anything
  /// is printed on another printer.
  ///
  /// - `command`: the command that can read a document from standard input, for the hint at a web address; nil: none.
  package func refusePrintersAmongFiles(
    _ context: Context, for command: String? = "print"
  ) throws(Failure) {
    let store = try context.settings.printers()
    for file in files where !InputFile.exists(file) {
      // Most often an unset variable in a script.
      if file.isEmpty { throw Failure(.unreadable, "The file's name is empty.") }
      if file.hasPrefix("file:///") {
        let path = percentDecoded(file.dropFirst(7))
        throw Failure(.usage, "\(file): name the file by its path: \(ShellWord.quoted(path)).")
      }
      try refuseWebAddress(file, for: command)
      // `-d Office Laser`: the shell divides a name without quotes.
      let start = printers.last.map { "\($0) \(file)".lowercased() }
      if let start,
        let whole = store.printers.first(where: { $0.name.lowercased().hasPrefix(start) })
      {
        throw Failure(
          .usage, "\(file): No such file. Quote the printer's name: -d \(quoted(whole)).")
      }
      guard let printer = store.printer(named: file) else { continue }
      throw Failure(
        .usage, "\(file): No such file. \(printer.name) is a printer: -d \(quoted(printer)).")
    }
    for (option, value) in typed where option == .pages {
      guard let printer = store.printer(named: value) else { continue }
      throw Failure(
        .usage, "-P \(value): takes pages. \(printer.name) is a printer: -d \(quoted(printer)).")
    }
  }

  /// Refuses a web address with exit 64 and the command that fetches it, piped into `command` if there is one: nothing
  /// is fetched without a request.
  private func refuseWebAddress(_ file: String, for command: String?) throws(Failure) {
    let word = file.lowercased()
    guard ["http://", "https://", "ftp://"].contains(where: word.hasPrefix) else { return }
    let fetched = ShellWord.quoted(file)
    guard let command else {
      throw download(file, by: "curl -fsSLO \(fetched)")
    }
    let path = word.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { !"?#".contains($0) }
    let name = path.split(separator: "/").last ?? ""
    let isPage = !name.contains(".") || name.hasSuffix(".html") || name.hasSuffix(".htm")
    // With its style sheets and pictures.
    let line =
      isPage
      ? "wget -qEkp -nd -P page \(fetched); airprint \(command) page/*.html"
      : "curl -fsSL \(fetched) | airprint \(command)"
    throw download(file, by: line)
  }

  private func download(_ file: String, by line: String) -> Failure {
    Failure(.usage, "\(file): airprint does not download files. Try: \(line)")
  }

  private func quoted(_ printer: SavedPrinter) -> String { ShellWord.quoted(printer.name.safeName) }
}

extension PrintArguments {
  /// Exit 65 where standard input is to be printed and has no data, because an option took the file that was meant:
  /// `print --header note.txt`.
  ///
  /// A terminal, which has no data either, is exit 64.
  package func refuseEatenFile() throws(Failure) {
    guard files == ["-"], hasData(0, milliseconds: 0) == false, let eaten else { return }
    throw Failure(
      isatty(0) == 1 ? .usage : .document,
      "Nothing to print: \(eaten.file) was taken as the value of \(eaten.option). Name the file to print, too."
    )
  }

  /// The last option whose whole value is the name of a file.
  private var eaten: (option: String, file: String)? {
    let options = typed.map { ("--\($0.option.rawValue)", $0.value) }
    let titles = title.map { [("--title", $0)] } ?? []
    return (titles + options).last { FileStatus($0.1)?.kind == S_IFREG }
  }
}
