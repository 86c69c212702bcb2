internal import AirprintContext
internal import FoundationEssentials
internal import Settings
internal import System

/// Warnings already given about a printer's supplies, which are repeated at most once a day.
struct SupplyWarnings {
  private let cache: StatusCache

  init(of uri: String, _ context: Context) {
    cache = StatusCache(context.places, key: uri, of: .warnings)
  }

  private static let day = 86_400.0

  /// Returns true for a sentence that was not shown in the last 24 hours, and records it as shown.
  ///
  /// If nothing can be stored, every sentence is new.
  func isNews(_ sentence: String) -> Bool {
    let now = WallClock.seconds
    var said =
      cache.read().flatMap { try? JSONDecoder().decode([String: Double].self, from: Data($0)) }
      ?? [:]
    said = said.filter { (0..<Self.day).contains(now - $0.value) }
    guard said[sentence] == nil else { return false }
    said[sentence] = now
    if let bytes = try? JSONEncoder().encode(said) { cache.write(Array(bytes)) }
    return true
  }
}
