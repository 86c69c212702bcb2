/// Capabilities of a printer, read from its Get-Printer-Attributes answer and validated: all values were stated by the
/// printer and are within plausible bounds.
///
/// Absent values were not stated by the printer.
package struct Capabilities: Sendable, Equatable {
  // Identity
  package var name: String?
  package var info: String?
  package var makeAndModel: String?
  package var location: String?
  /// The UUID in lower case, without `urn:uuid:`.
  package var uuid: String?
  package var moreInfo: String?
  package var icons: [String] = []
  /// True for a CUPS queue (cups-version is present): it accepts PDF, and its media lists contain the possible media,
  /// not the loaded ones.
  package var isQueue = false

  // Formats and job types
  /// printer-kind if stated, else inferred from media and sizes; empty if that is impossible.
  package var types: Set<JobType> = []
  package var typesAreStated = false
  package var isColor = false
  package var formats: [String] = []
  /// document-format-preferred, AirPrint's hint which format the printer prefers.
  package var preferredFormat: String?
  package var urf: RasterSupport?
  package var pwg: RasterSupport?
  package var jpeg = JPEGSupport()

  // Paper
  /// Loaded media as the printer reports them: media-col-ready, else media-ready with the stated margins.
  package var ready: [Paper] = []
  /// True when `ready` was reported by the printer (even if it reports nothing loaded).
  package var reportsReady = false
  /// Sizes that are supported besides the listed ones.
  package var customSizes: [CustomSizes] = []
  /// media-col-default, or media-default.
  package var defaultPaper: Paper?
  /// Margin that two-sided sheets may have at the top and the bottom, if larger than the paper's.
  package var duplexMargin: Hundredths = 0
  /// Media that it supports when they are loaded: media-col-database, else media-size-supported.
  package var possible: [Paper] = []
  package var mediaColumnMembers: Set<String> = []
  package var sources: [String] = []
  /// Trays without paper, from printer-input-tray.
  package var emptySources: Set<String> = []
  package var mediaTypes: [String] = []

  // Job Template attributes
  package var sides: [Sides] = []
  package var defaultSides: Sides?
  package var colorModes: [String] = []
  package var outputModes: [String] = []
  package var qualities: [Quality] = []
  package var resolutions: [Resolution] = []
  package var scalings: [Scaling] = []
  /// 4 (landscape) or 5 (reverse-landscape): the direction in which this printer turns a landscape page.
  package var landscapeOrientation: Int?
  package var copies: ClosedRange<Int>?
  package var takesPageRanges = false
  package var contentOptimize: [String] = []
  package var finishings: [Int] = []
  package var compressions: [String] = []
  package var mandatory: [String] = []
  package var identifyActions: [String] = []
  /// Operation codes (RFC 8011 §5.4.15).
  package var operations: Set<Int> = []
  /// job-creation-attributes-supported; nil if the printer has no such list.
  package var jobAttributes: Set<String>?
  /// job-constraints-supported, and job-resolvers-supported by resolver-name.
  package var constraints: [JobConstraint] = []
  package var resolvers: [String: [Attribute]] = [:]
  /// job-presets-supported.
  package var presets: [JobPreset] = []
  /// job-triggers-supported.
  package var triggers: [JobTrigger] = []

  /// Reasons why some values are not those that the printer stated (`Quirk`).
  package var corrections: [String] = []

  /// Everything that the printer reported, for checking `-o NAME=VALUE`.
  package var attributes = AttributeSet()

  package init() {}

  package var isDuplex: Bool { sides.contains { $0 != .oneSided } }

  /// Returns true if a job may contain `attribute`: the printer lists it, or lists values for it.
  package func accepts(_ attribute: String) -> Bool {
    jobAttributes?.contains(attribute) == true
      || attributes["\(attribute)-supported"] != nil
  }

  /// The kinds of raster that it reads in a format; nil for none, and for a format that is no raster.
  package func raster(_ format: String) -> RasterSupport? {
    format == DocumentFormat.urf ? urf : format == DocumentFormat.pwg ? pwg : nil
  }

  package func does(_ operation: Operation) -> Bool { operations.contains(operation.rawValue) }

  /// The IPP operations that airprint uses if a printer lists them, or that a simulated printer supports.
  package enum Operation: Int, Sendable {
    case printJob = 0x02
    case validateJob = 0x04
    case createJob = 0x05
    case sendDocument = 0x06
    case cancelJob = 0x08
    case getJobAttributes = 0x09
    case getJobs = 0x0A
    case getPrinterAttributes = 0x0B
    case holdJob = 0x0C
    case releaseJob = 0x0D
    case pausePrinter = 0x10
    case resumePrinter = 0x11
    case setJobAttributes = 0x14
    case cancelMyJobs = 0x39
    case closeJob = 0x3B
    case identifyPrinter = 0x3C
    case validateDocument = 0x3D
    /// Of a system service, not of a printer (PWG 5100.22).
    case getPrinters = 0x4F
    case getUserPrinterAttributes = 0x66
    case cupsGetPrinters = 0x4002
    case cupsMoveJob = 0x400D
  }
}

/// The kinds of raster that a printer reads in one format: urf-supported (protocol: AirPrint's Apple Raster), or the
/// pwg-raster-document-* attributes (PWG 5102.4).
package struct RasterSupport: Sendable, Equatable {
  /// 8-bit gray (W8, sgray_8), and 24-bit sRGB (SRGB24, srgb_8).
  package var gray: Bool
  package var color: Bool
  /// As listed; those of URF, the RS token's, are square.
  package var resolutions: [Resolution]
  /// The transform of a back side; nil for URF without a DM token: no two-sided URF.
  package var sheetBack: SheetBack?
  /// URF's CP token: the number of copies that the printer makes of a document; 1 if not stated.
  package var copies = 1
  /// True if color is `cmyk_8`: the printer has no `srgb_8`.
  package var isCMYK = false
  /// black_1: one bit per pixel.
  package var bitonal = false
  /// True if the printer supports PWG Raster, but does not report which kinds: these are those that every printer
  /// should read.
  package var isAssumed = false

  package init(gray: Bool, color: Bool, resolutions: [Resolution], sheetBack: SheetBack?) {
    self.gray = gray
    self.color = color
    self.resolutions = resolutions
    self.sheetBack = sheetBack
  }
}

/// Limits on the JPEG files that a printer reads: the jpeg-* attributes (PWG 5100.13).
package struct JPEGSupport: Sendable, Equatable {
  package var features: Set<String> = []
  package var maximumOctets: Int?
  package var widths: ClosedRange<Int>?
  package var heights: ClosedRange<Int>?
}
