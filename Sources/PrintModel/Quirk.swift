/// A correction of the reports of one kind of printer: one entry of quirks.toml.
package struct Quirk: Sendable, Equatable {
  /// The actual transform of back sides.
  package var sheetBack: SheetBack?
  /// True if the printer must not make the copies of a file that is sent unchanged.
  package var makesCopiesHere = false
  /// Formats that the printer accepts but does not print correctly.
  package var avoided: [String] = []
  /// The fault that occurs without the quirk.
  package var reason: String

  package init(reason: String) { self.reason = reason }
}

extension Capabilities {
  /// Corrects the printer's statements; the reasons are part of every plan.
  package mutating func correct(by quirk: Quirk) {
    if let back = quirk.sheetBack {
      if urf?.sheetBack != nil { urf?.sheetBack = back }
      pwg?.sheetBack = back
    }
    if quirk.makesCopiesHere { copies = 1...1 }
    formats.removeAll { quirk.avoided.contains($0) }
    if quirk.avoided.contains(preferredFormat ?? "") { preferredFormat = nil }
    corrections.append(quirk.reason)
  }
}
