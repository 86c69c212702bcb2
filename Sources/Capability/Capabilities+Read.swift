package import PrintModel

extension Capabilities {
  /// Reads a printer's answer.
  ///
  /// Missing or invalid values are left out. Nothing is made up except the job types, which are inferred if the printer
  /// does not state them.
  package init(reading attributes: AttributeSet) {
    self.init()
    self.attributes = attributes
    readIdentity(attributes)
    readFormats(attributes)
    readJobTemplate(attributes)
    readMedia(attributes)
    readTypes(attributes)
  }

  private mutating func readIdentity(_ attributes: AttributeSet) {
    func text(_ name: String) -> String? {
      attributes.string(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    name = text("printer-dns-sd-name") ?? text("printer-name")
    info = text("printer-info")
    makeAndModel = text("printer-make-and-model")
    location = text("printer-location")
    uuid = text("printer-uuid").flatMap(PrinterUUID.normalized)
    moreInfo = text("printer-more-info")
    icons = Array(attributes.strings("printer-icons").prefix(8))
    isQueue = attributes["cups-version"] != nil
  }

  private mutating func readFormats(_ attributes: AttributeSet) {
    formats = attributes.strings("document-format-supported").map { $0.lowercased() }
    preferredFormat = attributes.string("document-format-preferred")?.lowercased()
    urf = RasterSupport(urf: attributes)
    pwg = RasterSupport(pwg: attributes, isListed: formats.contains(DocumentFormat.pwg))
    jpeg.features = Set(attributes.strings("jpeg-features-supported"))
    jpeg.maximumOctets = attributes.spans("jpeg-k-octets-supported").first
      .map { $0.upperBound.multipliedReportingOverflow(by: 1024) }
      .flatMap { $0.overflow || $0.partialValue <= 0 ? nil : $0.partialValue }
    jpeg.widths = attributes.spans("jpeg-x-dimension-supported").first
    jpeg.heights = attributes.spans("jpeg-y-dimension-supported").first
    compressions = attributes.strings("compression-supported")
  }

  private mutating func readJobTemplate(_ attributes: AttributeSet) {
    sides = attributes.strings("sides-supported").compactMap(Sides.init(rawValue:))
    defaultSides = attributes.string("sides-default").flatMap(Sides.init(rawValue:))
    colorModes = attributes.strings("print-color-mode-supported")
    outputModes = attributes.strings("output-mode-supported")
    isColor =
      attributes.boolean("color-supported")
      ?? (colorModes.contains("color") || urf?.color == true && urf?.gray == false)
    qualities = attributes.numbers("print-quality-supported")
      .compactMap(Quality.init(rawValue:)).sorted()
    resolutions = attributes.resolutions("printer-resolution-supported").filter(\.isPlausible)
    scalings = attributes.strings("print-scaling-supported").compactMap(Scaling.init(rawValue:))
    landscapeOrientation = attributes.number("landscape-orientation-requested-preferred")
      .flatMap { [4, 5].contains($0) ? $0 : nil }
    copies = attributes.spans("copies-supported").first.flatMap {
      $0.upperBound >= 1 ? $0 : nil
    }
    takesPageRanges = attributes.boolean("page-ranges-supported") ?? false
    contentOptimize = attributes.strings("print-content-optimize-supported")
    finishings = attributes.numbers("finishings-supported")
    mandatory = attributes.strings("printer-mandatory-job-attributes")
    identifyActions = attributes.strings("identify-actions-supported")
    operations = Set(attributes.numbers("operations-supported"))
    let creation = attributes.strings("job-creation-attributes-supported")
    jobAttributes = creation.isEmpty ? nil : Set(creation)
    constraints = JobConstraint.list(in: attributes)
    resolvers = JobConstraint.resolvers(in: attributes)
    presets = JobPreset.list(in: attributes)
    triggers = JobTrigger.list(in: attributes)
  }

  /// Reads printer-kind (PWG 5100.13) if stated; else infers the types from media and sizes.
  mutating func readTypes(_ attributes: AttributeSet) {
    types = Set(
      attributes.strings("printer-kind").compactMap { JobType(rawValue: $0.lowercased()) })
    typesAreStated = !types.isEmpty
    if !typesAreStated { types = inferredTypes }
    // LPrint states "label" of receipt printers, too; their paper is named as what it is.
    if (ready.isEmpty ? possible : ready).contains(where: { MediaName.isReceipt($0.name) }) {
      types.insert(.receipt)
    }
  }

  private var inferredTypes: Set<JobType> {
    let papers = ready + possible + [defaultPaper].compactMap { $0 }
    let mediaTypes = Set(self.mediaTypes + papers.compactMap(\.type))
    let names = Set(papers.map(\.name))
    let printsLabelsOnly = isLabelPrinter(papers, mediaTypes)
    // Labels often have no margins, but are not photo sheets.
    let hasLabels =
      printsLabelsOnly || mediaTypes.contains(where: Paper.isLabel)
      || papers.contains(where: \.isLabel)
    var types: Set<JobType> = []
    func infer(_ type: JobType, _ condition: Bool) { if condition { types.insert(type) } }
    // Drivers of label printers list A4 although such a sheet does not fit (CUPS' zebra.ppd).
    infer(
      .document,
      (printsLabelsOnly ? [defaultPaper].compactMap { $0 } : papers)
        .contains(where: \.holdsLetterOrA4))
    infer(.largeFormat, papers.contains(where: \.isLarge))
    infer(
      .photo,
      mediaTypes.contains(where: Paper.isPhotographic)
        || !hasLabels
          && papers.contains {
            ($0.isBorderless || !$0.margins.areStated) && $0.isPhotoSized
          }
    )
    infer(
      .envelope,
      !printsLabelsOnly && names.contains(where: MediaName.isEnvelope)
        || mediaTypes.contains(where: Paper.isEnvelope) || sources.contains("envelope"))
    infer(
      .postcard,
      names.contains { $0.hasPrefix("jpn_hagaki") || $0.hasPrefix("jpn_oufuku") }
        || sources.contains("hagaki"))
    infer(.label, hasLabels)
    infer(.roll, papers.contains(where: \.isRoll))
    infer(
      .receipt,
      // The width of 58 mm and 80 mm rolls, or of their printable part.
      papers.contains { $0.isRoll && (4_800...8_300).contains($0.size.width) && !$0.isLabel }
        || !hasLabels && !mediaTypes.contains(where: Paper.isPhotographic)
          && defaultPaper?.isReceiptSheet == true
    )
    infer(.disc, papers.contains(where: \.isDisc) || mediaTypes.contains { $0.hasPrefix("disc") })
    // Media of no known type are sheets.
    infer(.document, types.isEmpty && !papers.isEmpty)
    return types
  }

  /// Returns true for thermal stock, or if most media are small and the default one is, too, or none is a sheet: a
  /// driver's queue reports no more about a label printer, whose default is often a shipping label (4x6).
  ///
  /// Photo printers also have small sheets, of photo paper or without margins.
  private func isLabelPrinter(_ papers: [Paper], _ mediaTypes: Set<String>) -> Bool {
    if mediaTypes.contains(where: Paper.isThermal) { return !papers.contains(where: \.isRoll) }
    guard let usual = defaultPaper, !usual.isRoll, !usual.isBorderless, usual.margins.areStated,
      usual.size.isSmallerThanPhotos || !papers.contains(where: \.holdsLetterOrA4),
      !usual.isReceiptSheet,
      !mediaTypes.contains(where: Paper.isPhotographic)
    else { return false }
    let sizes = Set(papers.map(\.size))
    return sizes.filter(\.isSmallerThanPhotos).count * 2 > sizes.count
  }
}

extension MediaSize {
  /// True if it is narrower than an L photo (89 mm).
  fileprivate var isSmallerThanPhotos: Bool { min(width, length) < 8_800 }
}

extension RasterSupport {
  /// Reads urf-supported's tokens (protocol: `V1.4`, `W8`, `SRGB24`, `RS300-600`, `DM1`, …); unknown tokens are
  /// ignored.
  ///
  /// A printer without `RS` prints at the resolutions that it states elsewhere. nil if there is no resolution or color
  /// space that airprint writes.
  init?(urf attributes: AttributeSet) {
    let tokens = attributes.strings("urf-supported")
    var support = RasterSupport(gray: false, color: false, resolutions: [], sheetBack: nil)
    for token in tokens.map({ $0.uppercased() }) {
      if token == "W8" || token.hasPrefix("W8-") {
        support.gray = true
      } else if token.hasPrefix("SRGB24") {
        support.color = true
      } else if token.hasPrefix("RS") {
        support.resolutions = token.dropFirst(2).split(separator: "-").compactMap { Int($0) }
          .map { Resolution($0) }.filter(\.isPlausible)
      } else if token.hasPrefix("CP"), let number = Int(token.dropFirst(2)) {
        support.copies = min(max(number, 1), 9_999)
      } else if token.hasPrefix("DM"), let number = Int(token.dropFirst(2)) {
        support.sheetBack = SheetBack(urf: number)
      }
    }
    if support.resolutions.isEmpty {
      support.resolutions = attributes.rasterResolutions(where: \.isSquare)
    }
    guard support.gray || support.color, !support.resolutions.isEmpty else { return nil }
    self = support
  }

  /// Reads the pwg-raster-document-* attributes (PWG 5102.4); nil without a type or a resolution that airprint writes.
  ///
  /// A printer that lists the format but none of its attributes is assumed to read sRGB, which every reader supports
  /// (§5), at one of its resolutions.
  ///
  /// - `isListed`: the printer lists the format.
  init?(pwg attributes: AttributeSet, isListed: Bool) {
    let stated = "pwg-raster-document-type-supported"
    // Canon and Brother write Sgray_8.
    let types = attributes.strings(stated).map { $0.lowercased() }
    let isAssumed = isListed && attributes.values(stated).isEmpty
    let usable = attributes.rasterResolutions { $0.isSquare || !isAssumed }
    var support = RasterSupport(
      gray: types.contains("sgray_8"), color: isAssumed || types.contains("srgb_8"),
      resolutions: usable.isEmpty && isAssumed ? [Resolution(300)] : usable,
      sheetBack: attributes.string("pwg-raster-document-sheet-back")
        .flatMap(SheetBack.init(rawValue:)) ?? .normal)
    support.isAssumed = isAssumed
    support.isCMYK = !support.color && types.contains("cmyk_8")
    if support.isCMYK { support.color = true }
    support.bitonal = types.contains("black_1")
    guard support.gray || support.color || support.bitonal, !support.resolutions.isEmpty else {
      return nil
    }
    self = support
  }
}

extension AttributeSet {
  /// Usable resolutions for raster: those stated for PWG Raster, else the printer's own, else its default.
  fileprivate func rasterResolutions(where isUsable: (Resolution) -> Bool) -> [Resolution] {
    let names = [
      "pwg-raster-document-resolution-supported", "printer-resolution-supported",
      "printer-resolution-default",
    ]
    return names.map { resolutions($0).filter { $0.isPlausible && isUsable($0) } }
      .first { !$0.isEmpty } ?? []
  }
}

extension Resolution {
  /// True for a plausible one: no printer is coarser than a fax or finer than 4800 dpi.
  ///
  /// Other values are wrong, and must not determine how much memory is allocated for pages.
  var isPlausible: Bool { [x, y].allSatisfy((50...4_800).contains) }
}
