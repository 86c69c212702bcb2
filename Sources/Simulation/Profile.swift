// Simulation: printers that don't exist. Each is a real IPP printer on the network (RFC 8011, PWG 5100.14, AirPrint's
// attributes) whose pages are pictures in a folder. This module can't draw documents other than raster: the caller
// passes a function for that.

package import PrintModel

/// A kind of simulated printer: its capabilities, and what is loaded when it starts.
package struct Profile: Sendable {
  /// Name on the command line: `laser`.
  package var name: String
  /// Default name on the network: `Sim Laser`.
  package var printerName = ""
  package var makeAndModel = ""
  package var kinds: [JobType] = []
  package var isColor = false
  /// Lowest first; the last is the default.
  package var resolutions: [Resolution] = []
  /// nil: it only prints on one side.
  package var sheetBack: SheetBack?
  /// Margins of two-sided sheets, if they are larger than those of one-sided ones.
  package var duplexMargins: Margins?
  /// Most preferred first.
  package var formats = [
    DocumentFormat.urf, DocumentFormat.pwg, DocumentFormat.jpeg, DocumentFormat.pdf,
  ]
  package var trays: [Tray] = []
  package var supplies: [SimulatedSupply] = []
  /// Speed for the smallest sheet, one-sided: the pace of `--print-times`.
  package var pagesPerMinute = 60
  /// True if it cuts off what it has printed.
  package var hasCutter = false
  /// What it does not combine, and the presets that it keeps: job-constraints-supported and the lists that go with it.
  package var combinations: [Attribute] = []
  /// The recorded attributes of the printer that it imitates; empty for airprint's own profiles.
  package var recorded = AttributeSet()

  package struct Tray: Sendable {
    package var source: String
    /// Media that it can hold, each with its margins; a size that can also be printed borderless is listed twice.
    package var papers: [Paper]
    /// Bounds within which any size can be loaded by hand, in 1/100 mm.
    package var custom: (widths: ClosedRange<Hundredths>, lengths: ClosedRange<Hundredths>)?
    /// The loaded medium: the first entry of that size; nil if empty.
    package var loaded: Paper?

    package init(source: String, papers: [Paper], loaded: Paper? = nil) {
      self.source = source
      self.papers = papers
      self.loaded = loaded
    }
  }

  /// Toner, ink or a ribbon (marker-*).
  package struct SimulatedSupply: Sendable {
    /// `black`, `cyan`, …: its name for `--supply`.
    package var color: String
    /// A value of marker-types: `toner`, `ink-cartridge`, `ribbon`.
    package var type: String
    /// Percent.
    package var level: Int

    /// The type as in printer-supply, with the keywords of the printer MIB (RFC 3805, prtMarkerSuppliesType):
    /// `inkCartridge`.
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

    var hex: String {
      [
        "black": "#000000", "cyan": "#00FFFF", "magenta": "#FF00FF", "yellow": "#FFFF00",
      ][color] ?? "none"
    }
  }
}

extension Profile {
  /// A profile with nothing but a name, to be filled in.
  package init(named name: String) { self.init(name: name) }

  /// All papers of all trays, in order.
  package var papers: [Paper] { trays.flatMap(\.papers) }

  /// The paper for jobs that don't specify one.
  var defaultPaper: Paper? { (trays.first { $0.loaded != nil }?.loaded) ?? papers.first }
}

extension Paper {
  /// True when the paper has this size, or, of a roll, this width.
  func isCut(to size: MediaSize) -> Bool {
    isRoll
      ? self.size.width.distance(to: size.width) <= MediaSize.near
      : self.size.matches(size, within: MediaSize.near)
  }
}

extension Profile.Tray {
  /// The loaded medium, once for each way of printing on it.
  package var ready: [Paper] {
    guard let loaded else { return [] }
    let known = papers.filter {
      $0.isRoll == loaded.isRoll && $0.isCut(to: loaded.size) && $0.type == loaded.type
    }
    return known.isEmpty ? [loaded] : known
  }

  /// The paper that a selector stands for, if the tray can hold it.
  package func holds(_ selector: MediaSelector) -> Paper? {
    switch selector {
    case .best: return nil
    case .roll(let width, _):
      return papers.first { $0.isRoll && $0.size.width.distance(to: width) <= MediaSize.near }
    case .sheet(let size, _):
      let known = papers.first {
        !$0.isRoll && $0.size.matchesEitherWay(size, within: MediaSize.near)
      }
      if let known { return known }
      guard let custom, custom.widths.contains(size.width), custom.lengths.contains(size.length),
        let model = papers.first
      else { return nil }
      return Paper(
        name: MediaName.name(for: size), size: size, margins: model.margins, source: source,
        type: model.type, isReady: true)
    }
  }
}
