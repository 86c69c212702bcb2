internal import Glibc
package import PrintModel
package import PrintOptions
internal import System

/// The user's `config.toml` over the administrator's: preferences written by hand and never rewritten.
package struct Configuration: Sendable, Equatable {
  /// One setting of a print option, and where it is set.
  package struct Setting: Sendable, Equatable {
    package var option: PrintOption
    package var value: String
    package var source: String
    var file: NamedFile?
  }

  /// A file or a program that a setting names.
  struct NamedFile: Equatable {
    var path: String
    var isProgram = false
    var place: FilePlace?
  }

  /// The contents of one file.
  struct Layer: Equatable {
    var source: String
    /// Values of `PlainKey`s, each checked.
    var plain: [PlainKey: TOMLFile.Value] = [:]
    var options: [Setting] = []
    var byType: [JobType: [Setting]] = [:]
    var byPrinter: [String: [Setting]] = [:]
    /// Names of `byPrinter` as they are written.
    var printerNames: [String: String] = [:]
    var renderers: [String: RendererCommand] = [:]
    var stamps: [String: Stamp] = [:]
    var stampFiles: [NamedFile] = []
  }

  /// Keys for all jobs that are not print options.
  enum PlainKey: String, CaseIterable {
    case timeout
    case onTimeout = "on-timeout"
    case laterWhenOffline = "later-when-offline"
    case onAvailable = "on-available"
    case notify
    case pageTime = "page-time"
    case domains
    case pageMemory = "page-memory"
  }

  let layers: [Layer]

  /// Every mistake in both files, ordered by line.
  ///
  /// A mistake that stops the reading of a file is its last one.
  package static func mistakes(_ directories: Directories) -> [Failure] {
    [directories.system, directories.configuration].flatMap { folder in
      var mistakes: [Failure] = []
      do throws(Failure) {
        guard let file = try TOMLFile(path: "\(folder)/config.toml") else { return mistakes }
        _ = Layer(file, directories, &mistakes)
      } catch {
        mistakes.append(error)
      }
      return mistakes
    }
  }

  /// Reads the administrator's file, then the user's.
  ///
  /// Throws exit 78 for a wrong key or value, with file, line and the nearest key.
  package init(_ directories: Directories) throws(Failure) {
    var layers: [Layer] = []
    for folder in [directories.system, directories.configuration] {
      guard let file = try TOMLFile(path: "\(folder)/config.toml") else { continue }
      layers.append(try Layer(file, directories))
    }
    self.layers = layers
  }

  private func value(_ key: PlainKey) -> TOMLFile.Value? {
    layers.compactMap { $0.plain[key] }.last
  }

  /// `timeout`, in seconds.
  package var timeout: Int? { value(.timeout)?.number }

  /// `on-timeout = "leave"` or `"cancel"`.
  package var leavesOnTimeout: Bool? { value(.onTimeout).map { $0 == .text("leave") } }

  /// `later-when-offline = true`: documents are queued if their printer does not answer.
  package var printsLaterWhenOffline: Bool { value(.laterWhenOffline) == .boolean(true) }

  /// `on-available`: the shell command that `queue watch` runs when a printer that jobs wait for becomes available.
  package var onAvailable: String? { value(.onAvailable)?.string }

  /// `notify = false`: `queue watch` shows no desktop notifications.
  package var notifies: Bool { value(.notify) != .boolean(false) }

  /// `notify = true`: a desktop notification reports how each job ended.
  package var announcesJobs: Bool { value(.notify) == .boolean(true) }

  /// `page-time`: seconds of processor time that drawing a page may take.
  package var pageTime: Int? { value(.pageTime)?.number }

  /// `page-memory`: megabytes of memory that drawing may use.
  package var pageMemory: Int? { value(.pageMemory)?.number }

  /// `domains`: where to look for printers in addition to the local link.
  package var domains: [String] { value(.domains)?.strings ?? [] }

  /// `[renderers.NAME]`; the user's overrides the administrator's.
  package func renderer(named name: String) -> RendererCommand? {
    layers.compactMap { $0.renderers[name] }.last
  }

  package var rendererNames: [String] { Set(layers.flatMap(\.renderers.keys)).sorted() }

  /// Print options that are set for a job, lowest priority first.
  ///
  /// The administrator's file comes before the user's, and in each file general options before the type's, and these
  /// before the printer's.
  package func settings(for type: JobType, printer: String?) -> [Setting] {
    layers.flatMap { layer in
      layer.options + (layer.byType[type] ?? [])
        + (printer.flatMap { layer.byPrinter[$0.lowercased()] } ?? [])
    }
  }
}

extension Configuration {
  /// Print options that may be set for all jobs.
  fileprivate static let general: [PrintOption] = [
    .font, .align, .textColor, .margins, .color, .quality, .sides,
  ]

  /// Keys that are set for all jobs; below `types` and `printers`, the keys are those of print options.
  package static let plainKeys = PlainKey.allCases.map(\.rawValue) + general.map(\.rawValue)

  /// Tables of tables, each with a name: `[types.photo]`.
  fileprivate enum Group: String, CaseIterable { case types, printers, stamps, renderers }
}

extension Configuration.Layer {
  /// Every key of config.toml.
  static let keys =
    Configuration.plainKeys + Configuration.Group.allCases.map(\.rawValue)

  /// Reads a file; throws exit 78 with the first mistake.
  init(_ file: TOMLFile, _ directories: Directories) throws(Failure) {
    var mistakes: [Failure] = []
    self.init(file, directories, &mistakes)
    if let first = mistakes.first { throw first }
  }

  /// Reads everything that is valid, and collects every mistake, ordered by line.
  init(_ file: TOMLFile, _ directories: Directories, _ mistakes: inout [Failure]) {
    source = file.path
    for (key, value) in file.root {
      do throws(Failure) {
        try read(key, value, file, directories, &mistakes)
      } catch {
        mistakes.append(error)
      }
    }
    mistakes.sort { $0.place?.line ?? 0 < $1.place?.line ?? 0 }
  }

  private mutating func read(
    _ key: String, _ value: TOMLFile.Value, _ file: TOMLFile, _ directories: Directories,
    _ mistakes: inout [Failure]
  ) throws(Failure) {
    if let plainKey = Configuration.PlainKey(rawValue: key) {
      plain[plainKey] = try file.checked(value, plainKey)
      return
    }
    if PrintOption(rawValue: key).map(Configuration.general.contains) == true {
      options.append(try Configuration.Setting(key, value, nil, file))
      return
    }
    guard let group = Configuration.Group(rawValue: key) else { throw misplaced(key, value, file) }
    guard case .table(let tables) = value else {
      throw file.failure(at: key, "\(key) are written as [\(key).NAME].")
    }
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      do throws(Failure) {
        switch group {
        case .stamps: try addStamp(name, table, file, home: directories.home)
        case .renderers: renderers[name] = try Configuration.RendererCommand(name, table, file)
        case .types, .printers: try add(table, to: key, name, file, &mistakes)
        }
      } catch {
        mistakes.append(error)
      }
    }
  }

  /// The failure for a key that belongs elsewhere in config.toml, or nowhere.
  private func misplaced(_ key: String, _ value: TOMLFile.Value, _ file: TOMLFile) -> Failure {
    if PrintOption(rawValue: key).map(PrintOption.settings.contains) == true {
      return file.failure(
        at: key,
        "\"\(key)\" belongs below [types.TYPE] or [printers.\"NAME\"]: it can't be set for all jobs."
      )
    }
    if ["printer", "default", "default-printer"].contains(key) {
      return file.failure(
        at: key,
        "set the default printer with: airprint default "
          + (value.string.map(TOMLFile.typed) ?? "NAME"))
    }
    return file.unknown(
      key, but: Configuration.Layer.keys + PrintOption.settings.map(\.rawValue))
  }

  private mutating func add(
    _ table: TOMLFile.Value, to group: String, _ name: String, _ file: TOMLFile,
    _ mistakes: inout [Failure]
  ) throws(Failure) {
    guard case .table(let members) = table else {
      throw file.failure(at: name, in: group, "settings are written below [\(group).\(name)].")
    }
    var settings: [Configuration.Setting] = []
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      // For an option that may be given several times, a list sets it once for each element.
      let isList = PrintOption(rawValue: key)?.isRepeatable == true
      for value in isList ? value.elements : [value] {
        do throws(Failure) {
          settings.append(try Configuration.Setting(key, value, "\(group).\(name)", file))
        } catch {
          mistakes.append(error)
        }
      }
    }
    if group == "printers" {
      if let other = printerNames[name.lowercased()] {
        throw file.failure(
          at: name, in: group, "\"\(name)\" is the same printer as \"\(other)\".")
      }
      byPrinter[name.lowercased()] = settings
      printerNames[name.lowercased()] = name
    } else if let type = JobType(rawValue: name) {
      byType[type] = settings
    } else {
      let names = JobType.allCases.map(\.rawValue)
      throw file.failure(
        at: name, in: "types.\(name)", "no job type \"\(name)\"\(names.suggestion(for: name)).")
    }
  }
}

extension TOMLFile {
  /// Returns the value of a key, with a duration in seconds; throws exit 78 for one that the key does not take.
  fileprivate func checked(
    _ value: Value, _ plainKey: Configuration.PlainKey
  ) throws(Failure) -> Value {
    let key = plainKey.rawValue
    switch plainKey {
    case .timeout: return .number(try duration(value, of: key))
    case .pageTime: _ = try number(value, of: key, "seconds", 1...86_400)
    case .pageMemory: _ = try number(value, of: key, "megabytes", 32...1_000_000)
    case .laterWhenOffline, .notify: _ = try boolean(value, of: key)
    case .onAvailable: _ = try text(value, of: key, "a command for the shell")
    case .onTimeout:
      guard [.text("leave"), .text("cancel")].contains(value) else {
        throw failure(at: key, "on-timeout takes leave or cancel.")
      }
    case .domains:
      // At most 32 names (RFC 1035 §2.3.4).
      let names = value.elements
      guard names.count <= 32, names.allSatisfy({ $0.string?.isDomain == true }) else {
        throw failure(at: key, "domains takes a list of domains, such as [\"print.example.com\"].")
      }
    }
    return value
  }

  /// Reads a duration in seconds, from a number or a string such as "5m".
  fileprivate func duration(_ value: Value, of key: String) throws(Failure) -> Int {
    guard let text = value.string else {
      return try number(value, of: key, "seconds", 1...1_000_000)
    }
    guard let seconds = PrintOption.seconds(text) else {
      throw failure(
        at: key, "\(key) takes a number of seconds, or a string such as \"5m\" or \"1h\".")
    }
    return seconds
  }
}

extension Configuration.Setting {
  /// Creates a setting, and applies it at once so that an error names this line instead of failing a print job.
  ///
  /// Throws exit 78.
  init(
    _ key: String, _ value: TOMLFile.Value, _ table: String?, _ file: TOMLFile
  ) throws(Failure) {
    guard let option = PrintOption(rawValue: key), PrintOption.settings.contains(option) else {
      let names = PrintOption.settings.map(\.rawValue)
      throw file.failure(
        at: key, in: table, "unknown print option \"\(key)\"\(names.suggestion(for: key)).")
    }
    guard let text = value.typed else {
      throw file.failure(at: key, in: table, "\(key) takes a plain value.")
    }
    var scratch = PrintRequest()
    do {
      try option.apply(text, to: &scratch)
    } catch {
      // The key, as it is written here, and not the option.
      let option = "--\(key)"
      throw file.failure(
        at: key, in: table,
        error.message.hasPrefix(option) ? String(error.message.dropFirst(2)) : error.message)
    }
    self.init(option: option, value: text, source: file.path)
    let path =
      scratch.stamps.last?.path ?? scratch.renderer ?? scratch.assets
      ?? scratch.alternates.last?.file
    let place = path == nil ? nil : file.place(of: key, in: table)
    self.file = path.map { .init(path: $0, isProgram: option == .renderer, place: place) }
  }
}

extension String {
  /// True for labels of 1 to 63 octets between dots.
  fileprivate var isDomain: Bool {
    let labels = split(separator: ".", omittingEmptySubsequences: false)
    let inner = labels.last == "" ? labels.dropLast() : labels[...]
    return utf8.count <= 254 && !inner.isEmpty && !contains { ", ".contains($0) }
      && inner.allSatisfy { (1...63).contains($0.utf8.count) }
  }
}

extension Configuration {
  /// One value as written in a file.
  package struct Entry: Sendable, Equatable {
    package var name: String
    package var value: String
    /// `types.receipt`, `printers.till`; nil: for all jobs.
    package var scope: String?
    package var source: String
  }

  /// Every value of both files, lowest priority first: the list that `doctor` prints.
  package var entries: [Entry] {
    layers.flatMap { (layer) -> [Entry] in
      func entries(_ settings: [Setting]?, _ scope: String? = nil) -> [Entry] {
        (settings ?? []).map {
          Entry(name: $0.option.rawValue, value: $0.value, scope: scope, source: $0.source)
        }
      }
      let plain = PlainKey.allCases.compactMap { key in
        layer.plain[key].map { value in
          let words = value.elements.compactMap(\.typed).joined(separator: ", ")
          return Entry(name: key.rawValue, value: words, scope: nil, source: layer.source)
        }
      }
      let types = layer.byType.keys.sorted().flatMap {
        entries(layer.byType[$0], "types.\($0.rawValue)")
      }
      let printers = layer.byPrinter.keys.sorted().flatMap {
        entries(layer.byPrinter[$0], "printers.\(layer.printerNames[$0] ?? $0)")
      }
      let stamps = layer.stamps.sorted { $0.key < $1.key }.map {
        Entry(name: "stamp", value: $1.name, scope: "stamps.\($0)", source: layer.source)
      }
      let renderers = layer.renderers.sorted { $0.key < $1.key }.map { name, renderer in
        Entry(
          name: "command", value: renderer.command.joined(separator: " "),
          scope: "renderers.\(name)", source: renderer.source)
      }
      return [plain, entries(layer.options), types, printers, stamps, renderers].flatMap(\.self)
    }
  }

  private var files: [NamedFile] {
    layers.flatMap { layer in
      (Array(layer.byType.values.joined()) + layer.byPrinter.values.joined()).compactMap(\.file)
        + layer.stampFiles
    }
  }

  /// Returns the failure of a job that lacks a file, or a renderer: exit 78, with its place, if a setting names it.
  package func blaming(_ failure: Failure, for name: String) -> Failure {
    let program = renderer(named: name)?.program
    guard let file = program ?? files.last(where: { $0.path == name }) else { return failure }
    return Failure(.configuration, failure.event, hints: failure.hints, at: file.place)
  }

  /// Every file and program that a setting names and that is missing, as exit 78; programs are in a PATH.
  package func missingFiles(_ path: String) -> [Failure] {
    let names = Set(rendererNames + layers.flatMap(\.stamps.keys))
    let programs = layers.flatMap { $0.renderers.values.map(\.program) }
    return (files + programs).filter { file in
      !names.contains(file.path)
        && (file.isProgram
          ? ProgramPath.find(file.path, in: path) == nil : access(file.path, F_OK) != 0)
    }.map {
      let words = $0.isProgram ? "program \($0.path) not found." : "\($0.path): No such file."
      return Failure(.configuration, words, at: $0.place)
    }.sorted { $0.message < $1.message }
  }

  /// The stamp for a request: if it names a `[stamps.NAME]`, that stamp, with the typed options overriding its own.
  package func stamp(_ asked: Stamp) -> Stamp {
    guard case .file(let name) = asked.source,
      let known = layers.compactMap({ $0.stamps[name] }).last
    else { return asked }
    var stamp = known
    stamp.isBelow = asked.isBelow
    stamp.options = asked.options.over(known.options)
    return stamp
  }
}

extension Configuration.Layer {
  private static let stampKeys = ["file", "text"] + StampOptions.Key.allCases.map(\.rawValue)

  /// Adds `[stamps.NAME]`: a file or a text, and the options of `--overlay`.
  ///
  /// A file's path is relative to the folder of the settings file, or with `~/` to the user's home.
  mutating func addStamp(
    _ name: String, _ table: TOMLFile.Value, _ file: TOMLFile, home: String
  ) throws(Failure) {
    let place = "stamps.\(name)"
    guard case .table(let members) = table else {
      throw file.failure(at: name, in: "stamps", "stamps are written below [\(place)].")
    }
    try file.refuseUnknown(members, but: Self.stampKeys, in: place)
    var source: Stamp.Source?
    var options = StampOptions()
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let text = value.typed else {
        throw file.failure(at: key, in: place, "\(key) takes a plain value.")
      }
      if key == "text" {
        source = .text(text)
      } else if key == "file" {
        let path = file.resolved(text, home)
        source = .file(path)
        stampFiles.append(.init(path: path, place: file.place(of: key, in: place)))
      } else if let option = StampOptions.Key(rawValue: key) {
        do {
          try options.set(option, text)
        } catch {
          throw file.failure(at: key, in: place, "\(error.description).")
        }
      }
    }
    guard let source, !(members["file"] != nil && members["text"] != nil) else {
      throw file.failure(at: name, in: place, "a stamp has either a file or a text.")
    }
    stamps[name] = Stamp(source: source, isBelow: false, options: options)
  }
}

extension TOMLFile {
  /// Resolves a path written in this file.
  fileprivate func resolved(_ text: String, _ home: String) -> String {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/") { return home + text.dropFirst(1) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return folder + text
  }
}

extension Configuration {
  /// `[renderers.NAME]`: a named program that makes pages.
  package struct RendererCommand: Sendable, Equatable {
    package var command: [String]
    /// Seconds.
    package var timeLimit = 60
    /// The file that contains it.
    package var source: String
    let program: NamedFile

    private static let keys = ["command", "timeout"]

    /// Reads a renderer: `command = "receipt.py"` or `command = ["python3", "/srv/receipt.py"]`.
    init(_ name: String, _ value: TOMLFile.Value, _ file: TOMLFile) throws(Failure) {
      let table = "renderers.\(name)"
      guard case .table(let members) = value else {
        throw file.failure(at: name, in: "renderers", "a renderer is written as [\(table)].")
      }
      try file.refuseUnknown(members, but: RendererCommand.keys, in: table)
      let command = members["command"]?.strings ?? []
      guard let first = command.first, !first.isEmpty else {
        throw file.failure(at: table, "a renderer needs a command.")
      }
      self.command = command
      program = NamedFile(
        path: first, isProgram: true, place: file.place(of: "command", in: table))
      source = file.path
      guard let timeout = members["timeout"] else { return }
      timeLimit = try file.number(timeout, of: "timeout", in: table, "seconds", 1...3_600)
    }
  }
}
