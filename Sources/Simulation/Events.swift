package import PrintModel

/// Events at a simulated printer, for a user interface.
package enum PrinterEvent: Sendable {
  case received(SimulatedJob)
  case printed(Page)
  /// It waits for someone; `message` is printer-state-message.
  case stopped(reasons: [String], message: String)
  case resumed
  case ended(SimulatedJob)
  /// The printer was asked to identify itself, with these actions and this message.
  case identified(actions: [String], message: String?)
  /// airprint itself failed.
  case failed(Failure)

  /// A printed side of a sheet.
  package struct Page: Sendable {
    package var job: Int
    /// From 1.
    package var number: Int
    /// From 1.
    package var sheet: Int
    package var isBack: Bool
    /// As in JSON.
    package var side: String { isBack ? "back" : "front" }
    /// True if the sheet is or may be printed on both sides.
    package var isDuplex: Bool
    /// Such as A4, or 80 mm roll.
    package var paper: String
    /// Size of the sheet, 1/100 mm; for a roll, as cut.
    package var size: MediaSize
    package var tray: String
    package var resolution: Resolution
    package var isColor: Bool
    package var file: String
  }
}
