package import PrintModel
package import Simulation

/// Events while printers are simulated; in JSON, an object with `event` and its details.
package enum SimulationEvent: Sendable {
  case started([SimulatedPrinterReport], folder: String, isTemporary: Bool)
  /// The printers are not listed on the network, for this reason.
  case unlisted(String)
  /// An event at the printer of this name.
  case at(printer: String, PrinterEvent)
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

  fileprivate var sentence: String {
    "\(name) (\(profile)) prints at \(uri)"
      + (listedAs.map { $0 == name ? "" : ", listed as \($0)" } ?? "")
      + (password.map { "; password \($0)" } ?? "") + "."
  }
}

// MARK: - For people

extension SimulationEvent {
  /// What happened, in sentences.
  package var sentences: [String] {
    switch self {
    case .started(let printers, let folder, let isTemporary):
      printers.map(\.sentence)
        + ["Pages go to \(folder)\(isTemporary ? ", which is removed at the end" : "")."]
    case .unlisted(let why): ["Not listed on the network (\(why)): print to the URI."]
    case .at(let printer, let event): [event.sentence(at: printer)]
    }
  }

  /// True if airprint itself failed.
  package var isFailure: Bool { if case .at(_, .failed) = self { true } else { false } }

  /// True if somebody wants to know which printer it is.
  package var isIdentification: Bool {
    if case .at(_, .identified) = self { true } else { false }
  }

  /// The PDF with all sides of a job that has ended; nil for a job without any, and for other events.
  package var pages: String? {
    guard case .at(_, .ended(let job)) = self, job.impressions > 0 else { return nil }
    return job.folder.map { "\($0)/pages.pdf" }
  }
}

extension PrinterEvent {
  fileprivate func sentence(at printer: String) -> String {
    switch self {
    case .received(let job):
      return "\(printer): job \(job.id), \(job.name), \(job.format ?? "of no known type")."
    case .printed(let page):
      return "\(printer): job \(page.job), page \(page.number)"
        + (page.isDuplex ? " (sheet \(page.sheet), \(page.side))" : "")
        + ", \(page.paper), \(page.isColor ? "color" : "gray"): \(page.file)"
    case .stopped(let reasons, let message):
      return "\(printer) has stopped (\(reasons.joined(separator: ", "))): \(message)"
    case .resumed: return "\(printer) has resumed."
    case .ended(let job):
      let state = job.state == .completed ? "printed" : job.state.keyword
      // `Printed.` says nothing more.
      let isPlain = ["Printed.", "Canceled."].contains(job.message)
      return "\(printer): job \(job.id) \(state)\(isPlain ? "." : ": \(job.message)")"
    case .identified(let actions, let message):
      return "\(printer): \(actions.joined(separator: ", "))" + (message.map { ": \($0)" } ?? "")
    case .failed(let failure): return "\(printer): \(failure.message)"
    }
  }
}

// MARK: - As JSON

extension SimulationEvent: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .started(let printers, let folder, let isTemporary):
      try encoder.encode([
        "event": "started", "printers": printers, "folder": folder, "temporary": isTemporary,
      ])
    case .unlisted(let reason): try encoder.encode(["event": "unlisted", "reason": reason])
    case .at(let printer, let event):
      try encoder.encode(["printer": printer])
      try event.encode(to: encoder)
    }
  }
}

extension PrinterEvent {
  /// Adds its name and its details; lengths are in points.
  fileprivate func encode(to encoder: any Encoder) throws {
    func encode(_ event: String, _ job: SimulatedJob) throws {
      try encoder.encode([
        "event": event, "job": job.id, "name": job.name, "user": job.user, "format": job.format,
        "state": job.state.keyword, "reasons": job.reasons, "message": job.message,
        "pages": job.impressions, "folder": job.folder,
      ])
    }
    switch self {
    case .received(let job): try encode("received", job)
    case .printed(let page):
      try encoder.encode([
        "event": "printed", "job": page.job, "page": page.number, "sheet": page.sheet,
        "side": page.side, "paper": page.paper, "width": page.size.width.points,
        "height": page.size.length.points, "tray": page.tray, "color": page.isColor,
        "file": page.file, "duplex": page.isDuplex,
      ])
    case .stopped(let reasons, let message):
      try encoder.encode(["event": "stopped", "reasons": reasons, "message": message])
    case .resumed: try encoder.encode(["event": "resumed"])
    case .ended(let job): try encode("ended", job)
    case .identified(let actions, let message):
      try encoder.encode(["event": "identified", "actions": actions, "message": message])
    case .failed(let failure):
      try encoder.encode(["event": "failed", "message": failure.message])
    }
  }
}
