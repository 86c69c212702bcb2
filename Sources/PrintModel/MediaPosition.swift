/// The numbers of trays in the page headers of raster (PWG 5102.4 table 5), which URF's IS token lists.
package enum MediaPosition {
  private static let keywords =
    [
      "auto", "main", "alternate", "large-capacity", "manual", "envelope", "disc", "photo",
      "hagaki", "main-roll", "alternate-roll", "top", "middle", "bottom", "side", "left", "right",
      "center", "rear", "by-pass-tray",
    ] + (1...20).map { "tray-\($0)" } + (1...10).map { "roll-\($0)" }

  /// Returns the number of a tray, from its media-source keyword; nil if it has none.
  package static func number(of source: String) -> Int? { keywords.firstIndex(of: source) }

  /// Returns the media-source keyword for a number; nil for `auto`, and a number that is none.
  package static func source(_ number: Int) -> String? {
    (1..<keywords.count).contains(number) ? keywords[number] : nil
  }
}
