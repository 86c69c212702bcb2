internal import AirprintContext
internal import Glibc
package import PrintModel
internal import PrintOptions
package import Submission

extension JobRequest {
  /// The typed options, as the journal keeps it.
  init(
    _ wish: PrintArguments, for document: OpenDocument, at printers: [String] = [],
    _ context: Context
  ) {
    self.init()
    self.printers = printers
    for name in ["LC_ALL", "LC_PAPER", "LANG"] { locale[name] = context.environment[name] }
    type = wish.type?.rawValue
    options = wish.typed.map { Option(name: $0.option.rawValue, value: $0.value) }
    // An HTML page finds its pictures where they are: its folder may be any size.
    let assets = PrintOption.assets.rawValue
    options = options.map { option in
      guard option.name == assets, let real = absolute(option.value) else { return option }
      return Option(name: assets, value: real)
    }
    // Pictures that a receipt names are copied beside it.
    if document.file.chain == nil { options.removeAll { $0.name == assets } }
    if document.file.chain != nil, let folder = document.file.folder,
      !options.contains(where: { $0.name == assets })
    {
      options.append(Option(name: assets, value: folder))
    }
    title = wish.title
    force = wish.force
    strict = wish.strict
    endsWhenSent = wish.endsWhenSent
    notifies = wish.notifies
    timeout = wish.timeout.map { Int($0.components.seconds) }
    leavesOnTimeout = wish.leavesOnTimeout
    hasPIN = wish.pin != nil
  }
}

extension PrintArguments {
  /// The print arguments of a job in the journal, with the copies of its files in their place. Exit
  /// 70 for a request that this version can't read.
  package init(_ entry: JournalEntry) throws(Failure) {
    let request = entry.record.request
    guard let document = entry.document else {
      throw Failure(
        .unreadable, "The journal has no copy of the document of the job \(entry.record.id).")
    }
    self.init(files: [document])
    names[document] = entry.record.file
    printers = request.printers
    password = entry.secret
    if let word = request.type { type = JobType(rawValue: word) }
    for option in request.options {
      guard let known = PrintOption(rawValue: option.name) else {
        throw Failure(
          .fault,
          "The job \(entry.record.id) was asked for with the option \(option.name), which "
            + "this version of airprint does not know.")
      }
      typed.append((known, entry.withCopies(option.value, of: known)))
    }
    title = request.title ?? entry.record.name
    force = request.force
    strict = request.strict
    endsWhenSent = request.endsWhenSent
    notifies = request.notifies
    timeout = request.timeout.map { .seconds($0) }
    leavesOnTimeout = request.leavesOnTimeout
    needsPIN = request.hasPIN
  }
}

/// A path that leads to the same place from anywhere; nil when there is nothing.
private func absolute(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}
