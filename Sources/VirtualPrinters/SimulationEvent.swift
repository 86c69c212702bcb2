package import PrintModel
internal import Simulation

/// Events while printers are simulated; in JSON, an object with `event` and its details.
package enum SimulationEvent: Sendable {
  case started([SimulatedPrinterReport], folder: String, isTemporary: Bool)
  /// The printers are not listed on the network, for this reason.
  case unlisted(String)
  case received(Job)
  case printed(Page)
  case stopped(printer: String, reasons: [String], message: String)
  case resumed(printer: String)
  case ended(Job)
  /// The printer was asked to identify itself.
  case identified(printer: String, actions: [String], message: String?)
  /// airprint itself failed.
  case failed(printer: String, message: String)

  package struct Job: Sendable, Encodable {
    package var printer: String
    package var job: Int
    package var name: String
    package var user: String
    @Null package var format: String? = nil
    package var state: String
    package var reasons: [String]
    package var message: String
    package var pages: Int
    @Null package var folder: String? = nil
  }

  /// One side of a sheet; lengths in points.
  package struct Page: Sendable, Encodable {
    package var printer: String
    package var job: Int
    package var page: Int
    package var sheet: Int
    package var side: String
    package var paper: String
    package var width: Double
    package var height: Double
    package var tray: String
    package var color: Bool
    package var file: String
    package var duplex: Bool
  }
}

/// A simulated printer that was started.
package struct SimulatedPrinterReport: Encodable, Sendable {
  package var name: String
  package var profile: String
  package var uri: String
  package var uuid: String
  /// DNS-SD name; nil when it is not listed.
  @Null package var listedAs: String? = nil
  package var folder: String
  /// Password that clients must send; nil when none is required.
  @Null package var password: String? = nil
}

extension SimulationEvent {
  init(_ event: PrinterEvent, at printer: String) {
    switch event {
    case .received(let job): self = .received(Job(job, at: printer))
    case .printed(let page): self = .printed(Page(page, at: printer))
    case .stopped(let reasons, let message):
      self = .stopped(printer: printer, reasons: reasons, message: message)
    case .resumed: self = .resumed(printer: printer)
    case .ended(let job): self = .ended(Job(job, at: printer))
    case .identified(let actions, let message):
      self = .identified(printer: printer, actions: actions, message: message)
    case .failed(let failure): self = .failed(printer: printer, message: failure.message)
    }
  }
}

extension SimulationEvent.Job {
  fileprivate init(_ job: SimulatedJob, at printer: String) {
    self.init(
      printer: printer, job: job.id, name: job.name, user: job.user, format: job.format,
      state: job.state.keyword, reasons: job.reasons, message: job.message,
      pages: job.impressions, folder: job.folder)
  }
}

extension SimulationEvent.Page {
  fileprivate init(_ page: PrinterEvent.Page, at printer: String) {
    self.init(
      printer: printer, job: page.job, page: page.number, sheet: page.sheet,
      side: page.side, paper: page.paper, width: page.size.width.points,
      height: page.size.length.points, tray: page.tray, color: page.isColor, file: page.file,
      duplex: page.isDuplex)
  }
}

extension SimulationEvent: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .started(let printers, let folder, let isTemporary):
      try encoder.encode([
        "event": "started", "printers": printers, "folder": folder, "temporary": isTemporary,
      ])
    case .unlisted(let reason): try encoder.encode(["event": "unlisted", "reason": reason])
    case .received(let job):
      try encoder.encode(["event": "received"])
      try job.encode(to: encoder)
    case .printed(let page):
      try encoder.encode(["event": "printed"])
      try page.encode(to: encoder)
    case .stopped(let printer, let reasons, let message):
      try encoder.encode([
        "event": "stopped", "printer": printer, "reasons": reasons, "message": message,
      ])
    case .resumed(let printer): try encoder.encode(["event": "resumed", "printer": printer])
    case .ended(let job):
      try encoder.encode(["event": "ended"])
      try job.encode(to: encoder)
    case .identified(let printer, let actions, let message):
      try encoder.encode([
        "event": "identified", "printer": printer, "actions": actions, "message": message,
      ])
    case .failed(let printer, let message):
      try encoder.encode(["event": "failed", "printer": printer, "message": message])
    }
  }
}
