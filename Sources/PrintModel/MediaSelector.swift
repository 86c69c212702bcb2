/// One entry of `--paper A4,letter,best`: a medium that the user wants.
package enum MediaSelector: Sendable, Hashable {
  /// A sheet of this size, in either orientation, with the text that was typed.
  case sheet(MediaSize, asked: String)
  /// A roll of this width (`80mm`).
  case roll(width: Hundredths, asked: String)
  /// The nearest of the loaded media.
  case best

  /// The text as typed.
  package var asked: String {
    switch self {
    case .sheet(_, let asked), .roll(_, let asked): asked
    case .best: "best"
    }
  }
}
