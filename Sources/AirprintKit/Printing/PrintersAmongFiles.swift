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

  private func quoted(_ printer: SavedPrinter) -> String { ShellWord.quoted(printer.name.safeName) }
}
