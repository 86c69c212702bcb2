// The values that a print option, a ticket and an IPP attribute share. Raw values are IPP's keywords.

/// The `sides` attribute: which edge a sheet is turned over.
package enum Sides: String, Sendable, Codable, CaseIterable {
  case oneSided = "one-sided"
  case longEdge = "two-sided-long-edge"
  case shortEdge = "two-sided-short-edge"

  package var isDuplex: Bool { self != .oneSided }

  /// `two-sided, long edge`: for people.
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

  package var keyword: String {
    switch self {
    case .draft: "draft"
    case .normal: "normal"
    case .high: "high"
    }
  }

  package static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
}

/// print-scaling (PWG 5100.13): how a page meets a sheet of another size.
package enum Scaling: String, Sendable, Codable, CaseIterable {
  /// A page of the sheet's size, or smaller, stays as it is; a larger one is shrunk to the printable
  /// area (borderless: fills the sheet).
  case auto
  /// As `auto`, but always into the printable area.
  case autoFit = "auto-fit"
  /// As large as the printable area allows; never cut.
  case fit
  /// Covers the sheet; what is left over is cut.
  case fill
  /// 100 %, whatever is lost.
  case none
}

/// Transform by which the back of a sheet must be turned before it is sent:
/// pwg-raster-document-sheet-back (PWG 5102.4) and URF's DM tokens.
package enum SheetBack: String, Sendable, Codable, CaseIterable {
  case normal
  case flipped
  case rotated
  case manualTumble = "manual-tumble"

  /// The DM token's number: DM1 normal, DM2 flipped, DM3 rotated, DM4 manual-tumble. (ipptool once had
  /// the order wrong: cups#1200.)
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
