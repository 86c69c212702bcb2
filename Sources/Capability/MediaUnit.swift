internal import PrintModel

/// The unit that a printer states a medium's size in.
///
/// It is 1/100 mm (PWG 5100.7 §6.3.1). Printers that state micrometers, millimeters or points would have sheets of 2 m,
/// or none; what they are is told by the name beside the size, and where there is no name by all sizes together.
struct MediaUnit: Equatable {
  /// Hundredths of a millimeter in one unit.
  private let hundredths: Double

  static let hundredth = MediaUnit(hundredths: 1)
  private static let micrometer = MediaUnit(hundredths: 0.1)

  /// Names and sizes that differ no more than this are of one unit: an inch has 25.4 mm.
  private static let usual = 0.4...2.5

  private init(hundredths: Double) { self.hundredths = hundredths }

  /// The unit that makes a size what its name says; nil where they agree, or have not the same shape.
  ///
  /// A roll's name has no length.
  init?(of size: MediaSize, named name: MediaSize) {
    guard size.width > 0, name.width > 0 else { return nil }
    let across = name.width / size.width
    guard !MediaUnit.usual.contains(across) else { return nil }
    if name.length > 0 {
      guard size.length > 0 else { return nil }
      let along = name.length / size.length
      guard abs(along / across - 1) < 0.02 else { return nil }
    }
    hundredths = across
  }

  /// Wider than any printer feeds (64 in): a sheet of this width is A4 in micrometers.
  private static let widest: Hundredths = 165_000

  /// Micrometers, where sizes are known ones only when they are read so; else hundredths of a millimeter.
  ///
  /// A poster of 40 x 60 inches is 4x6 in micrometers: of a plotter, one size must be too wide for it.
  init(of sizes: [MediaSize], isPlotter: Bool) {
    func isKnown(_ size: MediaSize) -> Bool {
      StandardMedia.all.contains {
        $0.size.matches(size, within: MediaSize.near)
          || $0.size.matches(size.rotated, within: MediaSize.near)
      }
    }
    let inMicrometers = sizes.map(MediaUnit.micrometer.size)
    let isTooWide = sizes.contains { min($0.width, $0.length) > MediaUnit.widest }
    let isOther =
      (isTooWide || !isPlotter) && !sizes.contains(where: isKnown)
      && inMicrometers.filter(isKnown).count * 2 > sizes.count
    self = isOther ? .micrometer : .hundredth
  }

  func length(_ stated: Hundredths) -> Hundredths {
    self == .hundredth
      ? stated : Hundredths(Int((Double(stated.count) * hundredths).rounded()))
  }

  func lengths(_ stated: ClosedRange<Hundredths>) -> ClosedRange<Hundredths> {
    length(stated.lowerBound)...length(stated.upperBound)
  }

  func size(_ stated: MediaSize) -> MediaSize {
    MediaSize(width: length(stated.width), length: length(stated.length))
  }

  /// A margin, which may be stated in hundredths of a millimeter nevertheless: none is wider than 15 mm, or too narrow
  /// to be one.
  func margin(_ stated: Hundredths) -> Hundredths {
    let usual: ClosedRange<Hundredths> = 100...1_500
    return usual.contains(stated) && !usual.contains(length(stated)) ? stated : length(stated)
  }
}
