internal import PrintModel

/// Attributes of a profile's printer that do not change while it runs.
extension Profile {
  func attributes(_ identity: Identity) -> [Attribute] {
    let own =
      self.identity(identity) + formatAttributes + jobAttributes + mediaAttributes + combinations
    guard !recorded.all.isEmpty else { return own }
    // A clone reports what its model reports, except its identity and what can't be simulated.
    let ours = AttributeSet(own)
    var all = own.filter { Profile.always.contains($0.name) || recorded[$0.name] == nil }
    all += recorded.all.filter {
      ours[$0.name] == nil || !Profile.always.contains($0.name)
    }.filter { !Profile.never.contains($0.name) }
    return all
  }

  /// Attributes that keep our own values even in a clone.
  private static let always: Set<String> = [
    "printer-name", "printer-dns-sd-name", "printer-info", "printer-location", "printer-uuid",
    "operations-supported", "document-format-supported", "document-format-default",
    "charset-configured", "charset-supported", "compression-supported",
    "uri-security-supported", "uri-authentication-supported", "ipp-versions-supported",
    "media-supported", "media-size-supported", "media-col-database", "media-source-supported",
    "multiple-document-jobs-supported", "which-jobs-supported", "job-ids-supported",
    "identify-actions-supported", "identify-actions-default", "copies-supported",
  ]

  /// Recorded attributes that a running printer reports itself (`SimulatedPrinter`), or that would be wrong for a
  /// simulated one.
  private static let never: Set<String> = [
    "printer-state", "printer-state-reasons", "printer-state-message", "printer-up-time",
    "printer-current-time", "printer-is-accepting-jobs", "queued-job-count", "media-ready",
    "media-col-ready", "marker-levels", "marker-names", "marker-colors", "marker-types",
    "marker-high-levels", "marker-low-levels", "printer-supply", "printer-supply-description",
    "printer-input-tray", "printer-uri-supported", "printer-more-info", "printer-icons",
    "printer-supply-info-uri", "printer-xri-supported", "printer-strings-uri",
    "printer-config-change-time", "printer-config-change-date-time", "printer-state-change-time",
    "printer-state-change-date-time", "printer-impressions-completed",
    "printer-pages-completed", "printer-firmware-name", "printer-geo-location", "cups-version",
    "device-uri", "printer-alert", "printer-alert-description", "printer-message-from-operator",
    "printer-detailed-status-messages",
  ]

  private func identity(_ identity: Identity) -> [Attribute] {
    let manufacturer = makeAndModel.split(separator: " ").first.map(String.init) ?? "airprint"
    let model = makeAndModel.dropFirst(manufacturer.count + 1)
    let command = formats.compactMap { Profile.commandNames[$0] }.joined(separator: ",")
    return [
      Attribute("charset-configured", .string(.charset, "utf-8")),
      Attribute("charset-supported", .string(.charset, "us-ascii"), .string(.charset, "utf-8")),
      Attribute("natural-language-configured", .string(.naturalLanguage, "en")),
      Attribute("generated-natural-language-supported", .string(.naturalLanguage, "en")),
      Attribute("ipp-versions-supported", .keyword("1.1"), .keyword("2.0")),
      Attribute("ipp-features-supported", keywords: ["airprint-1.7", "ipp-everywhere"]),
      Attribute(
        "operations-supported", SimulatedPrinter.operations.map { .enumeration($0.rawValue) }),
      Attribute("printer-name", .name(identity.name)),
      Attribute("printer-dns-sd-name", .name(identity.name)),
      Attribute("printer-info", .text(identity.name)),
      Attribute("printer-location", .text(identity.location)),
      // A printer's location exists even if it is unknown (PWG 5100.13 §5.6.13).
      Attribute("printer-geo-location", .unknown),
      Attribute("printer-make-and-model", .text(makeAndModel)),
      Attribute(
        "printer-device-id",
        .text("MFG:\(manufacturer);MDL:\(model.isEmpty ? "Printer" : model);CMD:\(command);")),
      Attribute("printer-uuid", .uri("urn:uuid:\(identity.uuid)")),
      Attribute("printer-kind", keywords: kinds.map(\.rawValue)),
      Attribute("printer-organization", .text("")),
      Attribute("printer-organizational-unit", .text("")),
      Attribute("printer-firmware-name", .name("airprint")),
      Attribute("printer-firmware-string-version", .text("1")),
      Attribute("printer-firmware-version", .octets([0, 1])),
      Attribute("color-supported", .boolean(isColor)),
      Attribute("pages-per-minute", .integer(pagesPerMinute)),
      Attribute("identify-actions-supported", keywords: ["display", "flash", "sound"]),
      Attribute("identify-actions-default", keywords: ["display"]),
      Attribute("multiple-document-jobs-supported", .boolean(false)),
      Attribute("multiple-operation-time-out", .integer(120)),
      Attribute("multiple-operation-time-out-action", .keyword("abort-job")),
      Attribute("pdl-override-supported", .keyword("attempted")),
      Attribute("preferred-attributes-supported", .boolean(false)),
      Attribute("printer-get-attributes-supported", .keyword("document-format")),
      Attribute("which-jobs-supported", keywords: ["completed", "not-completed", "all"]),
      Attribute("job-ids-supported", .boolean(true)),
      Attribute("uri-security-supported", .keyword("none"), .keyword("tls")),
      Attribute(
        "uri-authentication-supported",
        keywords: identity.password == nil
          ? ["requesting-user-name", "requesting-user-name"] : ["basic", "basic"]),
    ] + (isColor ? [Attribute("pages-per-minute-color", .integer(pagesPerMinute))] : [])
  }

  /// CMD names for an IEEE 1284 device ID.
  private static let commandNames = [
    DocumentFormat.urf: "URF", DocumentFormat.pwg: "PWGRaster", DocumentFormat.pdf: "PDF",
    DocumentFormat.jpeg: "JPEG",
  ]
}

// MARK: - Formats

extension Profile {
  private var formatAttributes: [Attribute] {
    let types = isColor ? ["sgray_8", "srgb_8"] : ["sgray_8"]
    return [
      Attribute("document-format-default", .mediaType("application/octet-stream")),
      Attribute(
        "document-format-supported",
        (["application/octet-stream"] + formats).map { .mediaType($0) }),
      Attribute("document-format-preferred", .mediaType(formats[0])),
      Attribute("compression-supported", keywords: ["none", "deflate", "gzip"]),
      Attribute("urf-supported", keywords: urf),
      Attribute("pwg-raster-document-type-supported", keywords: types),
      Attribute("pwg-raster-document-resolution-supported", resolutions.map { .resolution($0) }),
      Attribute("pwg-raster-document-sheet-back", .keyword((sheetBack ?? .normal).rawValue)),
      Attribute(
        "pdf-versions-supported", keywords: ["adobe-1.3", "adobe-1.7", "iso-32000-1_2008"]),
      Attribute("pdf-k-octets-supported", .range(0...1_048_576)),
      Attribute("jpeg-k-octets-supported", .range(0...1_048_576)),
      Attribute("jpeg-x-dimension-supported", .range(0...65_535)),
      Attribute("jpeg-y-dimension-supported", .range(1...65_535)),
      Attribute("jpeg-features-supported", .keyword("none")),
    ]
  }

  /// urf-supported, which is also DNS-SD's URF key.
  package var urf: [String] {
    let all = resolutions.map { "\($0.x)" }.joined(separator: "-")
    let back = sheetBack.flatMap(SheetBack.allCases.firstIndex).map { ["DM\($0 + 1)"] } ?? []
    let types = ["V1.4", "CP255", "W8"] + (isColor ? ["SRGB24"] : [])
    let trays = trays.compactMap { MediaPosition.number(of: $0.source) }.map { "\($0)" }
    let sources = trays.isEmpty ? [] : ["IS\(trays.joined(separator: "-"))"]
    return types + back + sources + ["RS\(all)", "PQ3-4-5", "IFU0", "OB10"]
      + (hasCutter ? ["FN3-11"] : [])
  }
}

// MARK: - Job Template attributes

extension Profile {
  /// Names of the Job Template attributes that can be asked for, in every profile.
  static let template = [
    "copies", "finishings", "job-account-id", "job-account-type", "job-accounting-user-id",
    "job-hold-until", "job-priority", "job-sheets", "media", "media-col",
    "multiple-document-handling", "number-up", "orientation-requested", "output-bin",
    "overrides", "page-ranges", "print-color-mode", "print-content-optimize", "print-quality",
    "print-rendering-intent", "print-scaling", "printer-resolution", "sides",
  ]

  /// Those of them that have a default: each with its default and its supported values.
  private var choices: [(name: String, usual: Attribute.Value, supported: [Attribute.Value])] {
    func keywords(_ names: String...) -> [Attribute.Value] { names.map { .keyword($0) } }
    let collated = "separate-documents-collated-copies"
    let collation = keywords(collated, "separate-documents-uncollated-copies")
    let optimizations = keywords("auto", "graphic", "photo", "text", "text-and-graphic")
    let colorModes =
      isColor
      ? keywords("auto", "color", "monochrome", "process-monochrome")
      : keywords("auto", "auto-monochrome", "monochrome")
    let resolutions = resolutions.map { Attribute.Value.resolution($0) }
    let sides = sheetBack == nil ? [Sides.oneSided] : Sides.allCases
    return [
      ("copies", .integer(1), [.range(1...999)]),
      ("job-account-id", .none, [.boolean(true)]),
      ("job-account-type", .keyword("none"), keywords("general", "group", "none")),
      ("job-accounting-user-id", .none, [.boolean(true)]),
      ("job-hold-until", .keyword("no-hold"), keywords("no-hold", SimulatedJob.indefinite)),
      ("job-priority", .integer(50), [.integer(1)]),
      ("job-sheets", .keyword("none"), keywords("none")),
      ("multiple-document-handling", .keyword(collated), collation),
      ("number-up", .integer(1), [.integer(1)]),
      ("orientation-requested", .none, [3, 4, 5, 6, 7].map { .enumeration($0) }),
      ("output-bin", .keyword("face-down"), keywords("face-down")),
      ("print-color-mode", .keyword(isColor ? "auto" : "monochrome"), colorModes),
      ("print-content-optimize", .keyword("auto"), optimizations),
      ("print-quality", .enumeration(4), [3, 4, 5].map { .enumeration($0) }),
      ("print-rendering-intent", .keyword("auto"), keywords("auto")),
      ("print-scaling", .keyword("auto"), keywords("auto", "auto-fit", "fill", "fit", "none")),
      ("printer-resolution", resolutions[resolutions.count - 1], resolutions),
      ("sides", .keyword("one-sided"), sides.map { .keyword($0.rawValue) }),
    ]
  }

  private var jobAttributes: [Attribute] {
    let creationAttributes =
      (Profile.template + ["ipp-attribute-fidelity", "job-name"]).sorted()
      + (isForLabels ? ["print-darkness", "print-speed", "label-mode", "label-tear-offset"] : [])
    return choices.flatMap {
      [Attribute("\($0.name)-default", $0.usual), Attribute("\($0.name)-supported", $0.supported)]
    } + [
      Attribute("job-creation-attributes-supported", keywords: creationAttributes),
      Attribute("client-info-supported", keywords: SimulatedPrinter.clientInfo.map(\.key).sorted()),
      Attribute("document-password-supported", .integer(0)),
      Attribute("job-mandatory-attributes-supported", .boolean(true)),
      Attribute("job-k-octets-supported", .range(0...1_048_576)),
      Attribute("job-pages-per-set-supported", .boolean(false)),
      Attribute("job-password-encryption-supported", keywords: ["none", "sha2-256", "sha2-512"]),
      Attribute("job-password-length-supported", .range(4...16)),
      Attribute("job-password-supported", .integer(255)),
      Attribute("landscape-orientation-requested-preferred", .enumeration(4)),
      // PWG 5100.13 §5.6.14; a remaining capacity of -3 is unknown (RFC 3805).
      Attribute(
        "printer-output-tray",
        .octets("type=unRemovableBin;maxcapacity=-2;remaining=-3;status=0;name=face-down;")),
      // PWG 5100.6 has document-numbers; ipptool's ipp-everywhere.test demands document-number, as ippeveprinter has it.
      Attribute(
        "overrides-supported",
        keywords: ["document-numbers", "document-number", "media-col", "pages"]),
      Attribute("page-ranges-supported", .boolean(true)),
    ] + finishingAttributes + (isForLabels ? Profile.ofLabels : [])
  }

  var isForLabels: Bool { kinds.contains(.label) }

  /// Those of label printers, as PAPPL lists them, and modes and offsets for jobs; lengths in 1/100 mm.
  private static let ofLabels = [
    Attribute("print-darkness-default", .integer(0)),
    Attribute("print-darkness-supported", .integer(30)),
    Attribute("printer-darkness-configured", .integer(50)),
    Attribute("printer-darkness-supported", .integer(30)),
    Attribute("print-speed-default", .integer(10_160)),
    Attribute("print-speed-supported", .range(2_540...15_240)),
    Attribute("label-mode-configured", .keyword("tear-off")),
    Attribute("label-mode-default", .keyword("tear-off")),
    Attribute("label-mode-supported", keywords: ["cutter", "peel-off", "tear-off"]),
    Attribute("label-tear-offset-configured", .integer(0)),
    Attribute("label-tear-offset-default", .integer(0)),
    Attribute("label-tear-offset-supported", .range(-1_500...1_500)),
    Attribute("media-top-offset-supported", .range(-1_500...1_500)),
  ]

  /// Finishings available while printing: none, or the cutter's trim (PWG 5100.1 §5).
  private var finishingAttributes: [Attribute] {
    let templates = hasCutter ? ["none", "trim"] : ["none"]
    let finishings = (hasCutter ? [3, 11] : [3]).map { Attribute.Value.enumeration($0) }
    func column(_ template: String) -> Attribute.Value {
      .collection([Attribute("finishing-template", .keyword(template))])
    }
    return [
      Attribute("finishings-default", .enumeration(3)),
      Attribute("finishings-ready", finishings),
      Attribute("finishings-col-ready", templates.map(column)),
      Attribute("finishings-supported", finishings),
      Attribute("finishing-template-supported", keywords: templates),
      Attribute("finishings-col-database", templates.map(column)),
      Attribute("finishings-col-default", column("none")),
      Attribute("finishings-col-supported", .keyword("finishing-template")),
    ]
  }
}

extension Attribute {
  init(_ name: String, keywords: [String]) {
    self.init(name, keywords.map { Attribute.Value.keyword($0) })
  }
}

extension Attribute.Value {
  /// Text as an octetString.
  static func octets(_ text: String) -> Self { .octets(Array(text.utf8)) }
}

// media-col and related attributes (PWG 5100.7).

extension Profile {
  var mediaAttributes: [Attribute] {
    let papers = self.papers
    let types = papers.compactMap(\.type).unique
    // The default of a roll is a piece of it: a default is a single size (PWG 5100.7 §6.3).
    let usual = defaultPaper.map { $0.piece ?? $0 }
    return [
      Attribute(
        "media-col-supported",
        keywords: [
          "media-bottom-margin", "media-left-margin", "media-right-margin", "media-size",
          "media-size-name", "media-source", "media-top-margin", "media-type",
        ] + (tracking.isEmpty ? [] : ["media-tracking"]) + (isForLabels ? ["media-top-offset"] : [])
      ),
      Attribute("media-source-supported", keywords: ["auto"] + trays.map(\.source).unique),
      Attribute("media-type-supported", keywords: types),
      margins("top", \.top), margins("bottom", \.bottom), margins("left", \.left),
      margins("right", \.right),
      Attribute("media-supported", keywords: names.unique),
      Attribute("media-size-supported", sizes),
      Attribute("media-col-database", (papers + papers.compactMap(\.piece)).map { $0.mediaColumn }),
      Attribute("media-default", usual.map { .keyword($0.name) } ?? .none),
      Attribute("media-col-default", usual.map(\.mediaColumn) ?? .none),
    ]
      + (tracking.isEmpty ? [] : [Attribute("media-tracking-supported", keywords: tracking)])
  }

  /// media-tracking: how the printer finds labels and rolls under its head.
  private var tracking: [String] {
    papers.flatMap {
      ($0.isRoll ? ["continuous"] : []) + AttributeSet($0.column).strings("media-tracking")
    }.unique
  }

  private func margins(_ side: String, _ member: KeyPath<Margins, Hundredths>) -> Attribute {
    let all =
      papers.map { $0.margins[keyPath: member] }
      + (duplexMargins.map { [$0[keyPath: member]] } ?? [])
    return Attribute("media-\(side)-margin-supported", Set(all).sorted().map { .length($0) })
  }

  /// The names of sizes, and of the bounds of custom ranges (PWG 5101.1 §5).
  private var names: [String] {
    func name(_ kind: String, _ width: Hundredths, _ length: Hundredths) -> String {
      "\(kind)_\(width.inMillimeters.dropLast(3))x\(length.inMillimeters.dropLast(3))mm"
    }
    return papers.flatMap { paper -> [String] in
      guard let cuts = paper.cuts, paper.isRoll else { return [paper.name] }
      return [
        name("roll_max", paper.size.width, cuts.upperBound),
        name("roll_min", paper.size.width, cuts.lowerBound),
      ]
    }
      + papers.compactMap(\.piece?.name)
      + trays.compactMap(\.custom).flatMap { custom in
        [
          name("custom_max", custom.widths.upperBound, custom.lengths.upperBound),
          name("custom_min", custom.widths.lowerBound, custom.lengths.lowerBound),
        ]
      }
  }

  private var sizes: [Attribute.Value] {
    let stated = (papers + papers.compactMap(\.piece)).map(\.sizeMembers)
    let free = trays.compactMap(\.custom).map {
      Attribute.dimensions(.lengths($0.widths), .lengths($0.lengths))
    }
    return (stated + free).unique.map { .collection($0) }
  }
}

extension Attribute {
  /// The members of media-size.
  fileprivate static func dimensions(_ x: Value, _ y: Value) -> [Attribute] {
    [Attribute("x-dimension", x), Attribute("y-dimension", y)]
  }
}

extension Paper {
  /// A piece of a roll as long as A4, for clients that can't choose a length; nil for sheets, and for media of a clone.
  fileprivate var piece: Paper? {
    guard isRoll, let cuts, column.isEmpty else { return nil }
    var piece = self
    piece.size.length = min(max(29_700, cuts.lowerBound), cuts.upperBound)
    piece.name = MediaName.name(for: piece.size)
    piece.cuts = nil
    return piece
  }

  fileprivate var sizeMembers: [Attribute] {
    Attribute.dimensions(.length(size.width), cuts.map { .lengths($0) } ?? .length(size.length))
  }

  /// A media-col value: the cloned printer's own, or one with all known members.
  var mediaColumn: Attribute.Value {
    if !column.isEmpty { return .collection(column) }
    var members = [
      Attribute("media-size", .collection(sizeMembers)),
      Attribute("media-size-name", .keyword(name)),
      Attribute("media-top-margin", .length(margins.top)),
      Attribute("media-bottom-margin", .length(margins.bottom)),
      Attribute("media-left-margin", .length(margins.left)),
      Attribute("media-right-margin", .length(margins.right)),
    ]
    if let source { members.append(Attribute("media-source", .keyword(source))) }
    if let type { members.append(Attribute("media-type", .keyword(type))) }
    if isRoll { members.append(Attribute("media-tracking", .keyword("continuous"))) }
    return .collection(members)
  }
}
