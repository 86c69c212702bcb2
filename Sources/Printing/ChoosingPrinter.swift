package import AirprintContext
internal import ForeignText
package import PrintModel
internal import Printers
package import Settings
package import Submission
package import System

extension PrintArguments {
  /// Returns the types, as far as they are certain, of the documents for which no printer is saved by type.
  ///
  /// A file that can't be opened needs none.
  package func typesWithoutPrinter(
    _ context: Context, cancellation: Cancellation
  ) throws(Failure) -> [JobType?] {
    let store = try context.settings.printers()
    let configuration = try context.settings.configuration()
    let handling = try documentHandling(on: nil, configuration, context)
    return files.filter { InputFile.exists($0) }.compactMap { file in
      try? OpenDocument(file, context, handling: handling, cancellation: cancellation)
    }.map(\.info.sureType).filter { $0.flatMap(store.printer(for:)) == nil }
  }
}

extension JobRecord {
  /// The type that chooses the printer of a job in the journal: the one that was named, or the document's own.
  package var choosingType: JobType? {
    (request.type ?? sureType).flatMap(JobType.init(rawValue:))
  }

  /// Returns the saved printer for a job that named none.
  package func likelyPrinter(in store: PrinterStore) -> SavedPrinter? {
    store.printer(forJob: choosingType)
  }
}

extension PrintRun {
  /// Opens a document, and returns it with the printers for it: the one that is saved for its type, if the document
  /// chooses, else those of the run.
  ///
  /// Exit 69 if there is none.
  func documentAndTargets(_ file: String) throws(Failure) -> (OpenDocument, [PrinterReference]) {
    let document = try open(file, for: targets.first)
    if arguments.choosesPrinter, let type = document.info.sureType,
      let saved = try context.settings.printers().printer(for: type)
    {
      let reason = "printer: \(saved.name), which is saved for \(type.plurals)"
      let target = PrinterReference(saved)
      let isOpened = try handling(on: target) == document.handling
      self.choice = reason
      return (isOpened ? document : try open(file, for: target), [target])
    }
    choice = nil
    guard !targets.isEmpty else {
      throw Failure.noPrinterSaved(
        for: arguments.type ?? document.info.sureType, context)
    }
    return (document, targets)
  }

  private func open(_ file: String, for target: PrinterReference?) throws(Failure) -> OpenDocument {
    try OpenDocument(
      file, context, handling: try handling(on: target), cancellation: cancellation)
  }

  private func handling(on target: PrinterReference?) throws(Failure) -> DocumentHandling {
    try arguments.documentHandling(
      on: target, try context.settings.configuration(), context)
  }

  /// Returns `Till is saved for receipts: -d Till`, or `Till prints receipts: -d Till`, if this printer does not print
  /// the type.
  func typeHint(_ type: JobType?, at session: PrinterConnection) throws(Failure) -> String? {
    guard let type, !session.serves(type) else { return nil }
    let store = try context.settings.printers()
    func isOther(_ printer: SavedPrinter) -> Bool {
      printer.uri != session.target.uri && printer.types.contains(type)
    }
    let saved = store.printer(for: type).flatMap { isOther($0) ? $0 : nil }
    guard let other = saved ?? store.printers.first(where: isOther) else { return nil }
    return "\(other.name) \(saved == nil ? "prints" : "is saved for") \(type.plurals): "
      + "-d \(ShellWord.quoted(other.name.safeName))"
  }
}
