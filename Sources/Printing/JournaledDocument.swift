internal import AirprintContext
internal import PrintModel
internal import PrintOptions
internal import Settings
internal import Submission

extension Journal {
  /// Puts a job into the journal with copies of every file that was named, all on disk when this returns; the entry
  /// is held.
  ///
  /// A job that will be printed by another process (`isKept`) also gets the document's password, and the folder of
  /// `--assets`. Exit 65 and 66 for a file that can't be printed or read, 73 when the journal can't be written.
  func begin(
    _ record: JobRecord, for document: OpenDocument, by arguments: PrintArguments,
    _ context: Context
  ) throws(Failure) -> JournalEntry {
    if isCrowded { prune() }
    let named = try arguments.namedFiles(context)
    // An array's elements may go with its last use, and these close their files: the optimizer did that.
    let entry = try withExtendedLifetime(named) { () throws(Failure) in
      try begin(record, copying: document.sources + named.map(\.source))
    }
    guard record.isKept else { return entry }
    do throws(Failure) {
      if let password = arguments.password { try entry.keep(secret: password) }
      // A folder that was named is the job's; the one that a page is in may be any size.
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
  /// The files that options name, opened, for the journal's copies: alternates and stamps.
  ///
  /// A stamp of the settings stays where they say. Exit 65 and 66 for a file that can't be printed or read; the
  /// sentence names it.
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
        throw Failure(error.code, "\(alternate.file): \(error.message)")
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
  /// Files that the journal copies.
  var source: Journal.SourceFile {
    Journal.SourceFile(descriptor: descriptor, path: path, mediaType: mediaType)
  }
}

extension JournalEntry {
  /// A value of `option` with the copy in place of the file that it names: `FILE`, `PAPER=FILE`, or a
  /// stamp's `FILE@page=1`.
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
