internal import PrintModel

extension Capabilities {
  mutating func readMedia(_ attributes: AttributeSet) {
    mediaColumnMembers = Set(attributes.strings("media-col-supported"))
    sources = attributes.strings("media-source-supported")
    mediaTypes = attributes.strings("media-type-supported")
    emptySources = Set(PrinterStatus(reading: attributes).emptyTrays.map(\.source))

    let reader = MediaReader(attributes)
    ready = reader.papers(in: "media-col-ready", isReady: true)
    if ready.isEmpty { ready = reader.papers(named: "media-ready", isReady: true) }
    if isQueue {
      // A queue lists the possible media, not the loaded ones.
      for index in ready.indices { ready[index].isReady = false }
    }
    reportsReady = !ready.isEmpty && !isQueue
    defaultPaper =
      reader.papers(in: "media-col-default", isReady: false).first
      ?? reader.papers(named: "media-default", isReady: false).first
    possible = reader.papers(in: "media-col-database", isReady: false)
    if possible.isEmpty { possible = reader.papers(named: "media-supported", isReady: false) }
    if possible.isEmpty { possible = reader.supportedSizes() }
    customSizes = reader.customSizes
    duplexMargin = reader.duplexMargin
  }
}

extension ClosedRange<Hundredths> {
  /// True if it spans more than one length.
  fileprivate var isRange: Bool { upperBound > lowerBound }

  /// True if it spans more than the tolerance of a single size.
  fileprivate var isWide: Bool {
    upperBound > lowerBound && upperBound - lowerBound > lowerBound / 5
  }
}

extension AttributeSet {
  /// Returns the first value of a media-size member, a number or a range.
  fileprivate func lengths(_ member: String) -> ClosedRange<Hundredths>? {
    spans(member).first.map { Hundredths($0.lowerBound)...Hundredths($0.upperBound) }
  }

  /// The sizes that the printer states as numbers, without duplicates.
  fileprivate var statedSizes: [MediaSize] {
    let columns = ["media-col-ready", "media-col-default", "media-col-database"]
      .flatMap { collections($0).prefix(MediaReader.most) }
      .compactMap { $0.collections("media-size").first }
    let sizes = (columns + collections("media-size-supported").prefix(MediaReader.most))
      .compactMap(\.size)
    return Array(Set(sizes))
  }

  /// Returns the ranges of sizes: of media-size-supported, of media-col-database and of pairs of names in
  /// media-supported, in this order.
  fileprivate func customSizes(in unit: MediaUnit, margins: Margins) -> [CustomSizes] {
    let names = strings("media-supported").prefix(MediaReader.most)
    let named = ["custom", "roll"].flatMap { kind in
      let (least, most) = ("\(kind)_min_", "\(kind)_max_")
      return zip(
        names.filter { $0.hasPrefix(least) }.compactMap(MediaName.size),
        names.filter { $0.hasPrefix(most) }.compactMap(MediaName.size)
      ).map { smallest, largest in
        CustomSizes(
          widths: smallest.width...max(smallest.width, largest.width),
          lengths: smallest.length...max(smallest.length, largest.length), margins: margins)
      }
    }
    let database = collections("media-col-database").prefix(MediaReader.most)
      .compactMap { $0.collections("media-size").first }
    let sizes = collections("media-size-supported").prefix(MediaReader.most) + database
    let stated = sizes.compactMap { size -> CustomSizes? in
      guard let widths = size.lengths("x-dimension"), let lengths = size.lengths("y-dimension"),
        widths.isRange || lengths.isRange
      else { return nil }
      return CustomSizes(
        widths: unit.lengths(widths), lengths: unit.lengths(lengths), margins: margins)
    }
    return (stated + named).unique
  }

  /// The size of a media-size that is no range.
  fileprivate var size: MediaSize? {
    guard let width = number("x-dimension"), let length = number("y-dimension") else { return nil }
    return MediaSize(width: Hundredths(width), length: Hundredths(length))
  }
}

/// Turns media-col collections and media names into papers.
private struct MediaReader {
  let attributes: AttributeSet
  /// Margins assumed for those that an entry does not state.
  let usualMargins: Margins
  /// The unit for sizes whose name does not determine it.
  private let unit: MediaUnit
  /// The sizes that are stated as ranges: the custom sizes of trays and the cuts of rolls.
  let customSizes: [CustomSizes]

  /// Longest list that is read; no printer's is longer.
  static let most = 2_000

  init(_ attributes: AttributeSet) {
    self.attributes = attributes
    let isPlotter = !Set(attributes.strings("printer-kind")).isDisjoint(with: [
      "large-format", "roll",
    ])
    let unit = MediaUnit(of: attributes.statedSizes, isPlotter: isPlotter)
    self.unit = unit
    // The smallest margin that is not 0: borderless must be stated by the entry itself, otherwise sheets that were
    // never meant to be borderless are cropped (libcupsfilters#89).
    var usual = Margins { member in
      let listed = attributes.numbers("\(member)-supported")
        .map { unit.margin(Hundredths($0)) }
        .filter { (0...10_000).contains($0) }
      return listed.filter { $0 > 0 }.min() ?? listed.first ?? 0
    }
    usual.areStated = Margins.members.contains { attributes["\($0)-supported"] != nil }
    usualMargins = usual
    customSizes = attributes.customSizes(in: unit, margins: usual)
  }

  /// The largest margin at the top or bottom that a printer with ink states.
  ///
  /// It holds the wet paper there while it turns it: 12.7 mm on HP's inkjets, stated by no entry (cups-filters#138).
  /// Wider ones are those of envelopes.
  var duplexMargin: Hundredths {
    guard attributes.strings("marker-types").contains(where: { $0.hasPrefix("ink") }) else {
      return 0
    }
    return ["top", "bottom"].flatMap { attributes.numbers("media-\($0)-margin-supported") }
      .map { unit.margin(Hundredths($0)) }.filter { $0 <= 1_500 }.max() ?? 0
  }

  /// Returns the entries of a media-col attribute, in the printer's order, without exact duplicates.
  ///
  /// A Xerox lists A4 for its tray and for `auto`: those differ.
  func papers(in name: String, isReady: Bool) -> [Paper] {
    // A printer may state 2,000 entries that differ only in the last of many members.
    attributes.collections(name).prefix(MediaReader.most)
      .compactMap { paper(from: $0, isReady: isReady) }.unique
  }

  /// Returns the media of an attribute that lists only names.
  func papers(named attribute: String, isReady: Bool) -> [Paper] {
    attributes.strings(attribute).prefix(MediaReader.most).compactMap { name in
      // custom_min_… and roll_max_… are limits of sizes, not sizes.
      guard let size = MediaName.size(of: name), !name.contains(anyOf: "_min_", "_max_")
      else { return nil }
      return paper(name: name, size: size, margins: usualMargins, isReady: isReady)
    }
  }

  /// Returns media-size-supported, if there is neither a database nor a list of names.
  func supportedSizes() -> [Paper] {
    attributes.collections("media-size-supported").prefix(MediaReader.most).compactMap(\.size)
      .compactMap {
        let size = unit.size($0)
        return paper(
          name: MediaName.name(for: size), size: size, margins: usualMargins, isReady: false)
      }
  }

  private func paper(from column: AttributeSet, isReady: Bool) -> Paper? {
    let name = column.string("media-size-name")
    let size = column.collections("media-size").first
    let unit = unit(of: size, named: name)
    let widths = size?.lengths("x-dimension").map(unit.lengths)
    let lengths = size?.lengths("y-dimension").map(unit.lengths)
    // A range of widths is not a medium but the custom sizes that a tray supports.
    if let widths, widths.isWide, name?.hasPrefix("roll_") != true { return nil }
    guard let width = widths?.upperBound ?? name.flatMap(MediaName.size)?.width,
      let length = lengths?.upperBound ?? name.flatMap(MediaName.size)?.length
    else { return nil }
    func margin(_ side: String, _ usual: Hundredths) -> Hundredths {
      column.number("media-\(side)-margin").map { unit.margin(Hundredths($0)) } ?? usual
    }
    var margins = Margins(
      top: margin("top", usualMargins.top), bottom: margin("bottom", usualMargins.bottom),
      left: margin("left", usualMargins.left), right: margin("right", usualMargins.right))
    margins.areStated =
      usualMargins.areStated || Margins.members.contains { column.number($0) != nil }
    return paper(
      name: name, size: MediaReader.exact(MediaSize(width: width, length: length), widths, lengths),
      margins: margins, lengths: lengths, column: column, isReady: isReady)
  }

  private func unit(of size: AttributeSet?, named name: String?) -> MediaUnit {
    guard let width = size?.lengths("x-dimension")?.upperBound,
      let length = size?.lengths("y-dimension")?.upperBound,
      let name = name.flatMap(MediaName.size)
    else { return unit }
    return MediaUnit(of: MediaSize(width: width, length: length), named: name) ?? unit
  }

  private func paper(
    name: String?, size: MediaSize, margins: Margins, lengths: ClosedRange<Hundredths>? = nil,
    column: AttributeSet = AttributeSet(), isReady: Bool
  ) -> Paper? {
    let source = column.string("media-source")
    let lengths = lengths.flatMap { $0.isRange ? $0 : nil }
    let isRoll = MediaReader.isRoll(name, size, lengths, column)
    let cuts = isRoll ? cuts(size, lengths) : nil
    let size = MediaSize(width: size.width, length: cuts?.upperBound ?? size.length)
    guard MediaReader.isPlausible(size, margins, isRoll: isRoll) else { return nil }
    return Paper(
      name: name ?? MediaReader.name(for: size, isRoll: isRoll), size: size, margins: margins,
      source: source,
      type: column.string("media-type"), isRoll: isRoll, cuts: cuts, isReady: isReady,
      column: column.all)
  }

  /// Returns true for a roll, which is cut where the job requests it.
  ///
  /// Its length is a range or 0, or its name or feed identifies it. The tray does not: die-cut labels are in
  /// `main-roll`, have one size, and gaps or marks between them (LPrint, PAPPL). But the name of the maximum size
  /// identifies a roll: LPrint reports `mark` together with `roll_max_4x39.6in`, and no label is a meter long.
  private static func isRoll(
    _ name: String?, _ size: MediaSize, _ lengths: ClosedRange<Hundredths>?, _ column: AttributeSet
  ) -> Bool {
    if lengths?.isWide == true || size.length == 0 || name?.hasPrefix("roll_max_") == true {
      return true
    }
    let tracking = column.string("media-tracking")
    if ["gap", "mark", "web"].contains(tracking) { return false }
    return name?.hasPrefix("roll_") == true || tracking == "continuous"
      || Paper.isContinuous(column.string("media-type"))
  }

  /// Returns a name for a medium for which the printer states none; that of a roll has no length.
  private static func name(for size: MediaSize, isRoll: Bool) -> String {
    guard isRoll else { return MediaName.name(for: size) }
    let custom = MediaName.name(for: MediaSize(width: size.width, length: 0))
    return "roll_current_\(custom.split(separator: "_").last ?? "")"
  }

  /// Returns the lengths to which a roll of this width can be cut: its own range, else the range in
  /// media-size-supported for the width, else one inch to five times the width.
  private func cuts(_ size: MediaSize, _ lengths: ClosedRange<Hundredths>?) -> ClosedRange<
    Hundredths
  > {
    let stated = lengths ?? customSizes.first { $0.widths.contains(size.width) }?.lengths
    let shortest = max(stated?.lowerBound ?? 0, 254)
    let longest = stated?.upperBound ?? max(size.length, size.width * 5)
    return shortest...max(shortest, min(longest, 5_000_000))
  }

  /// Returns a known size within the tolerance of a sheet, instead of the largest size.
  private static func exact(
    _ size: MediaSize, _ widths: ClosedRange<Hundredths>?, _ lengths: ClosedRange<Hundredths>?
  ) -> MediaSize {
    guard let widths, let lengths, widths.isRange || lengths.isRange, !lengths.isWide else {
      return size
    }
    let known = StandardMedia.all.first {
      widths.contains($0.size.width) && lengths.contains($0.size.length)
    }
    return known?.size ?? size
  }

  /// Returns true if a side has 10 mm to 50 m, tape at least 3 mm, and something is left inside the margins.
  private static func isPlausible(_ size: MediaSize, _ margins: Margins, isRoll: Bool) -> Bool {
    ((isRoll ? 300 : 1_000)...5_000_000).contains(size.width)
      && (1_000...5_000_000).contains(size.length)
      && [margins.top, margins.bottom, margins.left, margins.right].allSatisfy { $0 >= 0 }
      && margins.left + margins.right < size.width
      && margins.top + margins.bottom < size.length
  }
}

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
      StandardMedia.all.contains { size.matchesEitherWay($0.size) }
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
