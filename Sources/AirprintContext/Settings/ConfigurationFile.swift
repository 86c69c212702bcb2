package import PrintModel
internal import Glibc
internal import PrintOptions
internal import System

/// `config.toml` as the text that a user writes: its keys are read and set one by one, and everything else in it stays
/// as it is.
package struct ConfigurationFile: Sendable {
  package let path: String
  /// Empty when there is no file.
  package let text: String
  private let directories: Directories

  /// Opens the user's file, or the administrator's.
  ///
  /// Throws exit 78 for a file that can't be read, or that others may write.
  package init(_ directories: Directories, system: Bool) throws(Failure) {
    let folder = system ? directories.system : directories.configuration
    try self.init(path: "\(folder)/config.toml", directories)
  }

  private init(path: String, _ directories: Directories) throws(Failure) {
    (self.path, self.directories) = (path, directories)
    text = String(decoding: try TOMLFile.bytes(of: path) ?? [], as: UTF8.self)
  }

  /// The bytes of a copy of such a file.
  ///
  /// Throws exit 78 when it can't be read, or is too long.
  package static func contents(_ path: String) throws(Failure) -> [UInt8] {
    try TOMLFile.contents(of: path) ?? []
  }

  /// Checks `text` as this file; throws exit 78 with the line and the problem.
  package func check(_ text: String) throws(Failure) {
    _ = try Configuration.Layer(TOMLFile(text: text, path: path), directories)
  }

  /// Printers that have a `[printers."NAME"]`.
  ///
  /// Throws exit 78 for invalid TOML.
  package func printerNames(in text: String) throws(Failure) -> [String] {
    let root = try TOMLFile(text: text, path: path).root
    return (root["printers"]?.members.keys).map { $0.sorted() } ?? []
  }

  /// Every setting with its value, by key: `types.receipt.paper` and `80mm`.
  ///
  /// Lists are written as on the command line. Throws exit 78 for invalid TOML.
  package func settings() throws(Failure) -> [(key: String, value: String)] {
    try TOMLFile(text: text, path: path).root.settings.sorted { $0.key < $1.key }
  }

  /// This text with `key` set to `value`, or without the key if that is nil.
  ///
  /// Numbers, true, false and TOML literals keep their type; anything else becomes a string. Throws exit 64 for a value
  /// that the key does not accept, and where only an editor can make the change: in lists of several lines and tables
  /// within lines.
  package func setting(_ key: String, to value: String?) throws(Failure) -> String {
    var words = try SettingKey(key)
    if words.table.first == "printers" {
      // The table that the file has, whose name may be written in other letters.
      let name = words.table[1]
      let known = try printerNames(in: text).first { $0.lowercased() == name.lowercased() }
      words.table[1] = known ?? name
    }
    if let value, words.table.isEmpty, let option = PrintOption(rawValue: key),
      PrintOption.settings.contains(option), !Configuration.Layer.keys.contains(key)
    {
      // An invalid value is not suggested.
      var scratch = PrintRequest()
      try option.apply(value, to: &scratch)
      throw .usage(
        "\(key) can't be set for all jobs. Try: airprint config set "
          + (path.hasPrefix("\(directories.system)/") ? "--system " : "")
          + "types.document.\(key) \(TOMLFile.typed(value))")
    }
    guard let value else { return try checked(text.removing(words), words, value: nil) }
    let isPlain =
      Int(value) != nil || ["true", "false"].contains(value) || "[\"'".contains(value.prefix(1))
    let quoted = TOMLFile.quoted(value)
    var first: Failure?
    for literal in isPlain && !value.isEmpty ? [value, quoted] : [quoted] {
      do throws(Failure) {
        return try checked(text.setting(words, to: literal), words, value: literal)
      } catch {
        first = first ?? error
      }
    }
    throw first ?? Failure(.usage, "\(key) can't be set.")
  }

  /// The new text, after checking that it has the new value and that nothing else has changed.
  ///
  /// Mistakes that are already in the file are allowed: they are fixed one by one.
  private func checked(
    _ new: String, _ key: SettingKey, value: String?
  ) throws(Failure) -> String {
    let known = (try? mistakes(in: text.removing(key))) ?? []
    if let mistake = try mistakes(in: new).first(where: { !known.contains($0) }) {
      throw .usage(mistake)
    }
    let old = try TOMLFile(text: text, path: path).root.settings.filter { $0.key != key.text }
    let now = try TOMLFile(text: new, path: path).root.settings
    guard old == now.filter({ $0.key != key.text }), (now[key.text] != nil) == (value != nil)
    else {
      throw .usage(
        "\(key.text) is written in \(path) in a way that only airprint config edit can change.")
    }
    return new
  }

  /// Messages of all mistakes in `text`, without their line numbers.
  ///
  /// Throws exit 64 with the parser's message if `text` is not valid TOML.
  private func mistakes(in text: String) throws(Failure) -> [String] {
    var mistakes: [Failure] = []
    do throws(Failure) {
      _ = Configuration.Layer(try TOMLFile(text: text, path: path), directories, &mistakes)
    } catch {
      // If the file itself has the mistake, this throws it with its line.
      guard text != self.text else { throw error }
      _ = try TOMLFile(text: self.text, path: path)
      throw .usage(error.event)
    }
    return mistakes.map(\.event)
  }

  /// Replaces the whole file with `text`; the user's keeps its mode.
  ///
  /// Throws exit 73 when it can't be written.
  package func write(_ text: String) throws(Failure) {
    try replace { text }
  }

  /// Replaces the file by what `change` makes of its text at that time, and returns true if that is something else: of
  /// several commands at once, each keeps what the others have set.
  ///
  /// Throws exit 73 when it can't be written.
  package func replace(
    with change: (ConfigurationFile) throws(Failure) -> String
  ) throws(Failure) -> Bool {
    // Nothing is written, no folder either, for what it refuses.
    _ = try change(self)
    var isChanged = false
    try replace { () throws(Failure) in
      let file = try ConfigurationFile(path: path, directories)
      let text = try change(file)
      isChanged = text != file.text
      return text
    }
    return isChanged
  }

  private func replace(_ change: () throws(Failure) -> String) throws(Failure) {
    let mode = FileStatus(path).map { $0.st_mode & 0o777 } ?? 0o600
    try directories.replace(path, mode: mode, change)
  }
}

/// A key of the file: its table and its name.
///
/// In keys such as `printers.NAME.color`, the table's own name may contain dots and quotes.
struct SettingKey: Sendable {
  /// `types.receipt`, as parts; empty at the top level.
  var table: [String]
  let name: String

  /// The key without quotes.
  var text: String { (table + [name]).joined(separator: ".") }

  init(_ text: String) throws(Failure) {
    guard let dot = text.lastIndex(of: "."), let first = text.firstIndex(of: ".") else {
      (table, name) = ([], text)
      guard !text.isEmpty, !text.contains(where: { $0.isWhitespace }) else {
        throw .usage("A setting's key is one word (sides), or has dots (types.receipt.paper).")
      }
      return
    }
    let inner = first < dot ? String(text[text.index(after: first)..<dot]) : ""
    name = String(text[text.index(after: dot)...])
    table = [String(text[..<first]), SettingKey.unquoted(inner)]
    guard !name.isEmpty, !table[1].isEmpty, table[1].allSatisfy({ !$0.isNewline }) else {
      throw .usage("\(text): below a table a key has three parts, such as types.receipt.paper.")
    }
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count > 1, let mark = text.first, "\"'".contains(mark), text.last == mark else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  /// `[printers."Office Laser"]`.
  var header: String {
    "[" + table.map { $0.isBareKey ? $0 : TOMLFile.quoted($0) }.joined(separator: ".") + "]"
  }

  /// True for a line that is the header of this key's table.
  func isHeader(_ line: Substring) -> Bool {
    let words = line.trimmed
    guard words.hasPrefix("["), !words.hasPrefix("[["), let end = words.lastIndex(of: "]") else {
      return false
    }
    let inner = words[words.index(after: words.startIndex)..<end]
    guard let dot = inner.firstIndex(of: ".") else { return false }
    let parts = [
      String(inner[..<dot].trimmed),
      SettingKey.unquoted(String(inner[inner.index(after: dot)...].trimmed)),
    ]
    return parts == table
  }

  /// True for a line that sets this key.
  func isSet(by line: Substring) -> Bool {
    guard let equals = line.firstIndex(of: "=") else { return false }
    return SettingKey.unquoted(String(line[..<equals].trimmed)) == name
  }
}

extension String {
  fileprivate var isBareKey: Bool { !isEmpty && utf8.allSatisfy(\.isOfBareKey) }

  /// The lines of the key's table, from the one after its header up to the next header; nil when there is no such
  /// table.
  private func lines(of key: SettingKey, _ lines: [Substring]) -> Range<Int>? {
    var start = 0
    if !key.table.isEmpty {
      guard let header = lines.firstIndex(where: key.isHeader) else { return nil }
      start = header + 1
    }
    return start..<(lines[start...].firstIndex { $0.trimmed.hasPrefix("[") } ?? lines.count)
  }

  fileprivate func setting(_ key: SettingKey, to literal: String) -> String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let new = "\(key.name) = \(literal)"[...]
    if let part = self.lines(of: key, lines) {
      if let place = lines[part].firstIndex(where: key.isSet) {
        lines[place] = new
      } else {
        // After the last line of the table that is not blank.
        let last = lines[part].lastIndex { !$0.trimmed.isEmpty }
        lines.insert(new, at: last.map { $0 + 1 } ?? part.lowerBound)
      }
    } else {
      if !lines.isEmpty { lines.append("") }
      lines += [key.header[...], new]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate func removing(_ key: SettingKey) -> String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false)
    if let part = self.lines(of: key, lines),
      let place = lines[part].firstIndex(where: key.isSet)
    {
      lines.remove(at: place)
    }
    return lines.joined(separator: "\n")
  }
}

extension [String: TOMLFile.Value] {
  /// Plain values by their dotted keys.
  fileprivate var settings: [String: String] {
    var found: [String: String] = [:]
    for (key, value) in self {
      if case .table(let members) = value {
        for (inner, text) in members.settings { found["\(key).\(inner)"] = text }
      } else {
        found[key] = value.typed ?? ""
      }
    }
    return found
  }
}

extension TOMLFile {
  /// The text as a TOML basic string.
  static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case let other where other.value < 0x20 || other.value == 0x7F:
        quoted += "\\u" + String(0x1_0000 + other.value, radix: 16).dropFirst()
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return "\"\(quoted)\""
  }
}
