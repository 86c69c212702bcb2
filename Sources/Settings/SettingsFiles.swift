package import PrintModel
internal import Synchronization

/// The files of settings as one run of the program sees them: each is read when it is first asked for, and not
/// again, so that no two parts of a run see two versions of a file.
///
/// What this run writes itself it sees. A service that runs on takes a new one when files have changed.
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
  /// A wrong file is exit 78, here and below.
  package func configuration() throws(Failure) -> Configuration {
    try value(\.configuration) { places throws(Failure) in try Configuration(places) }
  }

  /// `printers.toml`.
  ///
  /// Exit 78 where it is wrong, or somebody else may write it.
  package func printers() throws(Failure) -> PrinterStore {
    try value(\.printers) { places throws(Failure) in try PrinterStore(places) }
  }

  /// `quirks.toml`.
  ///
  /// Exit 78 where it is wrong, or somebody else may write it.
  package func quirks() throws(Failure) -> Quirks {
    try value(\.quirks) { places throws(Failure) in try Quirks(places) }
  }

  /// `converters/`.
  ///
  /// Exit 78 where one is wrong, or somebody else may write it.
  package func converters() throws(Failure) -> Converters {
    try value(\.converters) { places throws(Failure) in try Converters(places) }
  }

  /// Changes the user's printers, or the administrator's, on disk, under their lock: see `PrinterStore.change`.
  ///
  /// Exit 73 and 78 as of that.
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
