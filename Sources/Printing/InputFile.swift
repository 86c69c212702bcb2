package import AirprintContext
internal import Documents
internal import ForeignText
internal import Glibc
package import PrintModel
internal import PrintOptions
internal import Rendering
internal import System

/// An opened document of the command line: a regular file behind a descriptor.
package final class InputFile {
  /// Path as typed, see `Context.named`; `-` for standard input.
  package let path: String
  private let typedPath: String
  package let descriptor: Int32
  package let mediaType: String
  /// The converters that turn it into pages; nil for a type that airprint draws itself, or that only a printer reads.
  let chain: ConverterChain?
  /// True if only a printer reads it.
  var isForPrinter: Bool { chain == nil && !DocumentFormat.builtIn.contains(mediaType) }

  /// Opens a file; anything but a regular file (a pipe, standard input) is copied to a temporary file without a name.
  ///
  /// Exit 66 if it can't be read, 65 if it is empty or of an unknown type; the messages leave the file's name to the
  /// caller. Exit 78 if a converter's file is invalid.
  ///
  /// - `isData`: a renderer's data, or what a printer gets as it is, of any type or none.
  /// - `from`: `--from`, a media type or a suffix, which takes precedence over name and content.
  package init(
    _ path: String, isData: Bool = false, from: String? = nil, _ context: Context
  ) throws(Failure) {
    self.path = Context.named(path)
    typedPath = path
    let opened = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw InputFile.unreadable(errno, path) }
    guard let status = FileStatus(descriptor: opened), status.kind != S_IFDIR else {
      close(opened)
      throw InputFile.unreadable(EISDIR)
    }
    var whole = opened
    if status.kind != S_IFREG || lseek(opened, 0, SEEK_CUR) != 0 {
      defer { close(opened) }
      whole = try InputFile.spool(opened, context.temporary)
    }
    if !isData, PackedFile.isPacked(whole) {
      defer { close(whole) }
      descriptor = try InputFile.unpack(whole, context)
    } else {
      descriptor = whole
    }
    do throws(Failure) {
      if isData {
        (mediaType, chain) = (from.flatMap(InputFile.typed) ?? DocumentFormat.octets, nil)
      } else if let from {
        (mediaType, chain) = try InputFile.stated(from, descriptor, context)
      } else {
        (mediaType, chain) = try InputFile.recognized(descriptor, self.path, context)
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// The media type that a word states by itself: one, or the name of a printer's language.
  private static func typed(_ word: String) -> String? {
    word.contains("/") ? word.lowercased() : PrinterLanguage.named(word)?.types[0]
  }

  /// False if there is no such file; a file in a folder that can't be entered may exist.
  package static func exists(_ path: String) -> Bool {
    path == "-" || access(path, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno)
  }

  /// The file's folder, for the other files that the document uses; nil if it came through a pipe.
  var folder: String? {
    guard typedPath != "-", let whole = absolutePath(typedPath), !whole.hasPrefix("/proc/"),
      !whole.hasPrefix("/dev/")
    else { return nil }
    return String(whole[..<(whole.lastIndex(of: "/") ?? whole.startIndex)])
  }

  /// The suffix of its name, without the dot.
  var suffix: String? {
    let name = Context.lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let suffix = name[name.index(after: dot)...]
    let isPlain = suffix.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x2F }
    return isPlain && (1...12).contains(suffix.count) ? suffix.lowercased() : nil
  }

  /// Determines the type by content, then by name.
  ///
  /// Converters are consulted only for types that airprint does not read itself, and for text, which may be of a more
  /// specific type.
  private static func recognized(
    _ descriptor: Int32, _ path: String, _ context: Context
  ) throws(Failure) -> (String, ConverterChain?) {
    let guess = try guess(descriptor)
    if let type = guess.type, guess.isCertain, DocumentFormat.builtIn.contains(type) {
      return (type, nil)
    }
    // The name without `.gz` determines the type of the content.
    let name = path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path
    var type = DocumentFormat.named(name, sniffed: guess.type)
    let last = Context.lastComponent(name)
    if let converters = try context.settings.converters(for: last, of: type) {
      if !guess.isCertain { type = converters.mediaType(ofName: last) ?? type }
      if let type, let chain = ConverterChain(from: type, in: converters) { return (type, chain) }
    }
    if let type, DocumentFormat.builtIn.contains(type) || PrinterLanguage.of(type: type) != nil {
      return (type, nil)
    }
    let suffix = last.lastIndex(of: ".").map { String(last[$0...]) }
    throw unknown(type ?? suffix)
  }

  /// Returns the type that a user states: a media type, or a suffix such as `md`.
  ///
  /// A media type that nothing here reads is left to the printer. Exit 64 for an unknown suffix.
  private static func stated(
    _ word: String, _ descriptor: Int32, _ context: Context
  ) throws(Failure) -> (String, ConverterChain?) {
    _ = try guess(descriptor)
    let converters = try context.settings.converters()
    let suffix = ["markdown": "md", "text": "txt"][word.lowercased()] ?? word.lowercased()
    let name = "document.\(suffix)"
    let known = [
      "txt": DocumentFormat.text, "receipt": DocumentFormat.receipt, "pdf": DocumentFormat.pdf,
    ]
    let type =
      typed(suffix) ?? known[suffix] ?? converters.mediaType(ofName: name)
      ?? DocumentFormat.named(name, sniffed: nil)
    guard let type else {
      throw .usage(
        "--from \(word): unknown type. It takes a suffix (md, html, txt, receipt) or a MIME type: see "
          + "airprint check --formats.")
    }
    return (type, ConverterChain(from: type, in: converters))
  }

  /// Replaces standard input by a file without a name, so that it can be opened again for the printer that its type
  /// chooses; a terminal is left as it is.
  ///
  /// Exit 66 if it can't be read, 73 if there is no room for it, 65 if it is endless.
  package static func keepStandardInput(_ context: Context) throws(Failure) {
    guard isatty(0) == 0, let status = FileStatus(descriptor: 0),
      ![S_IFREG, S_IFDIR].contains(status.kind)
    else { return }
    let kept = try spool(0, context.temporary)
    defer { close(kept) }
    guard lseek(kept, 0, SEEK_SET) == 0, dup2(kept, 0) == 0 else { throw unreadable(errno) }
  }

  /// Returns the type of a regular file by its first bytes.
  ///
  /// Exit 65 if it is empty, or if airprint can't draw it itself.
  static func sniff(_ descriptor: Int32) throws(Failure) -> String {
    let type = try guess(descriptor).type
    guard let type, DocumentFormat.builtIn.contains(type) else { throw unknown(type) }
    return type
  }

  private static func guess(_ descriptor: Int32) throws(Failure) -> DocumentFormat.Guess {
    let head = try head(descriptor)
    guard !head.isEmpty else { throw .document("The file is empty.") }
    return DocumentFormat.guess(head)
  }

  private static func head(_ descriptor: Int32) throws(Failure) -> ArraySlice<UInt8> {
    guard let head = piece(of: descriptor, most: DocumentFormat.headLength) else {
      throw unreadable(errno)
    }
    return head[...]
  }

  /// True for plain text with lines of a receipt, `title: Tea` or `qr(30mm): x`, which is none by its name or its first
  /// line.
  var hasReceiptLines: Bool {
    guard mediaType == DocumentFormat.text, let head = try? InputFile.head(descriptor) else {
      return false
    }
    let words = ["title:", "bold:", "double:", "center:", "qr:", "qr(", "barcode:", "barcode("]
    return head.split(separator: 0x0A).contains { line in
      words.contains { line.starts(with: $0.utf8) }
    }
  }

  /// - `type`: its media type, or its suffix; nil if neither is known.
  private static func unknown(_ type: String?) -> Failure {
    Failure.document(
      "airprint can't print this type of file\(type.map { " (\($0))" } ?? ""). It prints PDF, pictures, "
        + "text and what a converter reads: see airprint check --formats.")
  }

  private static func spool(_ source: Int32, _ folder: String) throws(Failure) -> Int32 {
    try makeTemporary(in: folder) { target throws(Failure) in try copy(source, to: target, folder) }
  }

  /// Most bytes that are unpacked.
  private static let longestUnpacked = 256 << 20

  private static func unpack(_ source: Int32, _ context: Context) throws(Failure) -> Int32 {
    let folder = context.temporary
    let limits = WorkerLimits(try context.settings.configuration())
    return try makeTemporary(in: folder) { target throws(Failure) in
      try Unpacking.unpack(
        source, upTo: longestUnpacked, executable: context.executable, limits: limits,
        cancellation: Cancellation()
      ) { piece throws(Failure) in
        guard writeAll(piece[...], to: target) else { throw .cannotWrite(folder, SystemError()) }
      }
    }
  }

  /// Makes a temporary file without a name.
  private static func makeTemporary(
    in folder: String, _ fill: (Int32) throws(Failure) -> Void
  ) throws(Failure) -> Int32 {
    var template = Array("\(folder)/airprint-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    guard target >= 0 else { throw .cannotWrite(folder, SystemError()) }
    _ = fcntl(target, F_SETFD, FD_CLOEXEC)
    unlink(template)
    do {
      try fill(target)
      return target
    } catch {
      close(target)
      throw error
    }
  }

  /// Most bytes read from a pipe or a device, which may be endless.
  private static let longest = 4 << 30

  private static func copy(
    _ source: Int32, to target: Int32, _ folder: String
  ) throws(Failure) {
    var length = 0
    let isRead = try readPieces(of: source) { (piece) throws(Failure) in
      length += piece.count
      guard length <= longest else {
        throw .document("It is longer than \(longest >> 30) GB, the most that is read from a pipe.")
      }
      guard writeAll(piece, to: target) else { throw .cannotWrite(folder, SystemError()) }
      return true
    }
    guard isRead else { throw unreadable(errno) }
  }

  package static func unreadable(_ code: Int32, _ path: String = "") -> Failure {
    let why =
      switch code {
      case ENOENT where FileStatus(link: path)?.kind == S_IFLNK:
        "The link leads to a file that does not exist."
      case ENOENT: "No such file."
      case EISDIR: "It is a directory: name files in it."
      default: "The file can't be read: \(SystemError(code))."
      }
    return .unreadable(why)
  }
}

extension PrintArguments {
  /// Throws exit 64 if a saved printer's name is given in place of a file or pages, as with `lpr -P`: before anything
  /// is printed on another printer.
  ///
  /// - `command`: the command that can read a document from standard input, for the hint at a web address; nil: none.
  package func refusePrintersAmongFiles(
    _ context: Context, for command: String? = "print"
  ) throws(Failure) {
    let store = try context.settings.printers()
    guard files.count(where: { $0 == "-" }) < 2 else {
      throw .usage("Standard input, -, can be read only once.")
    }
    for file in files where !InputFile.exists(file) {
      // Most often an unset variable in a script.
      if file.isEmpty { throw .unreadable("The file's name is empty.") }
      if file.hasPrefix("file:///") {
        let path = percentDecoded(file.dropFirst(7))
        throw .usage("\(file): name the file by its path: \(ShellWord.quoted(path)).")
      }
      try refuseWebAddress(file, for: command)
      // `-d Office Laser`: the shell divides a name without quotes.
      let start = printers.last.map { "\($0) \(file)".lowercased() }
      if let start,
        let whole = store.printers.first(where: { $0.name.lowercased().hasPrefix(start) })
      {
        throw .usage("\(file): No such file. Quote the printer's name: -d \(quoted(whole)).")
      }
      guard let printer = store.printer(named: file) else { continue }
      throw .usage("\(file): No such file. \(printer.name) is a printer: -d \(quoted(printer)).")
    }
    for (option, value) in typed where option == .pages {
      guard let printer = store.printer(named: value) else { continue }
      throw .usage("-P \(value): takes pages. \(printer.name) is a printer: -d \(quoted(printer)).")
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
    let path = file.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { $0 != "#" }
    let suffixes = [".html", ".htm"]
    func last(_ path: Substring) -> String {
      path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
    let name = last(path.prefix { $0 != "?" }).lowercased()
    let isPage = !name.contains(".") || suffixes.contains(where: name.hasSuffix)
    // wget's name for it; other files are its frames.
    var saved = last(path)
    if name.isEmpty { saved = "index.html" + saved }
    if !suffixes.contains(where: saved.lowercased().hasSuffix) { saved += ".html" }
    // With its style sheets and pictures.
    let line =
      isPage
      ? "d=$(mktemp -d); wget -qEkp -nd -P \"$d\" \(fetched); airprint \(command) \"$d\"/\(ShellWord.quoted(saved))"
      : "curl -fsSL \(fetched) | airprint \(command)"
    throw download(file, by: line)
  }

  private func download(_ file: String, by line: String) -> Failure {
    Failure.usage("\(file): airprint does not download files. Try: \(line)")
  }

  private func quoted(_ printer: SavedPrinter) -> String { ShellWord.quoted(printer.name.safeName) }

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
