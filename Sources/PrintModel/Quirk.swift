/// A correction of what a kind of printer reports: one entry of quirks.toml.
package struct Quirk: Sendable, Equatable {
  /// Transform by which backs must really be turned.
  package var sheetBack: SheetBack?
  /// Copies of a file that goes through as it is are not left to the printer.
  package var makesCopiesHere: Bool
  /// Formats that the printer takes but does not print right.
  package var avoided: [String]
  /// The fault without it.
  package var reason: String

  package init(
    sheetBack: SheetBack?, makesCopiesHere: Bool, avoided: [String], reason: String
  ) {
    self.sheetBack = sheetBack
    self.makesCopiesHere = makesCopiesHere
    self.avoided = avoided
    self.reason = reason
  }
}

extension Capabilities {
  /// Corrects what the printer stated; the reasons end up in every plan.
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
