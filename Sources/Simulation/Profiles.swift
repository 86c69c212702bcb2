package import PrintModel
internal import PrintOptions

/// airprint's own profiles; airprint-simulate(1) lists them in a table.
extension Profile {
  package static let all: [Profile] = [
    laser, inkjet, photo, receipt, label, envelope, largeFormat, saveOriginal, office, labelsGap,
  ]

  /// The profile of this name (`laser`); the failure lists the existing ones.
  package static func named(_ name: String) throws(Failure) -> Profile {
    if let profile = all.first(where: { $0.name == name.lowercased() }) { return profile }
    let names = all.map(\.name) + ["all"]
    throw Failure(
      .usage,
      "No such profile: \(name)\(names.suggestion(for: name)). Profiles: "
        + "\(names.joined(separator: ", ")).")
  }

  private static let blackToner = [SimulatedSupply("black", "toner")]
  private static let fourInks = ["black", "cyan", "magenta", "yellow"].map {
    SimulatedSupply($0, "ink-cartridge")
  }

  /// A gray office laser with three trays; margins of 1/6 in, like Apple's simulated one.
  static let laser: Profile = {
    let sheets = ["A4", "Letter", "Legal", "Executive", "Statement", "A5", "B5"]
    let envelopes = ["Envelope #10", "Envelope DL", "Envelope C5", "Envelope Monarch"]
    let margins = Margins(all: 423)
    let main = Tray("main", sheets, margins, loaded: "A4")
    let alternate = Tray("alternate", sheets, margins, loaded: "Letter")
    var byPass = Tray("by-pass-tray", sheets, margins)
    byPass.papers += Tray("by-pass-tray", envelopes, margins, type: "envelope").papers
    byPass.custom = (7_620...21_590, 12_700...35_560)
    var profile = Profile(
      name: "laser", printerName: "Sim Laser", makeAndModel: "airprint Simulated Laser",
      kinds: [.document, .envelope], resolutions: [Resolution(300), Resolution(600)],
      trays: [main, alternate, byPass], supplies: blackToner, pagesPerMinute: 40)
    profile.sheetBack = .normal
    return profile
  }()

  /// A color inkjet with a photo tray; two-sided sheets have margins of half an inch at top and bottom.
  static let inkjet: Profile = {
    let margins = Margins(top: 300, bottom: 500, left: 340, right: 340)
    let main = Tray(
      "main", ["A4", "Letter", "Legal", "A5", "B5", "8x10"], margins, loaded: "A4")
    let photos = Tray(
      "photo", ["4x6", "5x7", "10x15", "L", "Hagaki"], margins, type: "photographic-glossy",
      isAlsoBorderless: true, loaded: "4x6")
    var profile = Profile(
      name: "inkjet", printerName: "Sim Inkjet", makeAndModel: "airprint Simulated Inkjet",
      kinds: [.document, .photo, .postcard], resolutions: [Resolution(300), Resolution(600)],
      trays: [main, photos], supplies: fourInks, pagesPerMinute: 12)
    profile.isColor = true
    profile.sheetBack = .rotated
    profile.duplexMargins = Margins(top: 1_270, bottom: 1_270, left: 340, right: 340)
    return profile
  }()

  /// A dye-sublimation printer for 4x6 prints.
  static let photo: Profile = {
    let tray = Tray(
      "photo", ["4x6", "10x15", "L"], Margins(all: 300), type: "photographic-glossy",
      isAlsoBorderless: true, loaded: "4x6")
    var profile = Profile(
      name: "photo", printerName: "Sim Photo", makeAndModel: "airprint Simulated Photo Printer",
      kinds: [.photo, .postcard], resolutions: [Resolution(300)], trays: [tray],
      supplies: [SimulatedSupply("ribbon", "ribbon")], pagesPerMinute: 1)
    profile.isColor = true
    return profile
  }()

  /// An 80 mm thermal receipt printer with a cutter; it prints on 72 mm of the width.
  static let receipt: Profile = {
    let roll = Paper(
      roll: 8_000, cuts: 2_540...200_000,
      margins: Margins(top: 300, bottom: 300, left: 400, right: 400), "main-roll")
    var profile = Profile(
      name: "receipt", printerName: "Sim Receipt",
      makeAndModel: "airprint Simulated Receipt Printer", kinds: [.receipt, .roll],
      resolutions: [Resolution(203)],
      trays: [Tray(source: "main-roll", papers: [roll], loaded: roll)], supplies: [],
      pagesPerMinute: 60)
    profile.hasCutter = true
    return profile
  }()

  /// A label printer: a continuous roll of 62 mm, and die-cut labels.
  static let label: Profile = {
    let margins = Margins(top: 300, bottom: 300, left: 150, right: 150)
    var roll = Paper(roll: 6_200, cuts: 2_540...100_000, margins: margins, "main-roll")
    roll.type = "labels-continuous"
    let labels = [
      MediaSize(width: 6_200, length: 10_000), MediaSize(width: 6_200, length: 2_900),
      MediaSize(width: 2_900, length: 9_000),
    ].map { size in
      Paper(
        name: MediaName.name(for: size), size: size, margins: Margins(all: 150),
        source: "alternate", type: "labels", isReady: true)
    }
    var profile = Profile(
      name: "label", printerName: "Sim Label", makeAndModel: "airprint Simulated Label Printer",
      kinds: [.label, .roll], resolutions: [Resolution(300)],
      trays: [
        Tray(source: "main-roll", papers: [roll], loaded: roll),
        Tray(source: "alternate", papers: labels, loaded: labels[0]),
      ], supplies: [], pagesPerMinute: 60)
    profile.hasCutter = true
    return profile
  }()

  /// An envelope printer.
  static let envelope: Profile = {
    let tray = Tray(
      "envelope",
      [
        "Envelope #10", "Envelope Monarch", "Envelope DL", "Envelope C5", "Envelope C6",
        "Envelope Chou 3",
      ], Margins(all: 423), type: "envelope", loaded: "Envelope #10")
    return Profile(
      name: "envelope", printerName: "Sim Envelope",
      makeAndModel: "airprint Simulated Envelope Printer", kinds: [.envelope],
      resolutions: [Resolution(300), Resolution(600)], trays: [tray], supplies: blackToner,
      pagesPerMinute: 30)
  }()

  /// A plotter with a 24-inch roll.
  static let largeFormat: Profile = {
    let margins = Margins(all: 500)
    var roll = Paper(roll: 60_960, cuts: 20_000...500_000, margins: margins, "main-roll")
    roll.type = "stationery"
    let sheets = Tray(
      "manual", ["A1", "A2", "A3", "A4", "Arch D", "Arch C", "Super B", "Letter"], margins)
    var profile = Profile(
      name: "large-format", printerName: "Sim Large Format",
      makeAndModel: "airprint Simulated Large-Format Printer", kinds: [.largeFormat, .roll],
      resolutions: [Resolution(150), Resolution(300)],
      trays: [Tray(source: "main-roll", papers: [roll], loaded: roll), sheets],
      supplies: fourInks, pagesPerMinute: 2)
    profile.isColor = true
    profile.hasCutter = true
    return profile
  }()

  /// A printer that prefers PDF, so that vectors stay vectors.
  ///
  /// It has no margins: documents are saved as they are sent.
  static let saveOriginal: Profile = {
    let tray = Tray(
      "main", ["A4", "Letter", "Legal", "A3", "Tabloid", "A5"], .zero, loaded: "A4")
    var profile = Profile(
      name: "save-original", printerName: "Save Original",
      makeAndModel: "airprint Save Original", kinds: [.document], resolutions: [Resolution(300)],
      trays: [tray], supplies: [], pagesPerMinute: 60)
    profile.isColor = true
    profile.sheetBack = .normal
    profile.formats = [
      DocumentFormat.pdf, DocumentFormat.jpeg, DocumentFormat.urf, DocumentFormat.pwg,
    ]
    return profile
  }()
}

extension Profile {
  /// An office inkjet as many vendors build them: every sheet is listed with and without margins, the fold-out side
  /// tray comes before the main one, both hold A4 and Letter, and the photo tray has glossy paper.
  static let office: Profile = {
    let margins = Margins(all: 296)
    let sheets = ["A4", "Letter", "Legal", "A5"]
    let side = Tray("side", sheets, margins, isAlsoBorderless: true, loaded: "Letter")
    let main = Tray("main", sheets, margins, isAlsoBorderless: true, loaded: "Letter")
    let photos = Tray(
      "photo", ["4x6", "5x7", "10x15"], margins, type: "com.example.advanced-photo",
      isAlsoBorderless: true, loaded: "4x6")
    var profile = Profile(
      name: "office", printerName: "Sim Office", makeAndModel: "airprint Simulated Office Inkjet",
      kinds: [.document, .envelope, .photo, .postcard],
      resolutions: [Resolution(300), Resolution(600)], trays: [side, main, photos],
      supplies: fourInks, pagesPerMinute: 20)
    profile.isColor = true
    profile.sheetBack = .normal
    return profile
  }()

  /// A thermal printer for die-cut labels, with gaps between them, as described by LPrint.
  static let labelsGap: Profile = {
    let labels = [
      MediaSize(width: 10_160, length: 15_240), MediaSize(width: 5_080, length: 2_540),
      MediaSize(width: 3_175, length: 8_890),
    ].map { size in
      Paper(
        name: MediaName.name(for: size), size: size, margins: Margins(all: 150),
        source: "main-roll", type: "labels", isReady: true
      ).withGaps
    }
    return Profile(
      name: "labels-gap", printerName: "Sim Labels",
      makeAndModel: "airprint Simulated Die-Cut Label Printer", kinds: [.label],
      resolutions: [Resolution(203)],
      trays: [Tray(source: "main-roll", papers: labels, loaded: labels[0])], supplies: [],
      pagesPerMinute: 60)
  }()
}

extension Paper {
  /// The paper, tracked by the gaps between its labels (PWG 5100.7's media-tracking).
  fileprivate var withGaps: Paper {
    guard case .collection(let members) = mediaColumn else { return self }
    var paper = self
    paper.column = members + [Attribute("media-tracking", .keyword("gap"))]
    return paper
  }
}

extension Profile.Tray {
  /// A tray for sheets with common names.
  fileprivate init(
    _ source: String, _ names: [String], _ margins: Margins, type: String = "stationery",
    isAlsoBorderless: Bool = false, loaded: String? = nil
  ) {
    var papers: [Paper] = []
    for medium in names.compactMap(StandardMedia.named) {
      for margins in isAlsoBorderless ? [margins, .zero] : [margins] {
        papers.append(
          Paper(
            name: medium.name, size: medium.size, margins: margins, source: source, type: type,
            isReady: true))
      }
    }
    let medium = loaded.flatMap(StandardMedia.named)
    self.init(
      source: source, papers: papers, loaded: papers.first { $0.name == medium?.name })
  }
}

extension Paper {
  /// A roll of this width.
  fileprivate init(
    roll width: Hundredths, cuts: ClosedRange<Hundredths>, margins: Margins, _ source: String
  ) {
    let size = MediaSize(width: width, length: cuts.upperBound)
    // The name contains the longest cut: a length of 0, which PWG 5101.1 allows for rolls, fails ipp-2.0.test.
    let custom = MediaName.name(for: size).split(separator: "_").last ?? ""
    self.init(
      name: "roll_current_\(custom)", size: size, margins: margins, source: source,
      type: "continuous", isRoll: true, cuts: cuts, isReady: true)
  }
}

extension Margins {
  fileprivate init(all length: Hundredths) {
    self.init(top: length, bottom: length, left: length, right: length)
  }
}
