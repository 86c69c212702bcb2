package import AirprintContext
package import PrintModel
internal import PrintOptions
internal import Printers
package import Submission
internal import System

extension Journal {
  /// Adds a job to the journal with copies of every file that was named, all on disk on return; the entry is held.
  ///
  /// `complete` adds what else is known to the new record.
  ///
  /// For a job that another process will print (`isKept`), the document's password and the folder of `--assets` are
  /// stored as well. Exit 65 and 66 for a file that can't be printed or read, 73 if the journal can't be written.
  func begin(
    _ document: OpenDocument, by arguments: PrintArguments, at printers: [String],
    _ context: Context, _ complete: (inout JobRecord) -> Void
  ) throws(Failure) -> JournalEntry {
    var record = JobRecord(
      name: document.jobName(document.info), file: document.name, printer: "", uri: "",
      addresses: [], user: context.user, created: WallClock.seconds)
    record.request = JobRequest(arguments, for: document.file, at: printers, context)
    complete(&record)
    if isCrowded { prune() }
    let named = try arguments.namedFiles(context)
    // The optimizer may free an array's elements after its last use, and these close their files on that; it did.
    let entry = try withExtendedLifetime((document, named)) { () throws(Failure) in
      try begin(record, copying: document.sources + named.map(\.source))
    }
    guard record.isKept else { return entry }
    do throws(Failure) {
      if let password = arguments.password { try entry.keep(secret: password) }
      // A folder that was named belongs to the job; the folder of an HTML page may have any size.
      let assets = PrintOption.assets.rawValue
      for option in record.request.options
      where option.name == assets && arguments.typed.contains(where: { $0.option == .assets }) {
        try entry.copy(folder: option.value)
      }
    } catch {
      remove(entry)
      throw error
    }
    return entry
  }
}

extension PrintArguments {
  /// Opens the files that options name (alternates and stamps) for the journal's copies.
  ///
  /// A stamp from the settings is not copied. Exit 65 and 66 for a file that can't be printed or read; the message
  /// names it.
  fileprivate func namedFiles(_ context: Context) throws(Failure) -> [InputFile] {
    var request = PrintRequest()
    for (option, value) in typed where [.alternate, .overlay, .underlay].contains(option) {
      try option.apply(value, to: &request)
    }
    var files: [InputFile] = []
    for alternate in request.alternates {
      do throws(Failure) {
        files.append(try InputFile(alternate.file, context))
      } catch {
        throw error.of(alternate.file)
      }
    }
    let configuration = try context.settings.configuration()
    for stamp in request.stamps where configuration.stamp(stamp) == stamp {
      guard case .file(let path) = stamp.source else { continue }
      do throws(Failure) {
        files.append(try stamp.opened(path, context))
      } catch {
        throw stamp.failure(error)
      }
    }
    return files
  }
}

extension InputFile {
  /// The file as a source for the journal's copies.
  var source: Journal.SourceFile {
    Journal.SourceFile(descriptor: descriptor, path: path, mediaType: mediaType)
  }
}

extension JournalEntry {
  /// Replaces the file in a value of `option` by its copy: `FILE`, `PAPER=FILE`, or a stamp's `FILE@page=1`.
  func withCopies(_ value: String, of option: PrintOption) -> String {
    if let copy = copy(of: value) { return copy }
    if option == .overlay || option == .underlay {
      guard case .file(let path) = Stamp(value, isBelow: option == .underlay).source,
        let copy = copy(of: path)
      else { return value }
      return copy + value.dropFirst(path.count)
    }
    guard let sign = value.firstIndex(of: "="),
      let copy = copy(of: String(value[value.index(after: sign)...]))
    else { return value }
    return value[...sign] + copy
  }
}

/// Adds an opened document to the queue.
///
/// Exit 73 if the journal can't be written, 78 if printers.toml is invalid.
///
/// - `failure`: the reason why it waits, if a printer was tried.
package func queue(
  _ document: OpenDocument, by arguments: PrintArguments, _ context: Context,
  after failure: Failure? = nil
) throws(Failure) -> JobRecord {
  let saved = try context.settings.printers()
  // A whole name, as it is or of the saved printer of which a part was typed.
  let printers = try arguments.printers.map { (name) throws(Failure) in
    try saved.findWhole(name) == nil ? saved.find(name)?.words ?? name : name
  }
  let entry = try context.journal.begin(document, by: arguments, at: printers, context) { record in
    record.phase = .queued
    record.isKept = true
    record.isForLater = true
    record.pages = document.info.reflows ? nil : document.info.pages.count
    record.type = document.info.guessedType.rawValue
    record.sureType = document.info.sureType?.rawValue
    record.printer = printers.first ?? record.likelyPrinter(in: saved)?.name ?? ""
  }
  if let failure, let proof = NothingPrinted(entry.record) {
    try entry.update { $0.wait(JobOutcome(failure), proof) }
  }
  entry.release()
  context.journal.knock()
  return entry.record
}
