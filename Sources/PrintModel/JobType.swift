/// Purpose of a sheet: UIPrinter's job types and PWG 5100.13's `printer-kind` keywords, in the order in which all lists
/// show them.
package enum JobType: String, Sendable, Codable, CaseIterable, Comparable {
  case document
  case envelope
  /// Cut labels and label rolls.
  case label
  /// Photographic quality.
  case photo
  case postcard
  /// Receipts on continuous rolls.
  case receipt
  /// Documents and pictures on continuous rolls.
  case roll
  /// Larger than ISO A3.
  case largeFormat = "large-format"
  /// Printable discs; a type in IPP, but not in iOS.
  case disc

  package static func < (left: JobType, right: JobType) -> Bool {
    left.order < right.order
  }

  private var order: Int { JobType.allCases.firstIndex(of: self) ?? 0 }

  /// `a document`, `an envelope`: the type in a sentence.
  package var withArticle: String {
    self == .envelope ? "an envelope" : "a \(rawValue)"
  }
}

extension JobType {
  /// The plural at the start of a sentence: `Receipts`.
  package var plural: String { plurals.capitalizedFirst }

  /// The plural within a sentence: `receipts`.
  package var plurals: String {
    self == .largeFormat ? "large-format jobs" : "\(rawValue)s"
  }
}
