package import PrintModel

/// Events at a simulated printer, for its user interface.
package enum PrinterEvent: Sendable {
  case received(Job)
  case printed(Page)
  case stopped(reasons: [String], job: Int?)
  case resumed
  case ended(Job)
  /// It was asked to make itself known, with these actions and words.
  case identified(actions: [String], message: String?)
  /// Something of ours went wrong.
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

  /// One side of a sheet that came out.
  package struct Page: Sendable {
    package var job: Int
    /// From 1.
    package var number: Int
    /// From 1.
    package var sheet: Int
    package var isBack: Bool
    /// The sheet is printed on both sides, or can be.
    package var isDuplex: Bool
    /// A4, 80 mm roll.
    package var paper: String
    /// Size of the sheet, 1/100 mm: a roll as it was cut.
    package var size: MediaSize
    package var tray: String
    package var resolution: Resolution
    package var isColor: Bool
    package var file: String
  }
}
