internal import ForeignText
internal import Glibc
internal import PrintModel
internal import PrintOptions
internal import System
internal import TOMLKit

/// A TOML file as plain values, along with its text so that an error can name a line.
struct TOMLFile {
  let path: String
  let root: [String: Value]
  private let lines: TOMLLines

  indirect enum Value: Equatable, Sendable {
    case text(String)
    case number(Int)
    case decimal(Double)
    case boolean(Bool)
    case list([Value])
    case table([String: Value])
    /// A date or a time, which no setting takes.
    case other
  }

  /// Reads `path`; nil when there is no such file.
  ///
  /// Throws exit 78 for any other error, and for a file that somebody else may have written (`FileTrust`): settings
  /// name programs to run.
  init?(path: String) throws(Failure) {
    guard let bytes = try TOMLFile.bytes(of: path) else { return nil }
    try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
  }

  /// The bytes of a file that only its owner may write (`FileTrust.check`); nil when there is no such file.
  static func bytes(of path: String) throws(Failure) -> [UInt8]? {
    try FileTrust.check(path)
    return try contents(of: path)
  }

  /// Maximum size of a file, in bytes.
  static let longest = 1 << 20

  /// The bytes of a file; nil when there is no such file.
  ///
  /// Does not wait for a writer when it is a pipe; an endless device (/dev/zero) is refused as too long.
  static func contents(of path: String) throws(Failure) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(path)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let isRead = try readPieces(of: descriptor) { (piece) throws(Failure) in
      bytes += piece
      guard bytes.count <= longest else {
        throw .configuration("\(path) is longer than \(longest >> 20) MB.")
      }
      return true
    }
    guard isRead else { throw unreadable(path) }
    return bytes
  }

  /// The failure of a file that can't be read, with the command that lets those read it who should.
  static func unreadable(_ path: String, _ error: SystemError = SystemError()) -> Failure {
    let paths = [FileTrust.folder(of: path), path].map { ShellWord.quoted($0) }
    let isSystem = path.hasPrefix("/etc/")
    let change = isSystem ? "sudo chmod a+rX" : "chmod u+rX"
    // Only an owner can change it.
    let isOwn = isSystem || FileStatus(FileTrust.existing(path))?.st_uid == geteuid()
    let fix = "Fix it with: \(change) \(paths.joined(separator: " "))"
    return Failure(
      .configuration, "\(path) can't be read: \(error).",
      hints: error.number == EACCES ? [isOwn ? fix : Directories.other("XDG_CONFIG_HOME")] : [])
  }

  /// Parses text in place of a file; `path` is its name in errors.
  init(text: String, path: String) throws(Failure) {
    self.path = path
    lines = TOMLLines(text)
    if let mistake = TOMLMistakes.first(in: text) {
      throw Failure(.configuration, mistake.what, at: FilePlace(path, line: mistake.line))
    }
    do {
      root = try TOMLTable(string: text).values
    } catch let error as TOMLParseError {
      let number = Int(error.source.begin.line)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = lines.indices.contains(number - 1) ? lines[number - 1] : ""
      let why = TOMLFile.unquoted(line) ?? TOMLFile.words(for: error.description, line)
      throw Failure(.configuration, why, at: FilePlace(path, line: number))
    } catch {
      throw Failure(.configuration, "\(error).", at: FilePlace(path))
    }
  }

  /// The advice for a word that is neither a string nor true or false: the line as it is written, `sides = "long"` for
  /// `sides = long`; nil for any other mistake.
  private static func unquoted(_ line: Substring) -> String? {
    let parts = line.prefix { $0 != "#" }.split(separator: "=", maxSplits: 1)
      .map { $0.split(whereSeparator: \.isWhitespace) }
    guard parts.count == 2, let first = parts[1].first?.first else { return nil }
    let key = parts[0].joined()
    // `5 m` is a length or a time.
    let value = parts[1].joined(separator: first.isNumber ? "" : " ")
    guard value != "true", value != "false" else { return nil }
    switch value.lowercased() {
    case "true", "yes", "on": return "true and false are written so: \(key) = true"
    case "false", "no", "off": return "true and false are written so: \(key) = false"
    default: break
    }
    // `5m`, `20mm` and `4x6` are not numbers.
    guard first.isLetter || first.isNumber, !value.contains("\""),
      value.contains(where: { $0.isLetter || $0 == "%" })
    else { return nil }
    return "strings need quotes: \(key) = \"\(value)\""
  }

  /// A value as it is typed in a command that a message suggests.
  static func typed(_ value: String) -> String {
    let isPlain = value.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))
    }
    return isPlain && !value.isEmpty ? value : quoted(value)
  }

  /// Rewords the parser's error for users who know `sides = "long"` and no grammar.
  private static func words(for complaint: String, _ line: Substring) -> String {
    let isHeader = line.first { !$0.isWhitespace } == "["
    if !isHeader, !line.contains("=") {
      return "a setting is written with an equals sign, such as sides = \"long\"."
    }
    let quotes = line.count { $0 == "\"" }
    if !isHeader, quotes % 2 == 1 { return "a string ends with the quote it began with." }
    if let twice = complaint.firstRange(of: "cannot redefine existing "),
      let name = complaint[twice.upperBound...].split(separator: "'").dropFirst().first
    {
      return "\"\(name)\" is set twice."
    }
    // "Error while parsing key-value pair: expected …"
    guard complaint.hasPrefix("Error while parsing"), let end = complaint.firstRange(of: ": ")
    else { return "\(complaint)." }
    return "this line can't be read: \(complaint[end.upperBound...])."
  }

  /// A failure at the line with `key`, within `table` if it is in one (`types.receipt`).
  ///
  /// `entry` selects among tables of the same name (`[quirk]` for `[[quirk]]`), counting from 0.
  func failure(
    at key: String, in table: String? = nil, entry: Int = 0, _ why: String
  ) -> Failure {
    Failure(.configuration, why, at: place(of: key, in: table, entry))
  }

  /// The line of a key, or of its value's entry.
  func place(of key: String, in table: String? = nil, _ entry: Int = 0) -> FilePlace {
    FilePlace(path, line: lines.line(of: key, in: table, entry))
  }

  /// `values` as TOML text, keys in alphabetical order.
  static func text(of values: [String: Value]) -> String {
    TOMLTable(plain: values).convert(
      to: .toml, options: [.allowUnicodeStrings, .allowLiteralStrings]) + "\n"
  }
}

extension TOMLTable {
  fileprivate var values: [String: TOMLFile.Value] {
    // "a\u0000b" and "a\u0000c" are two keys to toml++, but one to TOMLKit, which passes C strings.
    Dictionary(
      keys.map { ($0, TOMLFile.Value(self[$0])) }, uniquingKeysWith: { first, _ in first })
  }

  fileprivate convenience init(plain values: [String: TOMLFile.Value]) {
    self.init()
    for (key, value) in values {
      switch value {
      case .text(let text): self[key] = text
      case .number(let number): self[key] = number
      case .decimal(let number): self[key] = number
      case .boolean(let flag): self[key] = flag
      case .list(let list):
        let texts: [any TOMLValueConvertible] = list.compactMap(\.string)
        self[key] = TOMLArray(texts)
      case .table(let table): self[key] = TOMLTable(plain: table)
      case .other: break
      }
    }
  }
}

extension TOMLFile.Value {
  fileprivate init(_ value: (any TOMLValueConvertible)?) {
    let plain =
      value?.string.map(Self.text) ?? value?.int.map(Self.number)
      ?? value?.double.map(Self.decimal) ?? value?.bool.map(Self.boolean)
    self =
      plain ?? value?.array.map { .list($0.map { Self($0) }) }
      ?? value?.table.map { .table($0.values) } ?? .other
  }

  /// The value as it would be typed on the command line.
  var typed: String? {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .list(let list): list.compactMap(\.typed).joined(separator: ",")
    case .table, .other: nil
    }
  }

  /// The elements of a list; any other value as a single element.
  var elements: [Self] { if case .list(let list) = self { list } else { [self] } }

  var string: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  var strings: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let list): list.compactMap(\.string)
    default: []
    }
  }
  var members: [String: TOMLFile.Value] {
    if case .table(let table) = self { table } else { [:] }
  }
}

extension TOMLFile {
  /// Refuses the first key of `members` that is not among `keys`; throws exit 78 with its line and the nearest key.
  ///
  /// - `table`, `entry`: where the keys are, as in `failure(at:in:entry:_:)`.
  func refuseUnknown(
    _ members: [String: Value], but keys: [String], in table: String? = nil, entry: Int = 0
  ) throws(Failure) {
    for key in members.keys.sorted() where !keys.contains(key) {
      throw unknown(key, but: keys, in: table, entry: entry)
    }
  }

  /// The failure for a key that is not among `keys`; lists them all if they are few and none is similar.
  func unknown(
    _ key: String, but keys: [String], in table: String? = nil, entry: Int = 0
  ) -> Failure {
    var hint = keys.suggestion(for: key)
    if hint.isEmpty, keys.count <= 6 {
      hint = keys.count == 1 ? "; the key is \(keys[0])" : "; the keys are \(keys.inWords())"
    }
    if hint.isEmpty, path.hasSuffix("/config.toml") {
      hint = "; the manual lists all: man airprint"
    }
    return failure(at: key, in: table, entry: entry, "unknown key \"\(key)\"\(hint).")
  }

  /// A whole number in `range`, of `unit`; throws exit 78 for any other value.
  func number(
    _ value: Value, of key: String, in table: String? = nil, _ unit: String,
    _ range: ClosedRange<Int>
  ) throws(Failure) -> Int {
    guard case .number(let number) = value, range.contains(number) else {
      throw failure(
        at: key, in: table,
        "\(key) takes a number of \(unit), \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// `true` or `false`; throws exit 78 for any other value.
  func boolean(_ value: Value, of key: String) throws(Failure) -> Bool {
    guard case .boolean(let flag) = value else {
      throw failure(at: key, "\(key) takes true or false.")
    }
    return flag
  }

  /// A string that is not empty; throws exit 78 for any other value.
  func text(_ value: Value, of key: String, _ what: String = "a string") throws(Failure) -> String {
    guard let text = value.string, !text.isEmpty else {
      throw failure(at: key, "\(key) takes \(what).")
    }
    return text
  }
}
