internal import ForeignText
package import PrintModel
internal import PrintOptions

/// Saved printers, and which of them is used for which type: the user's `printers.toml` over the administrator's.
package struct PrinterStore: Sendable, Equatable {
  /// The contents of one file.
  package struct File: Sendable, Equatable {
    package var printers: [SavedPrinter] = []
    package var defaultName: String?
    package var byType: [JobType: String] = [:]

    package init() {}
  }

  package var user: File
  package var system: File

  package init(user: File, system: File) {
    self.user = user
    self.system = system
  }

  /// The user's printers, then the administrator's whose names the user's don't have.
  package var printers: [SavedPrinter] {
    let own = Set(user.printers.map { $0.name.lowercased() })
    return user.printers + system.printers.filter { !own.contains($0.name.lowercased()) }
  }

  package var defaultPrinter: SavedPrinter? {
    (user.defaultName ?? system.defaultName).flatMap(printer(named:))
  }

  /// The printer saved for a type.
  package func printer(for type: JobType) -> SavedPrinter? {
    (user.byType[type] ?? system.byType[type]).flatMap(printer(named:))
  }

  /// The printer for a job that names none: the one saved for the type, else the default.
  package func printer(forJob type: JobType?) -> SavedPrinter? {
    type.flatMap(printer(for:)) ?? defaultPrinter
  }

  /// The printer with this saved name, as it is, as offered by completion (`safeName`), or else ignoring case.
  package func printer(named name: String) -> SavedPrinter? {
    printers.first { $0.name == name || $0.name.isCoded(as: name) }
      ?? printers.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Types for which a printer is saved.
  package func types(of name: String) -> [JobType] {
    JobType.allCases.filter { printer(for: $0)?.name == name }
  }
}

extension PrinterStore.File {
  /// Saves a printer, replacing one with the same name.
  package mutating func save(_ printer: SavedPrinter) {
    save([printer])
  }

  /// Saves printers, of which there may be tens of thousands.
  package mutating func save(_ new: [SavedPrinter]) {
    var places = Dictionary(
      printers.indices.map { (printers[$0].name.lowercased(), $0) }, uniquingKeysWith: min)
    for printer in new {
      let key = printer.name.lowercased()
      if let place = places[key] {
        printers[place] = printer
      } else {
        places[key] = printers.endIndex
        printers.append(printer)
      }
    }
  }

  /// Removes a printer and all references to it; returns false when there is none of that name.
  package mutating func forget(_ name: String) -> Bool {
    guard let place = printers.firstIndex(where: { $0.name.lowercased() == name.lowercased() })
    else { return false }
    let removed = printers.remove(at: place).name
    if defaultName?.lowercased() == removed.lowercased() { defaultName = nil }
    byType = byType.filter { $0.value.lowercased() != removed.lowercased() }
    return true
  }
}

extension PrinterStore {
  static let fileName = "printers.toml"

  /// Reads both files.
  ///
  /// Throws exit 78 for an invalid one.
  package init(_ directories: Directories) throws(Failure) {
    self.init(
      user: try File(TOMLFile(path: "\(directories.configuration)/\(PrinterStore.fileName)")),
      system: try File(TOMLFile(path: "\(directories.system)/\(PrinterStore.fileName)")))
  }

  /// Changes the user's file (or the administrator's) on disk, under its lock.
  ///
  /// Printers that another process saved in the meantime are kept. Throws exit 73 when the file can't be written, 78
  /// when the existing one is invalid.
  package static func change(
    _ directories: Directories, system: Bool = false, _ change: (inout File) throws(Failure) -> Void
  ) throws(Failure) {
    let path = "\(system ? directories.system : directories.configuration)/\(fileName)"
    try directories.replace(path) { () throws(Failure) in
      var contents = try File(TOMLFile(path: path))
      try change(&contents)
      return header + TOMLFile.text(of: contents.values)
    }
  }

  private static let header =
    "# Written by airprint pick. A printer needs no more than its uri.\n\n"
}

extension PrinterStore.File {
  /// Reads a file; an absent file is an empty one.
  ///
  /// - `skip`: called with each invalid part, a printer's name or a key, which is left out; nil: one invalid part makes
  ///   the whole file invalid.
  init(
    _ file: TOMLFile?, skip: ((_ part: String, Failure) -> Void)? = nil
  ) throws(Failure) {
    self.init()
    guard let file else { return }
    func attempt(_ part: String, _ body: () throws(Failure) -> Void) throws(Failure) {
      do throws(Failure) {
        try body()
      } catch {
        guard let skip else { throw error }
        skip(part, error)
      }
    }
    for (key, value) in file.root.sorted(by: { $0.key < $1.key }) {
      try attempt(key) { () throws(Failure) in
        try file.refuseUnknown([key: value], but: ["default", "types", "printers"])
        if key == "default", value.string == nil {
          throw file.failure(at: "default", "default takes a printer's name.")
        }
        guard key != "default" else { return }
        guard case .table = value else { throw file.failure(at: key, "\(key) is a table.") }
      }
    }
    defaultName = file.root["default"]?.string
    for (name, value) in file.root["types"]?.members ?? [:] {
      try attempt("types.\(name)") { () throws(Failure) in
        guard let type = JobType(rawValue: name), let printer = value.string else {
          throw file.failure(at: name, in: "types", "no job type is called \"\(name)\".")
        }
        byType[type] = printer
      }
    }
    for (name, value) in file.root["printers"]?.members ?? [:] {
      try attempt(name) { () throws(Failure) in
        printers.append(try SavedPrinter(name, value.members, file))
      }
    }
    printers.sort { $0.name < $1.name }
  }

  fileprivate var values: [String: TOMLFile.Value] {
    var root: [String: TOMLFile.Value] = [:]
    if let defaultName { root["default"] = .text(defaultName) }
    if !byType.isEmpty {
      root["types"] = .table(
        Dictionary(uniqueKeysWithValues: byType.map { ($0.key.rawValue, .text($0.value)) }))
    }
    if !printers.isEmpty {
      root["printers"] = .table(
        Dictionary(uniqueKeysWithValues: printers.map { ($0.name, .table($0.values)) }))
    }
    return root
  }
}

extension SavedPrinter {
  private static let keys = [
    "uri", "addresses", "service", "domain", "uuid", "model", "location", "types", "settings",
    "certificate", "tls", "host", "unproven",
  ]

  fileprivate init(
    _ name: String, _ members: [String: TOMLFile.Value], _ file: TOMLFile
  ) throws(Failure) {
    let table = "printers.\(name)"
    try file.refuseUnknown(members, but: SavedPrinter.keys, in: table)
    guard let uri = members["uri"]?.string else {
      throw file.failure(at: name, in: table, "the printer \(name) has no uri.")
    }
    self.init(name: name, uri: uri)
    host = members["host"]?.string
    addresses = members["addresses"]?.strings ?? []
    if let instance = members["service"]?.string {
      service = ServiceName(instance: instance, domain: members["domain"]?.string ?? "local")
    }
    uuid = members["uuid"]?.string
    makeAndModel = members["model"]?.string
    location = members["location"]?.string
    types = (members["types"]?.strings ?? []).compactMap(JobType.init(rawValue:))
    certificate = members["certificate"]?.string.flatMap { Fingerprint($0) }
    guard members["certificate"] == nil || certificate != nil else {
      throw file.failure(
        at: "certificate", in: table, "certificate takes a SHA-256 fingerprint: AB:CD:…, 32 pairs.")
    }
    lowestTLS = members["tls"]?.string.flatMap(TLSVersion.init)
    guard members["tls"] == nil || lowestTLS != nil else {
      let versions = TLSVersion.allCases.map { "\"\($0.rawValue)\"" }.inWords(joinedBy: "or")
      throw file.failure(
        at: "tls", in: table, "tls takes the lowest version to accept: \(versions).")
    }
    isUnproven = members["unproven"] == .boolean(true)
    guard isUnproven || members["unproven"] == nil || members["unproven"] == .boolean(false) else {
      throw file.failure(at: "unproven", in: table, "unproven takes true or false.")
    }
    for (option, value) in members["settings"]?.members ?? [:] {
      let setting = try Configuration.Setting(option, value, "\(table).settings", file)
      settings[option] = setting.value
    }
  }

  fileprivate var values: [String: TOMLFile.Value] {
    let texts = [
      "uri": uri, "host": host, "service": service?.instance, "domain": service?.domain,
      "uuid": uuid, "model": makeAndModel, "location": location, "certificate": certificate?.text,
      "tls": lowestTLS?.rawValue,
    ]
    var values = texts.compactMapValues { $0.map(TOMLFile.Value.text) }
    if !addresses.isEmpty { values["addresses"] = .list(addresses.map { .text($0) }) }
    if !types.isEmpty { values["types"] = .list(types.map { .text($0.rawValue) }) }
    if isUnproven { values["unproven"] = .boolean(true) }
    if !settings.isEmpty { values["settings"] = .table(settings.mapValues { .text($0) }) }
    return values
  }
}
