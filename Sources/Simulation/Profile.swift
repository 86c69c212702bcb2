// Simulation: printers that are not there. Each is a real IPP printer on the network (RFC 8011, PWG
// 5100.14, AirPrint's attributes) whose paper comes out as pictures in a folder. It knows nothing of how
// a document other than a raster is drawn: whoever starts it hands it a function for that.

package import PrintModel

/// Kind of printer that is simulated: what it can do and what is loaded when it starts.
package struct Profile: Sendable {
  /// Name on the command line: `laser`.
  package var name: String
  /// Name on the network unless it is given a name: `Sim Laser`.
  package var printerName: String
  package var makeAndModel: String
  package var kinds: [JobType]
  package var isColor = false
  /// Lowest first; the last is the default.
  package var resolutions: [Resolution]
  /// nil: it prints on one side.
  package var sheetBack: SheetBack?
  /// Of two-sided sheets, where they are larger than those of one-sided ones.
  package var duplexMargins: Margins?
  /// The first is what it likes best.
  package var formats = [
    DocumentFormat.urf, DocumentFormat.pwg, DocumentFormat.jpeg, DocumentFormat.pdf,
  ]
  package var trays: [Tray]
  package var supplies: [SimulatedSupply]
  /// Of the smallest sheet, one-sided: the pace of `--print-times`.
  package var pagesPerMinute: Int
  /// Cuts off what was printed.
  package var hasCutter = false
  /// The recorded attributes of the printer that it is like; empty for airprint's own profiles.
  package var recorded = AttributeSet()

  package init(
    name: String, printerName: String, makeAndModel: String, kinds: [JobType],
    resolutions: [Resolution], trays: [Tray], supplies: [SimulatedSupply], pagesPerMinute: Int
  ) {
    self.name = name
    self.printerName = printerName
    self.makeAndModel = makeAndModel
    self.kinds = kinds
    self.resolutions = resolutions
    self.trays = trays
    self.supplies = supplies
    self.pagesPerMinute = pagesPerMinute
  }

  /// A place that paper is in.
  package struct Tray: Sendable {
    /// The media-source keyword.
    package var source: String
    /// Media it can hold, each with its margins; a size that is also printed to its edges is here
    /// twice.
    package var papers: [Paper]
    /// Sides within which any size can be put in by hand, in 1/100 mm.
    package var custom: (widths: ClosedRange<Hundredths>, lengths: ClosedRange<Hundredths>)?
    /// The loaded medium: the first of the entries of that size; nil for nothing.
    package var loaded: Paper?

    package init(source: String, papers: [Paper], loaded: Paper? = nil) {
      self.source = source
      self.papers = papers
      self.loaded = loaded
    }
  }

  /// Toner, ink or a ribbon (marker-*).
  package struct SimulatedSupply: Sendable {
    /// `black`, `cyan`, …: what `--supply` names it by.
    package var color: String
    /// A value of marker-types: `toner`, `ink-cartridge`, `ribbon`.
    package var type: String
    /// Percent.
    package var level: Int

    /// The type in printer-supply, in the printer MIB's words (RFC 3805, prtMarkerSuppliesType): `inkCartridge`.
    var kind: String {
      type.split(separator: "-").enumerated().map { index, word in
        index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
      }.joined()
    }

    package init(_ color: String, _ type: String, level: Int = 80) {
      self.color = color
      self.type = type
      self.level = level
    }

    /// A value of marker-colors.
    var hex: String {
      [
        "black": "#000000", "cyan": "#00FFFF", "magenta": "#FF00FF", "yellow": "#FFFF00",
      ][color] ?? "none"
    }
  }
}

extension Profile {
  /// Every paper of every tray, in their order.
  package var papers: [Paper] { trays.flatMap(\.papers) }

  /// Paper used when a job names no paper.
  var defaultPaper: Paper? { (trays.first { $0.loaded != nil }?.loaded) ?? papers.first }
}

extension Profile.Tray {
  /// True when two papers are the same thing in a tray: a roll by its width.
  private static func isSame(_ left: Paper, _ right: Paper) -> Bool {
    if left.isRoll || right.isRoll {
      return left.isRoll == right.isRoll
        && left.size.width.distance(to: right.size.width) <= MediaSize.near
    }
    return left.size.matches(right.size, within: MediaSize.near)
  }

  /// The loaded media, once for each way that it can be printed on.
  package var ready: [Paper] {
    guard let loaded else { return [] }
    let known = papers.filter { Self.isSame($0, loaded) && $0.type == loaded.type }
    return known.isEmpty ? [loaded] : known
  }

  /// The paper that a user means, if the tray can hold it.
  package func holds(_ selector: MediaSelector) -> Paper? {
    switch selector {
    case .best: return nil
    case .roll(let width, _):
      return papers.first { $0.isRoll && $0.size.width.distance(to: width) <= MediaSize.near }
    case .sheet(let size, _):
      if let known = papers.first(where: { !$0.isRoll && fits($0, size) }) { return known }
      guard let custom, custom.widths.contains(size.width), custom.lengths.contains(size.length),
        let model = papers.first
      else { return nil }
      return Paper(
        name: MediaName.name(for: size), size: size, margins: model.margins, source: source,
        type: model.type, isReady: true)
    }
  }

  private func fits(_ paper: Paper, _ size: MediaSize) -> Bool {
    paper.size.matches(size, within: MediaSize.near)
      || paper.size.matches(size.rotated, within: MediaSize.near)
  }
}
