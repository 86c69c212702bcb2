internal import PrintModel
internal import Settings
internal import Submission

extension PrintWish {
  /// The files that options name, opened, for the journal's copies: alternates and stamps. A stamp of the
  /// settings stays where they say. Exit 65 and 66 for a file that can't be printed or read; the sentence
  /// names it.
  func namedFiles(_ context: Context) throws(Failure) -> [InputFile] {
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
    let configuration = try Configuration(context.places)
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
  var source: Journal.Source {
    Journal.Source(descriptor: descriptor, path: path, mediaType: mediaType)
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
