internal import FoundationEssentials
internal import PrintModel
internal import System

// Printer attributes that change while it runs.

extension SimulatedPrinter.State {
  /// The reasons for which the printer is stopped.
  var blocking: [String] {
    stops + (neededPaper == nil ? [] : ["media-needed"])
      + (used.contains { $0.level == 0 } ? ["\(marker)-empty"] : [])
  }

  /// The supplies that printing uses up.
  private var used: [Profile.SimulatedSupply] { supplies.filter { !$0.isWaste } }

  /// The beginning of a supply's reasons.
  private var marker: String { supplies.first?.type == "toner" ? "toner" : "marker-supply" }

  var isStopped: Bool { isPaused || !blocking.isEmpty }

  var printerState: PrinterStatus.State {
    isStopped ? .stopped : current == nil ? .idle : .processing
  }

  /// printer-state-reasons, with their severities (RFC 8011 §5.4.12).
  var reasons: [String] {
    let isEmpty = hasSensors && !trays.isEmpty && trays.allSatisfy { $0.loaded == nil }
    let empty = isEmpty && !blocking.contains("media-empty") ? ["media-empty-warning"] : []
    let low = used.contains { (1...10).contains($0.level) } ? ["\(marker)-low"] : []
    let all =
      blocking.map { "\($0)-error" } + (isPaused ? ["paused"] : []) + empty
      + (warnings + low).unique.map { "\($0)-warning" }
    return all.isEmpty ? ["none"] : all.unique
  }

  /// printer-state-message.
  var message: String {
    if let neededPaper { return "Load \(neededPaper)." }
    if let reason = blocking.first {
      return (StateReason(reason).words ?? reason).capitalizedFirst + "."
    }
    if isPaused { return "Paused." }
    return current == nil ? "Ready." : "Printing."
  }

  /// Reports the reason of a fault that stops the printer or is a warning; false for all others.
  mutating func report(_ fault: Fault.Kind) -> Bool {
    switch fault {
    case .stop(let reason): stops = (stops + [reason]).unique
    case .warn(let reason): warnings = (warnings + [reason]).unique
    default: return false
    }
    return true
  }

  /// The job of this number, as long as the printer knows it; setting another one's has no effect.
  subscript(job id: Int) -> SimulatedJob? {
    get { jobs.first { $0.id == id } }
    set {
      guard let newValue, let index = jobs.firstIndex(where: { $0.id == id }) else { return }
      jobs[index] = newValue
    }
  }
}

extension SimulatedPrinter {
  /// All attributes that change.
  ///
  /// `host` and `resource` are the printer's, as the client addresses it.
  func changingAttributes(host: String, resource: String) -> [Attribute] {
    let uptime = self.uptime
    let ipp = "ipp://\(host)\(resource)"
    return state.withLock { state in
      let ready = options.hasSensors ? state.trays.flatMap(\.ready) : []
      let now = Date.now
      // The same each time.
      let running = started.duration(to: .now) / .seconds(1)
      func ago(_ date: Date) -> Int { max(1, Int(running - now.timeIntervalSince(date)) + 1) }
      return [
        Attribute("printer-uri-supported", .uri(ipp), .uri("ipps" + ipp.dropFirst(3))),
        Attribute("printer-more-info", .uri("http://\(host)/")),
        Attribute("printer-supply-info-uri", .uri("http://\(host)/")),
        Attribute("printer-icons", .uri("http://\(host)/icon.png")),
        Attribute("printer-state", .enumeration(state.printerState.rawValue)),
        Attribute("printer-state-reasons", keywords: state.reasons),
        Attribute("printer-state-message", .text(state.message)),
        Attribute("printer-state-change-time", .integer(ago(state.changed))),
        Attribute("printer-state-change-date-time", dateTime(state.changed)),
        Attribute("printer-config-change-time", .integer(ago(state.configured))),
        Attribute("printer-config-change-date-time", dateTime(state.configured)),
        Attribute("printer-is-accepting-jobs", .boolean(!state.isShutDown)),
        Attribute("printer-up-time", .integer(uptime)),
        Attribute("printer-current-time", dateTime(now)),
        Attribute("printer-impressions-completed", .integer(state.impressions)),
        Attribute("queued-job-count", .integer(state.jobs.count { !$0.state.isOver })),
        Attribute(
          "printer-input-tray",
          [Profile.Tray.automatic]
            + state.trays.map { tray in
              let isOut = state.stops.contains("media-empty") && state.feedingTray == tray.source
              return tray.description(isKnown: state.hasSensors, isEmpty: isOut)
            }),
      ] + media(ready) + supplies(state.supplies)
    }
  }

  private func media(_ ready: [Paper]) -> [Attribute] {
    guard !ready.isEmpty else { return [] }
    return [
      Attribute("media-ready", keywords: ready.map(\.name).unique),
      Attribute("media-col-ready", ready.map(\.mediaColumn)),
    ]
  }

  private func supplies(_ all: [Profile.SimulatedSupply]) -> [Attribute] {
    guard !all.isEmpty else {
      return [
        Attribute("printer-supply", .octets("type=other;maxcapacity=-2;level=-2;")),
        Attribute("printer-supply-description", .text("none")),
      ]
    }
    return [
      Attribute("marker-names", all.map { .name($0.color) }),
      Attribute("marker-colors", all.map { .name($0.hex) }),
      Attribute("marker-types", all.map { .keyword($0.type) }),
      Attribute("marker-levels", all.map { .integer($0.level) }),
      Attribute("marker-high-levels", all.map { _ in .integer(100) }),
      Attribute("marker-low-levels", all.map { _ in .integer(10) }),
      Attribute(
        "printer-supply",
        all.map {
          .octets("type=\($0.kind);maxcapacity=100;level=\($0.level);colorantname=\($0.color);")
        }),
      Attribute("printer-supply-description", all.map { .text("\($0.color) \($0.type)") }),
    ]
  }
}

extension Profile.Tray {
  /// A value of printer-input-tray for `auto`: there must be one for each of media-source-supported (PWG 5100.13
  /// §5.6.5).
  fileprivate static let automatic = Attribute.Value.octets(
    "type=other;mediafeed=0;mediaxfeed=0;maxcapacity=-2;level=-2;status=0;name=auto;")

  /// A value of printer-input-tray; `isKnown`: the printer knows if the tray is empty.
  fileprivate func description(isKnown: Bool, isEmpty: Bool) -> Attribute.Value {
    let size = loaded?.size ?? MediaSize(width: 0, length: 0)
    let type = loaded?.isRoll == true ? "continuousRoll" : "sheetFeedAutoRemovableTray"
    let level = !isKnown ? -2 : loaded == nil || isEmpty ? 0 : -3
    return .octets(
      "type=\(type);mediafeed=\(size.length.count);mediaxfeed=\(size.width.count);maxcapacity=-2;"
        + "level=\(level);status=0;name=\(source);")
  }
}

extension SimulatedPrinter {
  /// The paper in each tray, as `simulate load` accepts it: `main=A4`.
  package var loadedPaper: [String] {
    state.withLock { $0.trays.map { "\($0.source)=\($0.loaded?.typed ?? "none")" } }
  }

  /// IPP's reasons for which it is stopped, and its warnings.
  package var stateReasons: [String] { state.withLock { $0.reasons.filter { $0 != "none" } } }
}

extension Paper {
  /// Its name as `simulate load` accepts it.
  fileprivate var typed: String {
    if isRoll { return title.replacing(" roll", with: "").replacing(" ", with: "") }
    guard title.contains(" ") else { return title }
    return StandardMedia.all.first { $0.title == title }?.aliases.first ?? title
  }
}

extension Profile.Tray {
  /// The papers that it can hold, as `simulate load` accepts them, and `none`.
  package var loadable: [String] {
    papers.map(\.typed).unique + ["none"]
  }
}
