internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import Raster
internal import System

// Printer attributes that change while it runs.

extension SimulatedPrinter.State {
  /// The reasons for which the printer is stopped.
  var blocking: [String] {
    stops + (neededPaper == nil ? [] : ["media-needed"])
      + (used.contains { $0.level == 0 } ? ["\(marker)-empty"] : [])
  }

  /// The supplies that printing uses up: without containers of waste, whose level is how full they are.
  private var used: [Profile.SimulatedSupply] { supplies.filter { !$0.type.hasPrefix("waste") } }

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

/// The paper that a job requests.
struct PaperWanted {
  var size: MediaSize?
  /// Its name, if nothing else is known.
  var name: String?
  var source: String?
  var type: String?
  var isBorderless = false

  /// Reads what a job asks for one of its sides, counted from 1.
  init(_ attributes: AttributeSet, _ header: RasterPage? = nil, side: Int = 1) {
    let override = attributes.collections("overrides").first {
      $0.spans("pages").contains { $0.contains(side) }
    }
    if let column = (override ?? attributes).collections("media-col").first {
      let size = column.collections("media-size").first
      if let width = size?.number("x-dimension") {
        let length = size?.number("y-dimension") ?? 0
        self.size = MediaSize(width: Hundredths(width), length: Hundredths(length))
      }
      name = column.string("media-size-name")
      source = column.string("media-source").flatMap { $0 == "auto" ? nil : $0 }
      type = column.string("media-type")
      let sides = ["top", "bottom", "left", "right"].map { column.number("media-\($0)-margin") }
      isBorderless = sides.allSatisfy { $0 == 0 }
    } else if let medium = attributes.string("media") {
      name = medium
    } else if let header, header.pageWidth > 0, header.pageLength > 0 {
      // The raster's header describes its sheet.
      name = header.sizeName.isEmpty ? nil : header.sizeName
      size = MediaSize(
        width: Hundredths(header.width * 2540 / header.resolution.x),
        length: Hundredths(header.height * 2540 / header.resolution.y))
    }
    source = header.flatMap { MediaPosition.source($0.mediaPosition) } ?? source
    if size == nil { size = name.flatMap(MediaName.size) }
  }

  /// Its title for messages.
  var title: String {
    let title = size.map { MediaName.title(of: $0, isRoll: $0.length == 0) } ?? "paper"
    return source.map { "\(title) into \($0)" } ?? title
  }

  /// True when this paper is suitable.
  func isServed(by paper: Paper) -> Bool {
    // A raster's size is truncated to pixels: it may be up to a point smaller than its sheet.
    size.map(paper.isCut(to:)) ?? true
  }
}

// Checks before a side can be printed.

extension SimulatedPrinter {
  /// Waits until the side can be printed, and returns the tray and the paper for it.
  ///
  /// Meanwhile the printer is stopped, and reports the reason.
  func awaitPaper(
    _ id: Int, side: Int, wanted: PaperWanted
  ) throws(JobStop) -> (tray: String, paper: Paper) {
    triggerFaults(of: id, side: side)
    var told: [String] = []
    while true {
      let news = state.wait { [told] state in
        let ready = find(wanted, &state)
        setStopped(state.isStopped, id, &state)
        let (ending, abort) = (state[job: id]?.ending, takeAbort(side, &state))
        let blocking = state.isStopped ? state.reasons : []
        let isNew = ending != nil || abort || blocking != told || blocking.isEmpty && ready != nil
        return isNew ? (ending, abort, ready, blocking, state.message) : nil
      }
      guard let (ending, abort, ready, blocking, message) = news else { continue }
      if let ending { throw .ended(ending) }
      if abort { throw .aborted(message: "The printer aborted the job.") }
      if blocking.isEmpty, let ready {
        if !told.isEmpty { tell(.resumed) }
        return ready
      }
      tell(.stopped(reasons: blocking, message: message))
      told = blocking
    }
  }

  /// Triggers the faults that were to occur before this side, once.
  private func triggerFaults(of id: Int, side: Int) {
    let cancels = state.withLock { state -> Bool in
      var cancels = false
      for fault in state.armed where (fault.side ?? 1) == side {
        guard fault.kind == .cancel || state.report(fault.kind) else { continue }
        cancels = cancels || fault.kind == .cancel
        state.armed.removeAll { $0 == fault }
        state.changed = .now
      }
      return cancels
    }
    if cancels { cancel(id, .canceledAtPrinter) }
  }

  private func takeAbort(_ side: Int, _ state: inout State) -> Bool {
    guard
      let index = state.armed.firstIndex(where: {
        $0.kind == .abort && ($0.side ?? 1) == side
      })
    else { return false }
    state.armed.remove(at: index)
    return true
  }

  /// The tray with the paper, and the paper; nil, with `neededPaper` set, when it is not loaded.
  private func find(_ wanted: PaperWanted, _ state: inout State) -> (tray: String, paper: Paper)? {
    let trays = state.trays.filter { wanted.source == nil || wanted.source == $0.source }
    for tray in trays {
      let papers = options.hasSensors ? tray.ready : tray.papers
      let fitting = papers.filter(wanted.isServed)
      let typed = fitting.filter { wanted.type == nil || $0.type == wanted.type }
      let candidates = typed.isEmpty ? fitting : typed
      guard
        let paper = candidates.first(where: { $0.isBorderless == wanted.isBorderless })
          ?? candidates.first
      else { continue }
      state.neededPaper = nil
      state.feedingTray = tray.source
      return (tray.source, paper)
    }
    if !options.hasSensors, let size = wanted.size, size.length > 0,
      let model = profile.defaultPaper
    {
      // Without sensors, the printer assumes that the paper is loaded.
      var paper = model
      (paper.size, paper.name) = (size, MediaName.name(for: size))
      state.neededPaper = nil
      return (wanted.source ?? model.source ?? "auto", paper)
    }
    let needed = wanted.title
    if state.neededPaper != needed { state.changed = .now }
    state.neededPaper = needed
    return nil
  }

  /// Makes the job's state follow the printer's.
  func setStopped(_ isStopped: Bool, _ id: Int, _ state: inout State) {
    guard state[job: id]?.state == (isStopped ? .processing : .stopped) else { return }
    if isStopped {
      let message = state.message
      state[job: id]?.become(.stopped, ["printer-stopped"], message)
    } else {
      state[job: id]?.become(.processing, ["job-printing"], "Printing.")
    }
  }
}
