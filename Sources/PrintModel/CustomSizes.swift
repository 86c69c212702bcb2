/// Sizes of sheets that a printer does not list one by one: any from `custom_min_…` to `custom_max_…` (PWG 5101.1).
package struct CustomSizes: Sendable, Equatable {
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

  /// Returns a sheet of this size; nil if the printer does not print it.
  package func paper(of size: MediaSize) -> Paper? {
    guard widths.contains(size.width), lengths.contains(size.length) else { return nil }
    return Paper(name: MediaName.name(for: size), size: size, margins: margins, isReady: false)
  }
}
