/// Capabilities of a printer, read from its Get-Printer-Attributes answer and checked: a value here
/// is one that the printer stated, within bounds that make sense.
///
/// Absent means that the printer did not say.
package struct Capabilities: Sendable, Equatable {
  // Identity
  package var name: String?
  package var info: String?
  package var makeAndModel: String?
  package var location: String?
  /// `urn:uuid:` taken off, lower case.
  package var uuid: String?
  package var moreInfo: String?
  package var icons: [String] = []
  /// A CUPS queue (cups-version is present): it takes PDF, and its media lists say what is possible,
  /// not what is loaded.
  package var isQueue = false

  // Formats and job types
  /// printer-kind where it is stated, else inferred from media and sizes; empty when it can't be.
  package var types: Set<JobType> = []
  package var typesAreStated = false
  package var isColor = false
  package var formats: [String] = []
  /// document-format-preferred, AirPrint's hint which format the printer likes best.
  package var preferredFormat: String?
  package var urf: URFSupport?
  package var pwg: PWGSupport?
  package var jpeg = JPEGSupport()

  // Paper
  /// Loaded media as the printer reports them: media-col-ready, else media-ready with the stated margins.
  package var ready: [Paper] = []
  /// True when `ready` was reported by the printer (even if it reports nothing loaded).
  package var reportsReady = false
  /// media-col-default, or media-default.
  package var defaultPaper: Paper?
  /// Media that it can take when somebody loads it: media-col-database, else media-size-supported.
  package var possible: [Paper] = []
  package var mediaColumnMembers: Set<String> = []
  package var sources: [String] = []
  /// Trays that have no paper left, by printer-input-tray.
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
  /// 4 (landscape) or 5 (reverse-landscape): which way this printer turns a landscape page.
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
  /// job-creation-attributes-supported; nil when the printer has no such list.
  package var jobAttributes: Set<String>?

  /// The reason some of this is not what the printer stated (`Quirk`).
  package var corrections: [String] = []

  /// Everything that the printer reported, to check `-o NAME=VALUE` against.
  package var attributes = AttributeSet()

  package init() {}

  package var isDuplex: Bool { sides.contains { $0 != .oneSided } }

  /// True when a job may carry `attribute`: the printer lists it, or lists values for it.
  package func accepts(_ attribute: String) -> Bool {
    jobAttributes?.contains(attribute) == true
      || attributes["\(attribute)-supported"] != nil
  }

  package func does(_ operation: Operation) -> Bool { operations.contains(operation.rawValue) }

  /// The IPP operations that airprint uses where a printer lists them.
  package enum Operation: Int, Sendable {
    case printJob = 0x02
    case validateJob = 0x04
    case createJob = 0x05
    case sendDocument = 0x06
    case cancelJob = 0x08
    case getJobAttributes = 0x09
    case getJobs = 0x0A
    case getPrinterAttributes = 0x0B
    case releaseJob = 0x0D
    case createJobSubscriptions = 0x17
    case getNotifications = 0x1C
    case identifyPrinter = 0x3C
    /// Of a system service, not of a printer (PWG 5100.22).
    case getPrinters = 0x4F
    case cupsGetPrinters = 0x4002
    case cupsMoveJob = 0x400D
  }
}

/// Values of urf-supported (protocol: AirPrint's Apple Raster).
package struct URFSupport: Sendable, Equatable {
  /// 8-bit gray (W8), 24-bit sRGB (SRGB24).
  package var gray: Bool
  package var color: Bool
  /// The RS token's resolutions, as listed; always square.
  package var resolutions: [Int]
  /// The DM token: how a back side must be turned.
  ///
  /// nil: no two-sided URF.
  package var sheetBack: SheetBack?
  /// The CP token: how many copies it makes of a document; 1 where it does not say.
  package var copies = 1

  package init(gray: Bool, color: Bool, resolutions: [Int], sheetBack: SheetBack?) {
    self.gray = gray
    self.color = color
    self.resolutions = resolutions
    self.sheetBack = sheetBack
  }
}

/// Values of the pwg-raster-document-* attributes (PWG 5102.4).
package struct PWGSupport: Sendable, Equatable {
  package var gray: Bool
  package var color: Bool
  package var resolutions: [Resolution]
  package var sheetBack: SheetBack
  /// Color is `cmyk_8`: the printer has no `srgb_8`.
  package var isCMYK = false
  /// black_1: a bit a pixel.
  package var bitonal = false
  /// The printer takes PWG Raster, but does not report which: this is what all of them should read.
  package var isAssumed = false

  package init(gray: Bool, color: Bool, resolutions: [Resolution], sheetBack: SheetBack) {
    self.gray = gray
    self.color = color
    self.resolutions = resolutions
    self.sheetBack = sheetBack
  }
}

/// Limits on the JPEG files a printer reads: the jpeg-* attributes (PWG 5100.13).
package struct JPEGSupport: Sendable, Equatable {
  package var features: Set<String> = []
  package var maximumOctets: Int?
  package var widths: ClosedRange<Int>?
  package var heights: ClosedRange<Int>?

  package init() {}
}
