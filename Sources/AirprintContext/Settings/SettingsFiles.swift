internal import Glibc
package import PrintModel
internal import Synchronization
internal import System

/// The settings files as one run of the program sees them: each is read once, when it is first needed.
///
/// So no two parts of a run see different versions of a file. Printers that this run changes are read again. A
/// long-running service makes a new instance when files have changed.
package final class SettingsFiles: Sendable {
  private let directories: Directories
  private let known = Mutex(Loaded())

  private struct Loaded {
    var configuration: Result<Configuration, Failure>?
    var printers: Result<PrinterStore, Failure>?
    var quirks: Result<Quirks, Failure>?
    var converters: Result<Converters, Failure>?
  }

  package init(_ directories: Directories) { self.directories = directories }

  /// `config.toml`.
  ///
  /// Throws exit 78 for an invalid file, or one that others may write, here and below.
  package func configuration() throws(Failure) -> Configuration {
    try value(\.configuration) { directories throws(Failure) in try Configuration(directories) }
  }

  /// `printers.toml`.
  package func printers() throws(Failure) -> PrinterStore {
    try value(\.printers) { directories throws(Failure) in try PrinterStore(directories) }
  }

  /// `quirks.toml`.
  package func quirks() throws(Failure) -> Quirks {
    try value(\.quirks) { directories throws(Failure) in try Quirks(directories) }
  }

  /// `converters/`.
  package func converters() throws(Failure) -> Converters {
    try value(\.converters) { directories throws(Failure) in try Converters(directories) }
  }

  /// `converters/`, as above; nil if none reads a file of this name or media type.
  package func converters(for name: String, of type: String?) throws(Failure) -> Converters? {
    Converters.mayRead(name, type, directories) ? try converters() : nil
  }

  /// Changes the user's printers, or the administrator's, on disk, under their lock: see `PrinterStore.change`.
  ///
  /// Throws the same errors: exit 73 and 78.
  package func changePrinters(
    system: Bool = false, _ change: (inout PrinterStore.File) throws(Failure) -> Void
  ) throws(Failure) {
    defer { known.withLock { $0.printers = nil } }
    try PrinterStore.change(directories, system: system, change)
  }

  private func value<Value: Sendable>(
    _ path: WritableKeyPath<Loaded, Result<Value, Failure>?>,
    _ read: (Directories) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = known.withLock { known in
      if let result = known[keyPath: path] { return result }
      let result = Result { () throws(Failure) in try read(directories) }
      known[keyPath: path] = result
      return result
    }
    return try result.get()
  }
}

extension Directories {
  /// The advice for a base folder that this user may not use.
  static func other(_ variable: String) -> String {
    "Set \(variable) to a folder that this user can write."
  }

  /// Replaces a file of settings or state as a whole: takes its folder's lock, lets `change` read the current file and
  /// return the new text, and writes that.
  ///
  /// A symbolic link stays one. Everybody may read the administrator's files. Throws exit 73 when the file can't be
  /// written, or the folder belongs to another account; and whatever `change` throws.
  func replace(
    _ path: String, mode: mode_t = 0o600, _ change: () throws(Failure) -> String
  ) throws(Failure) {
    let isSystem = path.hasPrefix("\(system)/")
    let mode = isSystem ? 0o644 : mode
    let (folder, target) = (FileTrust.folder(of: path), absolutePath(path) ?? path)
    for place in [folder, FileTrust.folder(of: target)] {
      if let refusal = FileTrust.refusal(of: place) { throw refusal }
    }
    guard FileTrust.makeFolder(folder), let lock = FileLock(file: "\(folder)/.lock", waits: true)
    else {
      let failure = Failure.cannotWrite(path, SystemError())
      let variable = path.hasPrefix("\(state)/") ? "XDG_STATE_HOME" : "XDG_CONFIG_HOME"
      throw isSystem ? failure : failure.adding(Directories.other(variable))
    }
    defer { withExtendedLifetime(lock) {} }
    let bytes = Array(try change().utf8)
    guard bytes.count <= TOMLFile.longest else {
      throw .cannotWrite(
        "\(path) would be longer than \(TOMLFile.longest >> 20) MB. Nothing was saved.")
    }
    // A file's time tells when it was changed.
    let isSame = FileStatus(path).map { $0.st_mode & 0o777 } == mode && wholeFile(path) == bytes
    guard isSame || AtomicFile.replace(target, with: bytes, mode: mode) else {
      throw .cannotWrite(path, SystemError())
    }
    if isSystem { chmod(system, 0o755) }
  }

  /// Throws exit 73 if this user may not write the administrator's file of this name; before a user takes the trouble
  /// of an edit or a choice.
  package func refuseUnwritableSystem(_ name: String) throws(Failure) {
    guard access(FileTrust.existing(system), W_OK) == 0 else {
      throw .cannotWrite("\(system)/\(name)", SystemError())
    }
  }
}
