package import AirprintContext
internal import Capability
internal import FoundationEssentials
package import PrintModel
internal import Printers
internal import Settings
internal import System

/// The saved printer that `print` would use, with its last answer: for `preview`, which contacts no printer.
package struct LikelyPrinter: Sendable {
  package var saved: SavedPrinter
  /// Its answer, with the saved name.
  var capabilities: Capabilities
  /// Time of the answer, in seconds since 1970.
  package var asked: Double
}

/// Returns the media of a saved printer, or of the default one, from its last answer: for completion with Tab, which
/// doesn't wait.
///
/// Loaded ones come first; empty for a printer that was never contacted.
package func rememberedPapers(of name: String?, _ context: Context) -> [Paper] {
  guard let printers = try? context.settings.printers(),
    let saved = name.map({ try? printers.find($0) }) ?? printers.defaultPrinter,
    let answer = RememberedAnswer(StatusCache(context.places, key: saved.uri, of: .attributes))
  else { return [] }
  let capabilities = Capabilities(reading: answer.attributes)
  return capabilities.ready + capabilities.possible
}

/// The media that a saved printer had loaded when it last answered; none of one that was never asked.
func loadedPapers(of saved: SavedPrinter, _ context: Context) -> [Paper] {
  guard
    let answer = RememberedAnswer(StatusCache(context.places, key: saved.uri, of: .attributes))
  else { return [] }
  return Capabilities(reading: answer.attributes).ready.filter(\.isReady)
}

/// Returns the printer that `print` would use for `arguments`, if it is saved and has answered before.
///
/// A printer without a saved answer is reported to `context.note`; nil means that there is none. Exit 64 for a part of
/// several saved names, 78 if a settings file is invalid.
///
/// - `typed`: `AIRPRINT_PRINTER`; nil: the one saved for the type, or the default printer.
package func likelyPrinter(
  for arguments: PrintArguments, named typed: String?, _ context: Context
) throws(Failure) -> LikelyPrinter? {
  let store = try context.settings.printers()
  var saved: SavedPrinter?
  if let text = arguments.printers.first ?? typed {
    saved = try store.find(try printerNames(text, context)[0])
  } else {
    saved = arguments.choosingType.flatMap(store.printer(for:)) ?? store.defaultPrinter
  }
  guard let saved else { return nil }
  guard let answer = RememberedAnswer(StatusCache(context.places, key: saved.uri, of: .attributes))
  else {
    context.note(
      "\(saved.name) has not reported its paper yet, so this preview is for no particular printer; -d asks it."
    )
    return nil
  }
  var capabilities = Capabilities(reading: answer.attributes)
  for quirk in try context.settings.quirks().quirks(of: capabilities.makeAndModel) {
    capabilities.correct(by: quirk)
  }
  capabilities.info = saved.name
  return LikelyPrinter(saved: saved, capabilities: capabilities, asked: answer.asked)
}
