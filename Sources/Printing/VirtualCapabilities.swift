internal import PrintModel

extension Capabilities {
  /// Capabilities for `render` and `preview` without a printer: any paper without hardware margins, every format, one
  /// resolution, both sides.
  static func virtual(
    paper selectors: [MediaSelector], type: JobType, resolution: Resolution, sheetBack: SheetBack,
    _ region: Region
  ) -> Capabilities {
    var capabilities = Capabilities()
    capabilities.info = "rendering without a printer"
    capabilities.formats = [
      DocumentFormat.urf, DocumentFormat.pwg, DocumentFormat.pdf, DocumentFormat.jpeg,
      DocumentFormat.postscript,
    ]
    capabilities.pwg = RasterSupport(
      gray: true, color: true, resolutions: [resolution], sheetBack: sheetBack)
    capabilities.urf = capabilities.pwg
    if !resolution.isSquare { capabilities.urf?.resolutions = [] }
    capabilities.isColor = true
    capabilities.sides = Sides.allCases
    capabilities.resolutions = [resolution]
    capabilities.scalings = Scaling.allCases
    capabilities.copies = 1...9_999
    capabilities.possible =
      (selectors.isEmpty ? [usual(for: type, region)] : selectors).compactMap(Paper.init(for:))
    return capabilities
  }

  /// Returns the usual paper for the type.
  private static func usual(for type: JobType, _ region: Region) -> MediaSelector {
    switch type {
    case .receipt: .roll(width: 8_000, asked: "80mm")
    case .photo: .sheet(region.photo, asked: "")
    case .postcard: .sheet(region.postcard, asked: "")
    case .envelope: .sheet(region.envelope, asked: "")
    default: .sheet(region.sheet, asked: "")
    }
  }
}

extension Paper {
  /// Makes the requested paper, as if a printer had it.
  fileprivate init?(for selector: MediaSelector) {
    switch selector {
    case .best: return nil
    case .sheet(let size, _):
      self.init(name: MediaName.name(for: size), size: size, margins: .zero, isReady: false)
    case .roll(let width, _):
      // One inch to five meters: longer than any receipt.
      let cuts: ClosedRange<Hundredths> = 254...500_000
      let size = MediaSize(width: width, length: cuts.upperBound)
      self.init(
        name: "roll_current_\(width.inMillimeters.filter { $0 != " " }.dropLast(2))x0mm",
        size: size, margins: .zero, isRoll: true, cuts: cuts, isReady: false)
    }
  }
}
