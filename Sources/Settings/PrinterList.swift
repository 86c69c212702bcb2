internal import FoundationEssentials
package import PrintModel

/// Printers that an administrator distributes in a file: a printers.toml, or an Apple configuration profile.
package struct PrinterList: Sendable {
  /// A printer to save; named after the host when the file contains no name.
  package struct Entry: Sendable {
    package var label: String
    /// nil: the file does not contain enough about it.
    package var printer: SavedPrinter?
    /// The reason there is no printer, if it is known.
    package var problem: Failure?
    /// True if the name comes from the file.
    package var isNamed: Bool
  }

  package var entries: [Entry]
  package var defaultName: String?
  package var byType: [JobType: String]

  /// Reads the file, at most 1 MB.
  ///
  /// An invalid printer becomes an entry without a printer. Throws exit 66 for a file that does not exist, 78 for one
  /// that is not a list of printers or that others may write.
  package init(path: String) throws(Failure) {
    guard let bytes = try TOMLFile.bytes(of: path) else {
      throw Failure(.unreadable, "\(path): No such file.")
    }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    if first == UInt8(ascii: "<") || bytes.first == 0x30 || bytes.starts(with: Array("bplist".utf8))
    {
      do throws(ProfileProblem) {
        entries = PrinterList.entries(of: try AirPrintProfile(bytes))
        byType = [:]
        return
      } catch {
        throw Failure(.configuration, "\(path): it is \(error.words).")
      }
    }
    var wrong: [Entry] = []
    let file = try PrinterStore.File(
      TOMLFile(text: String(decoding: bytes, as: UTF8.self), path: path)
    ) { wrong.append(Entry(label: $0, problem: $1, isNamed: true)) }
    let right = file.printers.map { Entry(label: $0.name, printer: $0, isNamed: true) }
    entries = (right + wrong).sorted { $0.label < $1.label }
    (defaultName, byType) = (file.defaultName, file.byType)
  }

  private static func entries(of profile: AirPrintProfile) -> [Entry] {
    profile.printers.map { printer in
      let saved = printer.uri.map { SavedPrinter(name: name(printer.label), uri: $0) }
      return Entry(label: printer.label, printer: saved, isNamed: false)
    }
  }

  /// The queue's name in `host/printers/queue`, otherwise the host.
  private static func name(_ label: String) -> String {
    let parts = label.split(separator: "/").map(String.init)
    let isQueue = parts.count == 3 && ["printers", "classes"].contains(parts[1])
    return isQueue ? parts[2] : parts.first ?? label
  }
}
