package import AirprintContext
internal import ForeignText
package import PrintModel
internal import PrintOptions
internal import Settings

extension PrintArguments {
  /// Exit 64 for a saved printer's name where a file or pages belong, as after `lpr -P`: before anything is
  /// printed on another one.
  package func refusePrintersAmongFiles(_ context: Context) throws(Failure) {
    let book = try context.settings.printers()
    for file in files where !InputFile.exists(file) {
      try refuseWebAddress(file)
      guard let printer = book.printer(named: file) else { continue }
      throw Failure(
        .usage, "\(file): no such file. \(printer.name) is a printer: -d \(quoted(printer)).")
    }
    for (option, value) in typed where option == .pages {
      guard let printer = book.printer(named: value) else { continue }
      throw Failure(
        .usage, "-P \(value): takes pages. \(printer.name) is a printer: -d \(quoted(printer)).")
    }
  }

  /// Refuses a web address with exit 64 and the command that fetches it: nothing is fetched unasked.
  private func refuseWebAddress(_ file: String) throws(Failure) {
    let word = file.lowercased()
    guard ["http://", "https://", "ftp://"].contains(where: word.hasPrefix) else { return }
    let path = word.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { !"?#".contains($0) }
    let name = path.split(separator: "/").last ?? ""
    let isPage = !name.contains(".") || name.hasSuffix(".html") || name.hasSuffix(".htm")
    throw Failure(
      .usage,
      "Web addresses are not fetched. Run: curl -fsSL \(ShellWord.quoted(file)) | airprint print"
        + (isPage ? " --from html" : ""))
  }

  private func quoted(_ printer: SavedPrinter) -> String { ShellWord.quoted(printer.name.safeName) }
}
