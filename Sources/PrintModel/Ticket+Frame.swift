extension Margins {
  /// The margins of text on a sheet: three quarters of an inch.
  package static let text = Margins(top: 1_905, bottom: 1_905, left: 1_905, right: 1_905)
  /// The margins of a header on a sheet without margins: a quarter of an inch.
  package static let line = Margins(top: 635, bottom: 635, left: 635, right: 635)
}

extension Ticket {
  /// True if something is drawn around pages, or if space is kept free.
  package var isFramed: Bool { margins != nil || header != nil || footer != nil }

  /// True for paper that is too small, or too expensive, for margins that were not requested.
  package var isTight: Bool {
    paper.isRoll || [.label, .envelope, .receipt].contains(type)
  }

  /// Font size of header and footer: slightly smaller than that of text, on sheets and on rolls.
  package var runningSize: Double { isTight ? 7 : 9 }
}
