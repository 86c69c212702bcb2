internal import ForeignText
package import PrintModel

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
