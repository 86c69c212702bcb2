internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import PrintOptions

/// All converters: the package's, the administrator's and the user's.
///
/// A file in a later folder replaces one of the same name in an earlier folder. For a media type, converters of later
/// folders come first, then those whose names come first in the alphabet.
package struct Converters: Sendable {
  package let all: [Converter]

  /// The package's own converters, in the order in which they are tried.
  private static let own: [(name: String, text: [UInt8])] = [
    ("epub", PackageResources.epub_toml), ("html", PackageResources.html_toml),
    ("html-chromium", PackageResources.html_chromium_toml),
    ("markdown", PackageResources.markdown_toml), ("office", PackageResources.office_toml),
    ("postscript", PackageResources.postscript_toml),
  ]

  /// Reads every folder; throws exit 78 for an invalid file, with file, line and reason.
  package init(_ directories: Directories) throws(Failure) {
    var layers = [
      try Converters.own.map { entry throws(Failure) in
        let text = String(decoding: entry.text, as: UTF8.self)
        let path = "airprint's own converter \(entry.name)"
        return try Converter(TOMLFile(text: text, path: path), name: entry.name)
      }
    ]
    for folder in [directories.system, directories.configuration] {
      layers.append(try Converters.read("\(folder)/converters"))
    }
    var seen: Set<String> = []
    var all: [Converter] = []
    for layer in layers.reversed() {
      all += layer.filter { seen.insert($0.name).inserted }
    }
    self.all = all
  }

  /// False if there are only the package's own converters, and none names the file's suffix or the media type.
  ///
  /// Parsing them executes more instructions than all else that the parent does for a page of text.
  package static func mayRead(_ name: String, _ type: String?, _ directories: Directories) -> Bool {
    let folders = [directories.system, directories.configuration]
    if folders.contains(where: { access("\($0)/converters", F_OK) == 0 || errno != ENOENT }) {
      return true
    }
    let words = [name.lastIndex(of: ".").map { name[$0...].lowercased() }, type]
    return words.compactMap { $0.map { Array("\"\($0)\"".utf8) } }.contains { word in
      own.contains { _, text in
        text.indices.contains { text[$0] == word[0] && text[$0...].starts(with: word) }
      }
    }
  }

  /// The media type for a file's extension, ignoring case; nil when no converter has it.
  package func mediaType(ofName name: String) -> String? {
    let name = name.lowercased()
    for converter in all {
      for (type, suffixes) in converter.types where suffixes.contains(where: name.hasSuffix) {
        return type
      }
    }
    return nil
  }

  private static func read(_ folder: String) throws(Failure) -> [Converter] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    } catch {
      throw .configuration("\(folder) can't be read.")
    }
    var converters: [Converter] = []
    for name in names.sorted() where name.hasSuffix(".toml") && !name.hasPrefix(".") {
      guard let file = try TOMLFile(path: "\(folder)/\(name)") else { continue }
      converters.append(try Converter(file, name: String(name.dropLast(".toml".count))))
    }
    return converters
  }
}

extension Converter {
  private static let keys = [
    "types", "output", "command", "program", "timeout", "memory", "package", "folder",
    "reads", "not-loaded", "files",
  ]

  fileprivate init(_ file: TOMLFile, name: String) throws(Failure) {
    let command = try Converter.texts("command", file) ?? []
    let types = try Converter.types(file)
    guard let first = command.first, !first.isEmpty, !types.isEmpty else {
      throw file.failure(
        at: types.isEmpty ? "types" : "command", "a converter has [types] and a command.")
    }
    self.init(name: name, source: file.path, types: types, command: command)
    for (key, value) in file.root {
      switch key {
      case "types", "command": break
      case "output": output = try file.text(value, of: key)
      case "program": program = try file.text(value, of: key)
      case "package": package = try file.text(value, of: key)
      case "timeout": timeLimit = try file.number(value, of: key, "seconds", 1...3_600)
      case "memory":
        memoryLimit = try file.number(value, of: key, "megabytes", 16...1_000_000) << 20
      case "folder": readsFolder = try file.boolean(value, of: key)
      case "reads": reads = try Converter.texts(key, file) ?? []
      case "not-loaded": notLoaded = try Converter.texts(key, file) ?? []
      case "files": try readFiles(value, file)
      default: throw file.unknown(key, but: Converter.keys)
      }
    }
    try check(file)
  }

  /// Reads the media types and their extensions: `"text/html" = [".html", ".htm"]`.
  private static func types(_ file: TOMLFile) throws(Failure) -> [String: [String]] {
    guard let value = file.root["types"] else { return [:] }
    guard case .table(let table) = value else {
      throw file.failure(
        at: "types", "types are written as [types], a MIME type and its suffixes each.")
    }
    var types: [String: [String]] = [:]
    for (type, suffixes) in table {
      guard type.split(separator: "/").count == 2 else {
        throw file.failure(at: type, in: "types", "\"\(type)\" is not a MIME type (text/html).")
      }
      guard case .list(let list) = suffixes,
        list.allSatisfy({ $0.string?.hasPrefix(".") == true && $0.string?.contains("/") == false })
      else {
        throw file.failure(
          at: type, in: "types", "a MIME type has a list of suffixes that begin with a dot.")
      }
      types[type.lowercased()] = list.compactMap { $0.string?.lowercased() }
    }
    return types
  }

  private mutating func readFiles(_ value: TOMLFile.Value, _ file: TOMLFile) throws(Failure) {
    guard case .table(let table) = value else {
      throw file.failure(at: "files", "files are written as [files], a name and its text each.")
    }
    for (name, text) in table {
      let isName = !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
      guard isName, let text = text.string else {
        throw file.failure(at: name, in: "files", "a file has a plain name and a text.")
      }
      files[name] = text
    }
  }

  /// Finds mistakes that would otherwise only fail on the first document.
  private func check(_ file: TOMLFile) throws(Failure) {
    guard output.split(separator: "/").count == 2 else {
      throw file.failure(at: "output", "\"\(output)\" is not a MIME type (text/html).")
    }
    guard types[output] == nil else {
      throw file.failure(at: "output", "output can't be a type that the converter reads itself.")
    }
    guard (command + files.values).contains(where: { $0.contains("{input}") }) else {
      throw file.failure(at: "command", "the command does not use {input}.")
    }
    for word in command.flatMap(Converter.words(in:))
    where !Converter.placeholders.contains(word) {
      throw file.failure(
        at: "command",
        "unknown placeholder {\(word)}\(Converter.placeholders.suggestion(for: word)).")
    }
  }

  /// Texts in braces that look like placeholders.
  private static func words(in text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
      guard let end = rest.firstIndex(of: "}") else { return nil }
      let word = rest[..<end]
      let isWord = word.allSatisfy { $0 == "-" || ("a"..."z").contains($0) }
      return isWord && !word.isEmpty ? String(word) : nil
    }
  }

  private static func texts(_ key: String, _ file: TOMLFile) throws(Failure) -> [String]? {
    guard let value = file.root[key] else { return nil }
    guard case .list(let list) = value, list.allSatisfy({ $0.string != nil }) else {
      throw file.failure(at: key, "\(key) takes a list of strings ([\"…\", \"…\"]).")
    }
    return list.compactMap(\.string)
  }
}
