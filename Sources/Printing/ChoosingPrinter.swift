package import AirprintContext
internal import Capability
internal import ForeignText
internal import Negotiation
package import PrintModel
package import Printers
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
    return files.filter { InputFile.exists($0) }.compactMap { file in
      try? open(file, for: nil, context, cancellation)
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

  /// Returns the printers on which the job is to be printed, as `PrinterStore.place` knows them.
  package func places(in store: PrinterStore) -> [PrinterReference] {
    let names = request.printers
    return names.isEmpty
      ? [likelyPrinter(in: store).map { PrinterReference($0) }].compactMap(\.self)
      : names.map(store.place)
  }
}

/// A document, and the printers for it.
struct PrintTask {
  let document: OpenDocument
  let targets: [PrinterReference]
  /// The reason for its printer, as a line of its plan; nil if the document did not choose it.
  var choice: String?
}

extension PrintRun {
  /// Opens a document, with the printer that is saved for its type, if the document chooses, else with those of the
  /// run.
  ///
  /// Exit 69 if there is none.
  func task(_ file: String) throws(Failure) -> PrintTask {
    let document = try arguments.open(file, for: targets.first, context, cancellation)
    if arguments.choosesPrinter, let type = document.info.sureType,
      let saved = try context.settings.printers().printer(for: type)
    {
      let target = PrinterReference(saved)
      let isOpened = try arguments.documentHandling(on: target, context) == document.handling
      return PrintTask(
        document: isOpened
          ? document : try arguments.open(file, for: target, context, cancellation),
        targets: [target], choice: "printer: \(saved.name), which is saved for \(type.plurals)")
    }
    guard !targets.isEmpty else {
      throw Failure.noPrinterSaved(for: arguments.type ?? document.info.sureType, context)
    }
    return PrintTask(document: document, targets: targets)
  }

  /// Returns `Till is saved for receipts: -d Till`, or `Till prints receipts: -d Till`, if this printer does not print
  /// the type.
  func typeHint(_ type: JobType?, at connection: PrinterConnection) throws(Failure) -> String? {
    guard let type, !connection.serves(type) else { return nil }
    let store = try context.settings.printers()
    func isOther(_ printer: SavedPrinter) -> Bool {
      printer.uri != connection.target.uri && printer.types.contains(type)
    }
    let saved = store.printer(for: type).flatMap { isOther($0) ? $0 : nil }
    guard let other = saved ?? store.printers.first(where: isOther) else { return nil }
    return "\(other.name) \(saved == nil ? "prints" : "is saved for") \(type.plurals): "
      + "-d \(ShellWord.quoted(other.name.safeName))"
  }

  /// Returns `Photo Booth had it loaded when it last answered: -d "Photo Booth"`, if paper that was requested is not
  /// loaded at this printer; nil if no other saved printer's last answer has it.
  func paperHint(_ request: PrintRequest, for type: JobType, at connection: PrinterConnection)
    throws(Failure) -> String?
  {
    let papers = request.paper.filter { $0 != .best }
    func isAsked(_ paper: Paper) -> Bool {
      papers.contains { $0.matches(paper) || $0.isSamePhoto(as: paper) }
    }
    guard !papers.isEmpty, !connection.capabilities.ready.contains(where: isAsked) else {
      return nil
    }
    let others = try context.settings.printers().printers.filter {
      $0.uri != connection.target.uri && $0.name != connection.target.name
    }
    let other = others.sorted { $0.name < $1.name }.prefix(50).first { saved in
      loadedPapers(of: saved, for: type, context).contains(where: isAsked)
    }
    return other.map {
      "\($0.name) had it loaded when it last answered: -d \(ShellWord.quoted($0.name.safeName))"
    }
  }
}

/// Returns the media of a saved printer, or of the default one, from its last answer: for completion with Tab, which
/// doesn't wait.
///
/// Loaded ones come first; empty for a printer that was never contacted.
package func rememberedPapers(of name: String?, _ context: Context) -> [Paper] {
  guard let printers = try? context.settings.printers(),
    let uri = name.map({ try? printers.find($0)?.uri }) ?? printers.defaultPrinter?.uri,
    let capabilities = Capabilities(lastAnswerOf: uri, context)
  else { return [] }
  return capabilities.ready + capabilities.possible
}

/// The media that a saved printer had loaded when it last answered; none of one that was never asked, or that does not
/// print this type.
func loadedPapers(of saved: SavedPrinter, for type: JobType, _ context: Context) -> [Paper] {
  // A document that no one called one is a label on a label printer.
  guard let capabilities = Capabilities(lastAnswerOf: saved.uri, context),
    type == .document || capabilities.types.isEmpty || capabilities.types.contains(type)
  else { return [] }
  return capabilities.ready.filter(\.isReady)
}

extension PrintArguments {
  /// Returns the printer that `print` would use, if it is saved.
  ///
  /// Exit 64 for a part of several saved names, 78 if a settings file is invalid.
  ///
  /// - `type`: the document's own, if that chooses the printer.
  func likelyPrinter(for type: JobType?, _ context: Context) throws(Failure) -> PrinterReference? {
    let store = try context.settings.printers()
    if let text = printers.first { return try store.find(try printerNames(text, context)[0]) }
    return store.printer(forJob: self.type ?? type).map { PrinterReference($0) }
  }
}

extension Capabilities {
  /// Reads the last answer of the printer with this URI; nil if there is none.
  fileprivate init?(lastAnswerOf uri: String, _ context: Context) {
    let cache = StatusCache(context.directories, key: uri, of: .attributes)
    guard let answer = AttributeSet(remembered: cache) else { return nil }
    self.init(reading: answer)
  }

  /// Reads a saved printer's last answer, with its saved name: for `preview`, which contacts no printer.
  ///
  /// A printer without one is reported to `context.note`; then nil. Exit 78 if a settings file is invalid.
  init?(lastOf printer: PrinterReference, _ context: Context) throws(Failure) {
    guard let last = Capabilities(lastAnswerOf: printer.uri, context) else {
      context.note(
        "\(printer.name) has not reported its paper yet, so this preview is for no particular printer; -d asks it."
      )
      return nil
    }
    self = last.corrected(by: try context.settings.quirks())
    info = printer.name
  }
}
