internal import PrintModel

/// The unit in which a printer states the size of media.
///
/// It should be 1/100 mm (PWG 5100.7 §6.3.1). With printers that state micrometers, millimeters or points, sheets would
/// be 2 m long, or implausible. Their unit is determined by the name that comes with the size, or, without a name, by
/// all sizes together.
struct MediaUnit: Equatable {
  /// Hundredths of a millimeter per unit.
  private let hundredths: Double

  static let hundredth = MediaUnit(hundredths: 1)
  private static let micrometer = MediaUnit(hundredths: 0.1)

  /// Ratio of a name's size to a stated size up to which they have the same unit: an inch has 25.4 mm.
  private static let usual = 0.4...2.5

  private init(hundredths: Double) { self.hundredths = hundredths }

  /// Finds the unit in which a size agrees with its name; nil if they agree anyway, or have different shapes.
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
      StandardMedia.all.contains { size.matchesEitherWay($0.size, within: MediaSize.near) }
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

  /// Returns a margin, which may still be in hundredths of a millimeter: margins in other units would be wider than 15
  /// mm, or too narrow.
  func margin(_ stated: Hundredths) -> Hundredths {
    let usual: ClosedRange<Hundredths> = 100...1_500
    return usual.contains(stated) && !usual.contains(length(stated)) ? stated : length(stated)
  }
}
