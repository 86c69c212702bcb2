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
    throw .usage(
      "No such profile: \(name)\(names.suggestion(for: name)). Profiles: "
        + "\(names.joined(separator: ", ")).")
  }

  private static let blackToner = [SimulatedSupply("black", "toner")]
  private static let fourInks = ["black", "cyan", "magenta", "yellow"].map {
    SimulatedSupply($0, "ink-cartridge")
  }

  /// A gray office laser with three trays; margins of 1/6 in, like Apple's simulated one.
  static let laser = Profile(
    name: "laser", printerName: "Sim Laser", makeAndModel: "airprint Simulated Laser",
    kinds: [.document, .envelope], resolutions: [Resolution(300), Resolution(600)],
    sheetBack: .normal, trays: laserTrays, supplies: blackToner, pagesPerMinute: 40)

  private static let laserTrays: [Tray] = {
    let sheets = ["A4", "Letter", "Legal", "Executive", "Statement", "A5", "B5"]
    let envelopes = ["Envelope #10", "Envelope DL", "Envelope C5", "Envelope Monarch"]
    let margins = Margins(all: 423)
    var byPass = Tray("by-pass-tray", sheets, margins)
    byPass.papers += Tray("by-pass-tray", envelopes, margins, type: "envelope").papers
    byPass.custom = (7_620...21_590, 12_700...35_560)
    return [
      Tray("main", sheets, margins, loaded: "A4"),
      Tray("alternate", sheets, margins, loaded: "Letter"), byPass,
    ]
  }()

  /// A color inkjet with a photo tray; two-sided sheets have margins of half an inch at top and bottom.
  static let inkjet = Profile(
    name: "inkjet", printerName: "Sim Inkjet", makeAndModel: "airprint Simulated Inkjet",
    kinds: [.document, .photo, .postcard], isColor: true,
    resolutions: [Resolution(300), Resolution(600)], sheetBack: .rotated,
    duplexMargins: Margins(top: 1_270, bottom: 1_270, left: 340, right: 340),
    trays: [
      Tray(
        "main", ["A4", "Letter", "Legal", "A5", "B5", "8x10"],
        Margins(top: 300, bottom: 500, left: 340, right: 340), loaded: "A4"),
      Tray(
        "photo", ["4x6", "5x7", "10x15", "L", "Hagaki"],
        Margins(top: 300, bottom: 500, left: 340, right: 340), type: "photographic-glossy",
        isAlsoBorderless: true, loaded: "4x6"),
    ], supplies: fourInks, pagesPerMinute: 12)

  /// A dye-sublimation printer for 4x6 prints.
  static let photo = Profile(
    name: "photo", printerName: "Sim Photo", makeAndModel: "airprint Simulated Photo Printer",
    kinds: [.photo, .postcard], isColor: true, resolutions: [Resolution(300)],
    trays: [
      Tray(
        "photo", ["4x6", "10x15", "L"], Margins(all: 300), type: "photographic-glossy",
        isAlsoBorderless: true, loaded: "4x6")
    ], supplies: [SimulatedSupply("ribbon", "ribbon")], pagesPerMinute: 1)

  /// An 80 mm thermal receipt printer with a cutter; it prints on 72 mm of the width.
  static let receipt = Profile(
    name: "receipt", printerName: "Sim Receipt",
    makeAndModel: "airprint Simulated Receipt Printer", kinds: [.receipt, .roll],
    resolutions: [Resolution(203)],
    trays: [
      Tray(
        roll: 8_000, cuts: 2_540...200_000,
        Margins(top: 300, bottom: 300, left: 400, right: 400), type: "continuous")
    ], hasCutter: true)

  /// A label printer: a continuous roll of 62 mm, and die-cut labels.
  static let label = Profile(
    name: "label", printerName: "Sim Label", makeAndModel: "airprint Simulated Label Printer",
    kinds: [.label, .roll], resolutions: [Resolution(300)],
    trays: [
      Tray(
        roll: 6_200, cuts: 2_540...100_000,
        Margins(top: 300, bottom: 300, left: 150, right: 150), type: "labels-continuous"),
      Tray("alternate", labels: [(6_200, 10_000), (6_200, 2_900), (2_900, 9_000)]),
    ], hasCutter: true)

  /// An envelope printer.
  static let envelope = Profile(
    name: "envelope", printerName: "Sim Envelope",
    makeAndModel: "airprint Simulated Envelope Printer", kinds: [.envelope],
    resolutions: [Resolution(300), Resolution(600)],
    trays: [
      Tray(
        "envelope",
        [
          "Envelope #10", "Envelope Monarch", "Envelope DL", "Envelope C5", "Envelope C6",
          "Envelope Chou 3",
        ], Margins(all: 423), type: "envelope", loaded: "Envelope #10")
    ], supplies: blackToner, pagesPerMinute: 30)

  /// A plotter with a 24-inch roll.
  static let largeFormat = Profile(
    name: "large-format", printerName: "Sim Large Format",
    makeAndModel: "airprint Simulated Large-Format Printer", kinds: [.largeFormat, .roll],
    isColor: true, resolutions: [Resolution(150), Resolution(300)],
    trays: [
      Tray(roll: 60_960, cuts: 20_000...500_000, Margins(all: 500), type: "stationery"),
      Tray(
        "manual", ["A1", "A2", "A3", "A4", "Arch D", "Arch C", "Super B", "Letter"],
        Margins(all: 500)),
    ], supplies: fourInks, pagesPerMinute: 2, hasCutter: true)

  /// A printer that prefers PDF, so that vectors stay vectors.
  ///
  /// It has no margins: documents are saved as they are sent.
  static let saveOriginal = Profile(
    name: "save-original", printerName: "Save Original",
    makeAndModel: "airprint Save Original", kinds: [.document], isColor: true,
    resolutions: [Resolution(300)], sheetBack: .normal,
    formats: [DocumentFormat.pdf, DocumentFormat.jpeg, DocumentFormat.urf, DocumentFormat.pwg],
    trays: [
      Tray("main", ["A4", "Letter", "Legal", "A3", "Tabloid", "A5"], .zero, loaded: "A4")
    ])

  /// An office inkjet as many vendors build them: every sheet is listed with and without margins, the fold-out side
  /// tray comes before the main one, both hold A4 and Letter, and the photo tray has glossy paper, which is printed on one
  /// side, not as a draft, and brings a preset along.
  static let office = Profile(
    name: "office", printerName: "Sim Office", makeAndModel: "airprint Simulated Office Inkjet",
    kinds: [.document, .envelope, .photo, .postcard], isColor: true,
    resolutions: [Resolution(300), Resolution(600)], sheetBack: .normal,
    trays: ["side", "main"].map {
      Tray(
        $0, ["A4", "Letter", "Legal", "A5"], Margins(all: 296), isAlsoBorderless: true,
        loaded: "Letter")
    } + [
      Tray(
        "photo", ["4x6", "5x7", "10x15"], Margins(all: 296), type: advancedPhoto,
        isAlsoBorderless: true, loaded: "4x6")
    ], supplies: fourInks, pagesPerMinute: 20, combinations: ofPhotoPaper)

  private static let advancedPhoto = "com.example.advanced-photo"

  /// PWG 5100.13 §5.6: constraints, resolvers, presets and triggers.
  private static let ofPhotoPaper: [Attribute] = {
    let onPhotoPaper = Attribute(
      "media-col", .collection([Attribute("media-type", .keyword(advancedPhoto))]))
    func entry(_ key: String, _ name: String, _ values: Attribute...) -> Attribute.Value {
      .collection([Attribute(key, .name(name))] + values)
    }
    let (resolver, preset) = ("resolver-name", "preset-name")
    let twoSided = Attribute("sides", keywords: ["two-sided-long-edge", "two-sided-short-edge"])
    let (draft, normal) = (
      Attribute("print-quality", .enumeration(3)), Attribute("print-quality", .enumeration(4))
    )
    return [
      Attribute(
        "job-constraints-supported", entry(resolver, "photo-sides", twoSided, onPhotoPaper),
        entry(resolver, "photo-draft", draft, onPhotoPaper)),
      Attribute(
        "job-resolvers-supported",
        entry(resolver, "photo-sides", Attribute("sides", keywords: ["one-sided"])),
        entry(resolver, "photo-draft", normal)),
      Attribute(
        "job-presets-supported",
        entry(
          preset, "Photo", Attribute("print-quality", .enumeration(5)),
          Attribute("print-content-optimize", .keyword("photo")))),
      Attribute("job-triggers-supported", entry(preset, "Photo", onPhotoPaper)),
    ]
  }()

  /// A thermal printer for die-cut labels, with gaps between them, as described by LPrint.
  static let labelsGap = Profile(
    name: "labels-gap", printerName: "Sim Labels",
    makeAndModel: "airprint Simulated Die-Cut Label Printer", kinds: [.label],
    resolutions: [Resolution(203)],
    trays: [
      Tray("main-roll", labels: [(10_160, 15_240), (5_080, 2_540), (3_175, 8_890)], hasGaps: true)
    ])
}

extension Profile.Tray {
  /// A tray for sheets with common names.
  fileprivate init(
    _ source: String, _ names: [String], _ margins: Margins, type: String = "stationery",
    isAlsoBorderless: Bool = false, loaded: String? = nil
  ) {
    papers = names.compactMap(StandardMedia.named).flatMap { medium in
      (isAlsoBorderless ? [margins, .zero] : [margins]).map {
        Paper(
          name: medium.name, size: medium.size, margins: $0, source: source, type: type,
          isReady: true)
      }
    }
    self.source = source
    let medium = loaded.flatMap(StandardMedia.named)
    self.loaded = papers.first { $0.name == medium?.name }
  }

  /// A tray with die-cut labels of these widths and lengths; the first ones are loaded.
  ///
  /// `hasGaps`: they are tracked by the gaps between them (PWG 5100.7's media-tracking).
  fileprivate init(
    _ source: String, labels: [(width: Hundredths, length: Hundredths)], hasGaps: Bool = false
  ) {
    self.source = source
    papers = labels.map { width, length in
      let size = MediaSize(width: width, length: length)
      var paper = Paper(
        name: MediaName.name(for: size), size: size, margins: Margins(all: 150), source: source,
        type: "labels", isReady: true)
      if hasGaps {
        let members = paper.mediaColumn.members ?? []
        paper.column = members + [Attribute("media-tracking", .keyword("gap"))]
      }
      return paper
    }
    loaded = papers.first
  }

  /// A roll of this width, loaded.
  fileprivate init(
    roll width: Hundredths, cuts: ClosedRange<Hundredths>, _ margins: Margins, type: String
  ) {
    let size = MediaSize(width: width, length: cuts.upperBound)
    // The name contains the longest cut: a length of 0, which PWG 5101.1 allows for rolls, fails ipp-2.0.test.
    let custom = MediaName.name(for: size).split(separator: "_").last ?? ""
    let roll = Paper(
      name: "roll_current_\(custom)", size: size, margins: margins, source: "main-roll",
      type: type, isRoll: true, cuts: cuts, isReady: true)
    self.init(source: "main-roll", papers: [roll], loaded: roll)
  }
}

extension Margins {
  fileprivate init(all length: Hundredths) {
    self.init(top: length, bottom: length, left: length, right: length)
  }
}
