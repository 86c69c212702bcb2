package import PrintModel

/// Events at a simulated printer, for a user interface.
package enum PrinterEvent: Sendable {
  case received(Job)
  case printed(Page)
  /// It waits for someone; `message` is printer-state-message.
  case stopped(reasons: [String], message: String, job: Int?)
  case resumed
  case ended(Job)
  /// The printer was asked to identify itself, with these actions and this message.
  case identified(actions: [String], message: String?)
  /// airprint itself failed.
  case failed(Failure)

  package struct Job: Sendable {
    package var id: Int
    package var name: String
    package var user: String
    package var format: String?
    package var state: JobState
    package var reasons: [String]
    package var message: String
    package var impressions: Int
    package var folder: String?
  }

  /// A printed side of a sheet.
  package struct Page: Sendable {
    package var job: Int
    /// From 1.
    package var number: Int
    /// From 1.
    package var sheet: Int
    package var isBack: Bool
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
