package import AirprintContext
internal import Capability
internal import FoundationEssentials
package import PrintModel
internal import Printers
internal import Settings
internal import System

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
    let cache = StatusCache(context.places, key: uri, of: .attributes)
    guard let answer = RememberedAnswer(cache) else { return nil }
    self.init(reading: answer.attributes)
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
    self = last
    for quirk in try context.settings.quirks().quirks(of: makeAndModel) { correct(by: quirk) }
    info = printer.name
  }
}
