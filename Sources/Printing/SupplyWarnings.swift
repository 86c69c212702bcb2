internal import AirprintContext
internal import FoundationEssentials
internal import Settings
internal import System

/// Returns true for a warning about a printer's supplies that was not shown in the last 24 hours, and records it as
/// shown.
///
/// If nothing can be stored, every sentence is new.
func isNews(_ sentence: String, of uri: String, _ context: Context) -> Bool {
  let cache = StatusCache(context.places, key: uri, of: .warnings)
  let now = WallClock.seconds
  let day = 86_400.0
  var said =
    cache.read().flatMap { try? JSONDecoder().decode([String: Double].self, from: Data($0)) } ?? [:]
  said = said.filter { (0..<day).contains(now - $0.value) }
  guard said[sentence] == nil else { return false }
  said[sentence] = now
  if let bytes = try? JSONEncoder().encode(said) { cache.write(Array(bytes)) }
  return true
}
