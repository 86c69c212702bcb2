extension Margins {
  /// Three quarters of an inch: what text has on a sheet.
  package static let text = Margins(top: 1_905, bottom: 1_905, left: 1_905, right: 1_905)
  /// A quarter of an inch: what a header has on a sheet without margins.
  package static let line = Margins(top: 635, bottom: 635, left: 635, right: 635)
}

extension Ticket {
  /// The file goes to the printer as it is, whatever it is (`-o raw`).
  package var isRaw: Bool { [DocumentFormat.octets, DocumentFormat.cupsRaw].contains(format) }

  /// Something is drawn around pages, or kept free.
  package var isFramed: Bool { margins != nil || header != nil || footer != nil }

  /// Paper that is too small, or too dear, for margins that nobody asked for.
  package var isTight: Bool {
    paper.isRoll || [.label, .envelope, .receipt].contains(type)
  }

  /// Of the type of header and footer: a little smaller than text's, on sheets and on rolls.
  package var runningSize: Double { isTight ? 7 : 9 }
}
