// Values that print options, tickets and IPP attributes share. Raw values are IPP's keywords.

/// The `sides` attribute: the edge over which a sheet is turned.
package enum Sides: String, Sendable, Codable, CaseIterable {
  case oneSided = "one-sided"
  case longEdge = "two-sided-long-edge"
  case shortEdge = "two-sided-short-edge"

  package var isDuplex: Bool { self != .oneSided }

  /// Words for people: `two-sided, long edge`.
  package var words: String {
    switch self {
    case .oneSided: "one-sided"
    case .longEdge: "two-sided, long edge"
    case .shortEdge: "two-sided, short edge"
    }
  }
}

/// print-quality (RFC 8011 §5.2.13); the numbers are the enum's.
package enum Quality: Int, Sendable, CaseIterable, Comparable {
  case draft = 3
  case normal = 4
  case high = 5

  /// The keyword, which is the case's name.
  package var keyword: String { "\(self)" }

  package static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
}

/// print-scaling (PWG 5100.13): how a page is scaled to a sheet of another size.
package enum Scaling: String, Sendable, Codable, CaseIterable {
  /// Keeps a page of the sheet's size or smaller; shrinks a larger one to the printable area (borderless: fills the
  /// sheet).
  case auto
  /// Like `auto`, but always to the printable area.
  case autoFit = "auto-fit"
  /// Scales to the printable area; never cuts anything off.
  case fit
  /// Covers the sheet; the excess is cut off.
  case fill
  /// 100 %, whatever is cut off.
  case none
}

/// Transform of the back side of a sheet before it is sent: pwg-raster-document-sheet-back (PWG 5102.4) and URF's DM
/// tokens.
package enum SheetBack: String, Sendable, Codable, CaseIterable {
  case normal
  case flipped
  case rotated
  case manualTumble = "manual-tumble"

  /// Makes a transform from the DM token's number: DM1 normal, DM2 flipped, DM3 rotated, DM4 manual-tumble.
  ///
  /// ipptool once had the wrong order (cups#1200).
  package init?(urf number: Int) {
    guard (1...4).contains(number) else { return nil }
    self = SheetBack.allCases[number - 1]
  }
}

/// Ink to use.
package enum ColorMode: Sendable, Equatable {
  case color
  case gray
}
