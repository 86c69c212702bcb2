/// One entry of `--paper A4,letter,best`: what the user wants to print on.
package enum MediaSelector: Sendable, Hashable {
  /// A sheet of this size, in either orientation; the text is what was asked for.
  case sheet(MediaSize, asked: String)
  /// A roll this wide (`80mm`).
  case roll(width: Hundredths, asked: String)
  /// The nearest of what is loaded.
  case best

  /// The text asked for, as it was typed.
  package var asked: String {
    switch self {
    case .sheet(_, let asked), .roll(_, let asked): asked
    case .best: "best"
    }
  }
}
