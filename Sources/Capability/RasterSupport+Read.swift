internal import PrintModel

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
