package import PrintModel
internal import Synchronization

/// The settings files as one run of the program sees them: each is read once, when it is first needed.
///
/// So no two parts of a run see different versions of a file. Printers that this run changes are read again. A
/// long-running service makes a new instance when files have changed.
package final class SettingsFiles: Sendable {
  private let places: Directories
  private let known = Mutex(Loaded())

  private struct Loaded {
    var configuration: Result<Configuration, Failure>?
    var printers: Result<PrinterStore, Failure>?
    var quirks: Result<Quirks, Failure>?
    var converters: Result<Converters, Failure>?
  }

  package init(_ places: Directories) { self.places = places }

  /// `config.toml`.
  ///
  /// Throws exit 78 for an invalid file, or one that others may write, here and below.
  package func configuration() throws(Failure) -> Configuration {
    try value(\.configuration) { places throws(Failure) in try Configuration(places) }
  }

  /// `printers.toml`.
  package func printers() throws(Failure) -> PrinterStore {
    try value(\.printers) { places throws(Failure) in try PrinterStore(places) }
  }

  /// `quirks.toml`.
  package func quirks() throws(Failure) -> Quirks {
    try value(\.quirks) { places throws(Failure) in try Quirks(places) }
  }

  /// `converters/`.
  package func converters() throws(Failure) -> Converters {
    try value(\.converters) { places throws(Failure) in try Converters(places) }
  }

  /// `converters/`, as above; nil if none reads a file of this name or media type.
  package func converters(for name: String, of type: String?) throws(Failure) -> Converters? {
    Converters.mayRead(name, type, places) ? try converters() : nil
  }

  /// Changes the user's printers, or the administrator's, on disk, under their lock: see `PrinterStore.change`.
  ///
  /// Throws the same errors: exit 73 and 78.
  package func changePrinters(
    system: Bool = false, _ change: (inout PrinterStore.File) throws(Failure) -> Void
  ) throws(Failure) {
    defer { known.withLock { $0.printers = nil } }
    try PrinterStore.change(places, system: system, change)
  }

  private func value<Value: Sendable>(
    _ path: WritableKeyPath<Loaded, Result<Value, Failure>?>,
    _ read: (Directories) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = known.withLock { known in
      if let result = known[keyPath: path] { return result }
      let result = Result { () throws(Failure) in try read(places) }
      known[keyPath: path] = result
      return result
    }
    return try result.get()
  }
}
