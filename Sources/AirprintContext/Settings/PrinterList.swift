internal import ForeignText
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
    guard let contents = try TOMLFile.bytes(of: path) else {
      throw Failure(.unreadable, "\(path): No such file.")
    }
    let bytes = contents.inUTF8
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "<") || AirPrintProfile.isSigned(bytes)
      || bytes.starts(with: Array("bplist".utf8))
    {
      do throws(ProfileProblem) {
        entries = PrinterList.entries(of: try AirPrintProfile(bytes))
        byType = [:]
        return
      } catch {
        throw Failure(.configuration, "\(path): it is \(error.words).")
      }
    }
    do throws(Failure) {
      self = try PrinterList(TOMLFile(text: String(decoding: bytes, as: UTF8.self), path: path))
    } catch {
      throw Failure(error.reason, error.message.onOneLine)
    }
  }

  /// Line breaks in names are removed: they would be line breaks in messages.
  private init(_ list: TOMLFile) throws(Failure) {
    var wrong: [Entry] = []
    let file = try PrinterStore.File(list) { name, problem in
      let problem = Failure(problem.reason, problem.message.onOneLine)
      wrong.append(Entry(label: name.onOneLine, problem: problem, isNamed: true))
    }
    let right = file.printers.map { printer in
      var printer = printer
      printer.name = printer.name.onOneLine
      return Entry(label: printer.name, printer: printer, isNamed: true)
    }
    entries = (right + wrong).sorted { $0.label < $1.label }
    defaultName = file.defaultName?.onOneLine
    byType = file.byType.mapValues(\.onOneLine)
  }

  /// The printers of a profile, each once: several payloads of one profile may list the same.
  private static func entries(of profile: AirPrintProfile) -> [Entry] {
    var seen: Set<String> = []
    return profile.printers.filter { $0.uri.map { seen.insert($0).inserted } ?? true }
      .map { printer in
        let label = printer.label.onOneLine
        let saved = printer.uri.map { SavedPrinter(name: name(label).onOneLine, uri: $0) }
        return Entry(
          label: label, printer: saved,
          problem: printer.problem.map { Failure(.configuration, $0.onOneLine) }, isNamed: false)
      }
  }

  /// The queue's name in `host/printers/queue`, otherwise the host.
  private static func name(_ label: String) -> String {
    let parts = label.split(separator: "/").map(String.init)
    let isQueue = parts.count == 3 && ["printers", "classes"].contains(parts[1])
    return isQueue ? percentDecoded(parts[2]) : parts.first ?? label
  }
}

extension [UInt8] {
  /// The text in UTF-8 without a byte order mark; Windows' shell writes UTF-16.
  fileprivate var inUTF8: [UInt8] {
    if starts(with: [0xEF, 0xBB, 0xBF]) { return Array(dropFirst(3)) }
    let encodings = [TextEncoding.utf16LittleEndian, .utf16BigEndian]
    guard let encoding = encodings.first(where: { $0.hasMark(self) }) else { return self }
    let units = stride(from: 2, to: count - 1, by: 2).map { encoding.unit(self[$0], self[$0 + 1]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
