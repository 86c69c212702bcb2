/// Sizes that a printer does not list one by one: any from `custom_min_…` to `custom_max_…` (PWG 5101.1), or in a range
/// of a media-size (PWG 5100.7 §6.3.1.15).
package struct CustomSizes: Sendable, Hashable {
  package var widths: ClosedRange<Hundredths>
  package var lengths: ClosedRange<Hundredths>
  /// Those of any sheet.
  package var margins: Margins

  package init(
    widths: ClosedRange<Hundredths>, lengths: ClosedRange<Hundredths>, margins: Margins
  ) {
    self.widths = widths
    self.lengths = lengths
    self.margins = margins
  }

  /// True for a size, or the width of a roll, that is in the ranges.
  package func contains(_ selector: MediaSelector) -> Bool {
    switch selector {
    case .sheet(let size, _): paper(of: size) != nil
    case .roll(let width, _): widths.contains(width)
    case .best: true
    }
  }

  /// Returns a sheet of this size, turned if only that is in the ranges; nil if the printer does not print it.
  package func paper(of size: MediaSize) -> Paper? {
    let turned = [size, size.rotated].first {
      widths.contains($0.width) && lengths.contains($0.length)
    }
    guard let size = turned else { return nil }
    return Paper(name: MediaName.name(for: size), size: size, margins: margins, isReady: false)
  }
}
