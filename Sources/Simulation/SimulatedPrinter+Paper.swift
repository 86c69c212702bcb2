internal import FoundationEssentials
internal import Glibc
internal import PrintModel
internal import Raster
internal import System

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
    strike(id, side: side)
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
  private func strike(_ id: Int, side: Int) {
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
  private func setStopped(_ isStopped: Bool, _ id: Int, _ state: inout State) {
    guard state[job: id]?.state == (isStopped ? .processing : .stopped) else { return }
    if isStopped {
      let message = state.message
      state[job: id]?.become(.stopped, ["printer-stopped"], message)
    } else {
      state[job: id]?.become(.processing, ["job-printing"], "Printing.")
    }
  }
}
