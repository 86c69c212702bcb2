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
}
