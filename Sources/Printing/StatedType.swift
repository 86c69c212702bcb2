package import AirprintContext
internal import ForeignText
internal import Glibc
package import PrintModel
internal import PrintOptions
internal import Printers
package import Settings
package import Submission
package import System

extension PrintArguments {
  /// The type that chooses the printer: the one that was named, or the one that all files state (`*.receipt`,
  /// `#receipt`, `--from receipt`).
  ///
  /// A guessed type never chooses one.
  package var choosingType: JobType? {
    if let type { return type }
    if let from = typed.last(where: { $0.option == .from })?.value {
      return ["receipt", DocumentFormat.receipt].contains(from.lowercased()) ? .receipt : nil
    }
    return !files.isEmpty && files.allSatisfy(PrintArguments.isReceipt) ? .receipt : nil
  }

  /// Returns true for a receipt by its name or its first line.
  ///
  /// A pipe is only recognized after `InputFile.keepStandardInput`.
  private static func isReceipt(_ path: String) -> Bool {
    if path == "-" { return (try? InputFile.kept())?.type == DocumentFormat.receipt }
    if path.lowercased().hasSuffix(".receipt") { return true }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let type = try? InputFile.sniff(descriptor)
    else { return false }
    return type == DocumentFormat.receipt
  }
}

extension JobRecord {
  /// `PrintArguments.choosingType` of a job in the journal: only a file that states it is a receipt.
  package var choosingType: JobType? {
    request.type.flatMap(JobType.init(rawValue:))
      ?? (type == JobType.receipt.rawValue ? .receipt : nil)
  }

  /// Returns the saved printer for a job that named none: the one saved for the stated type, else the default printer.
  package func likelyPrinter(in store: PrinterStore) -> SavedPrinter? {
    choosingType.flatMap(store.printer(for:)) ?? store.defaultPrinter
  }
}

extension PrintRun {
  /// Reports once that another printer is saved for the document's apparent type: a guess never chooses one.
  func hintAtType(_ document: OpenDocument, at session: PrinterConnection, _ file: String)
    throws(Failure)
  {
    guard !isHinted, let hint = try typeHint(document, at: session) else { return }
    isHinted = true
    report(.event(file: file, .note(hint)))
  }

  /// Returns `Photo Booth is saved for photos: --type photo` if that is another printer than this one.
  func typeHint(_ document: OpenDocument, at session: PrinterConnection) throws(Failure) -> String?
  {
    guard arguments.type == nil, arguments.printers.isEmpty else { return nil }
    let type = document.info.guessedType
    guard let saved = try context.settings.printers().printer(for: type),
      saved.uri != session.target.uri, saved.name != session.target.name
    else { return try serverHint(for: arguments.choosingType, at: session) }
    return saved.hint(at: type)
  }

  /// Returns `Till prints receipts: -d Till` if this printer does not print a type, and no printer is saved for it.
  private func serverHint(
    for type: JobType?, at session: PrinterConnection
  ) throws(Failure) -> String? {
    guard let type, !session.serves(type) else { return nil }
    let others = try context.settings.printers().printers.filter {
      $0.types.contains(type) && $0.uri != session.target.uri
    }
    return others.first.map {
      "\($0.name) prints \(type.plurals): -d \(ShellWord.quoted($0.name.safeName))"
    }
  }

  /// Returns `Till is saved for receipts: -d Till` if this printer does not print the type that was asked for.
  func namedTypeHint(at session: PrinterConnection) throws(Failure) -> String? {
    guard let type = arguments.type, !session.serves(type),
      let saved = try context.settings.printers().printer(for: type),
      saved.uri != session.target.uri, saved.name != session.target.name
    else { return try serverHint(for: arguments.type, at: session) }
    return "\(saved.name) is saved for \(type.plurals): -d \(ShellWord.quoted(saved.name.safeName))"
  }
}

extension SavedPrinter {
  /// Returns the hint that it is saved for a document's apparent type.
  fileprivate func hint(at type: JobType) -> String {
    "\(name) is saved for \(type.plurals): --type \(type.rawValue)"
  }
}

extension Failure {
  /// Makes the failure `Failure.noPrinterSaved`, with the printer that is saved for the first document's apparent type.
  package static func noPrinterChosen(
    for arguments: PrintArguments, _ context: Context, cancellation: Cancellation
  ) -> Failure {
    let failure = noPrinterSaved(for: arguments.choosingType, context)
    guard arguments.choosingType == nil, let file = arguments.files.first,
      let store = try? context.settings.printers(), let photos = store.printer(for: .photo),
      let document = try? OpenDocument(file, context, cancellation: cancellation),
      document.info.guessedType == .photo
    else { return failure }
    return failure.adding("\(photos.hint(at: .photo)).")
  }
}
