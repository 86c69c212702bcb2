internal import Dispatch
internal import FoundationEssentials
internal import IPP
package import PrintModel
internal import PrintOptions
internal import System

/// One simulated printer: its attributes, its jobs, and the thread that prints them.
///
/// Clients are served on threads of their own (`serve`); all data shared with the printing thread is in `state`.
package final class SimulatedPrinter: Sendable {
  package let profile: Profile
  package let identity: Identity
  let options: Options
  let tell: @Sendable (PrinterEvent) -> Void
  /// Signaled for each job that can be printed, and to end the printing thread.
  let work = DispatchSemaphore(value: 0)
  let state: Monitor<State>
  let fixedAttributes: [Attribute]
  let started = ContinuousClock.now

  /// Options in addition to the profile.
  package struct Options: Sendable {
    /// Folder that contains the folders of its jobs.
    package var folder: OwnFolder
    /// True to print at a real printer's pace.
    package var hasPrintTimes = false
    /// True if it has sensors, and so reports the loaded paper.
    package var hasSensors = true
    /// True if pictures show the unprintable margin and what falls into it; otherwise the margin is white.
    package var showsPrintableArea = true
    /// Draws a document other than raster.
    package var draw: Draw
    /// Decodes raster, whose bytes are pulled in as needed.
    package var decode: Decode

    package typealias Draw = @Sendable (DrawingOrder) throws(Failure) -> Void
    package typealias Decode =
      @Sendable (
        _ pull: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int
      ) throws(Failure) -> any SheetRaster

    package init(folder: OwnFolder, draw: @escaping Draw, decode: @escaping Decode) {
      self.folder = folder
      self.draw = draw
      self.decode = decode
    }
  }

  struct State: Sendable {
    /// True if it knows which trays are empty.
    let hasSensors: Bool
    var trays: [Profile.Tray]
    var supplies: [Profile.SimulatedSupply]
    /// Reasons for which it is stopped, and warnings, as keywords without severity.
    var stops: [String] = []
    /// The tray of the last sheet, which is the empty one if the printer stops with media-empty.
    var feedingTray: String?
    var warnings: [String] = []
    /// Faults that wait for their page, and faults of connections.
    var armed: [Fault] = []
    var isPaused = false
    /// Names of its own certificates, the newest last; if empty, it uses the one that all share.
    var certificateNames: [String] = []
    /// Paper that the current job waits for.
    var neededPaper: String?
    var jobs: [SimulatedJob] = []
    var nextJob: Int
    var current: Int?
    var impressions = 0
    var isShutDown = false
    /// Number of restarts, and offset of the numbers of folders from those of jobs.
    var restarts = 0
    var formerFolders = 0
    /// True once the printing thread has ended.
    var isOff = false
    /// Until these times, it accepts no job, and does not answer.
    var busyUntil: ContinuousClock.Instant?
    var wakesAt: ContinuousClock.Instant?
    var changed = Date.now
    var configured = Date.now
  }

  package init(
    _ profile: Profile, _ identity: Identity, _ options: Options,
    tell: @escaping @Sendable (PrinterEvent) -> Void
  ) {
    self.profile = profile
    self.identity = identity
    self.options = options
    self.tell = tell
    fixedAttributes = profile.attributes(identity)
    state = Monitor(
      State(
        hasSensors: options.hasSensors, trays: profile.trays, supplies: profile.supplies,
        nextJob: JobFolder.firstFree(in: options.folder.path)))
  }

  /// Seconds since it was switched on, at least 1.
  var uptime: Int { Int(started.duration(to: .now).components.seconds) + 1 }

  /// Prints jobs until `shutDown`.
  ///
  /// It needs a thread of its own.
  package func run() {
    while true {
      work.wait()
      while let id = nextJob() { print(id) }
      // The client may have left before its pages were printed.
      Listener.returnMemory()
      let isOver = state.withLock { state in
        state.isOff = state.isShutDown
        return state.isShutDown
      }
      if isOver { return }
    }
  }

  /// Waits until it was shut down and the last job's files are written.
  package func awaitOff(until deadline: ContinuousClock.Instant) {
    _ = state.wait(until: deadline) { $0.isOff ? true : nil }
  }

  private func nextJob() -> Int? {
    state.withLock { state in
      state.isShutDown ? nil : state.jobs.first { $0.state == .pending }?.id
    }
  }

  /// Ends every job and the printing thread.
  package func shutDown() {
    state.withLock { state in
      state.isShutDown = true
      for index in state.jobs.indices where !state.jobs[index].state.isOver {
        state.jobs[index].ending = state.jobs[index].ending ?? .shutDown
        state.jobs[index].spool?.refuse()
      }
    }
    work.signal()
  }

  /// True when nothing is being printed or received; held jobs don't count.
  package var isIdle: Bool {
    state.withLock { $0.jobs.allSatisfy { $0.state.isOver || $0.state == .held } }
  }
}

// MARK: - Actions at the printer

extension SimulatedPrinter {
  /// Loads paper into a tray: `main=legal`; `main=` or `main=none` removes it.
  ///
  /// Throws exit 64 for a tray or a paper that it does not have.
  package func load(_ text: String) throws(Failure) {
    let (source, paper) = try SimulatedPrinter.pair(text, "load", "main=A4")
    var selector: MediaSelector?
    if !["", "none"].contains(paper.lowercased()) {
      do throws(Failure) { selector = try MediaSelector(paper) } catch {
        throw .usage(
          "load \(text): there is no paper \(paper). Name one (A4, letter, 4x6) or a size with its "
            + "unit (62x100mm).")
      }
    }
    try change { (state) throws(Failure) in
      guard let index = state.trays.firstIndex(where: { $0.source == source }) else {
        let names = state.trays.map(\.source).joined(separator: ", ")
        throw .usage("\(identity.name) has no tray \(source). It has \(names).")
      }
      state.configured = .now
      guard let selector else { return state.trays[index].loaded = nil }
      guard let held = state.trays[index].holds(selector) else {
        let titles = state.trays[index].papers.map(\.title).unique.joined(separator: ", ")
        throw .usage(
          "The tray \(source) of \(identity.name) can't hold \(paper). It holds \(titles).")
      }
      state.trays[index].loaded = held
      // Loading paper clears these reasons.
      state.stops.removeAll { ["media-empty", "media-needed"].contains($0) }
    }
  }

  /// Enters a PIN: releases the jobs that wait for it.
  ///
  /// Throws exit 64 when there is none.
  package func enter(pin: String) throws(Failure) {
    let isRight = state.withLock { state in
      var isRight = false
      for index in state.jobs.indices where state.jobs[index].state == .held {
        guard let wanted = state.jobs[index].pin, state.jobs[index].hasDocument,
          JobPassword.hash(pin, by: wanted.method) == wanted.hash
        else { continue }
        state.jobs[index].pin = nil
        state.jobs[index].release()
        isRight = true
      }
      return isRight
    }
    guard isRight else { throw .usage("No job on \(identity.name) waits for this PIN.") }
    work.signal()
  }

  /// Sets a supply's level: `black=8`.
  ///
  /// Throws exit 64 for a supply that it does not have, or an invalid level.
  package func supply(_ text: String) throws(Failure) {
    let (color, level) = try SimulatedPrinter.pair(text, "supply", "black=8")
    try change { (state) throws(Failure) in
      guard let index = state.supplies.firstIndex(where: { $0.color == color }) else {
        let names = state.supplies.map(\.color).joined(separator: ", ")
        throw .usage(
          "\(identity.name) has no supply \(color)." + (names.isEmpty ? "" : " It has \(names)."))
      }
      guard let percent = Int(level.hasSuffix("%") ? String(level.dropLast()) : level),
        (0...100).contains(percent)
      else { throw .usage("A level is a number from 0 to 100, not \(level).") }
      state.supplies[index].level = percent
    }
  }

  /// Names of all certificates that it has had in addition to the shared one.
  package var certificateNames: [String] { state.withLock { $0.certificateNames } }

  /// Causes a fault, at once or when a job gets there.
  package func cause(_ fault: Fault) {
    change { state in
      switch fault.kind {
      // A certificate new to all clients; created for the next connection.
      case .newCertificate: state.certificateNames.append("printer-\(UUID().uuidString)")
      case .restart: restart(&state)
      default:
        if fault.side != nil || !state.report(fault.kind) { state.armed.append(fault) }
      }
    }
  }

  /// Forgets all jobs, and restarts their numbering; the current job ends where it is.
  private func restart(_ state: inout State) {
    for index in state.jobs.indices where !state.jobs[index].state.isOver {
      state.jobs[index].ending = .restarted
      state.jobs[index].spool?.refuse()
    }
    state.jobs.removeAll { $0.id != state.current }
    state.restarts += 1
    state.formerFolders = JobFolder.firstFree(in: options.folder.path) - 1
    state.nextJob = (state.current ?? 0) + 1
  }

  /// True while a fault of this kind is active.
  func has(_ kind: Fault.Kind) -> Bool { state.withLock { $0.armed.contains { $0.kind == kind } } }

  /// Removes all faults, or only the one called `name`, as passed to `cause`.
  ///
  /// Throws exit 64 for an unknown fault.
  package func clear(_ name: String?) throws(Failure) {
    guard let name, name != "all" else {
      return change { state in
        state.stops = []
        state.warnings = []
        state.armed = []
        state.isPaused = false
        (state.busyUntil, state.wakesAt) = (nil, nil)
      }
    }
    let fault = try Fault(name)
    change { state in
      state.armed.removeAll { Fault.name(of: $0.text) == Fault.name(of: name) }
      switch fault.kind {
      case .stop(let reason): state.stops.removeAll { $0 == reason }
      case .warn(let reason): state.warnings.removeAll { $0 == reason }
      case .busy: state.busyUntil = nil
      case .sleep: state.wakesAt = nil
      default: break
      }
    }
  }

  /// Changes the state, and the time of its last change.
  func change<Problem: Error>(_ body: (inout State) throws(Problem) -> Void) throws(Problem) {
    try state.withLock { (state) throws(Problem) in
      state.changed = .now
      try body(&state)
    }
  }

  private static func pair(
    _ text: String, _ what: String, _ example: String
  ) throws(Failure) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw .usage("Invalid \(what) \(text): write it as \(example).")
    }
    return (String(parts[0]), String(parts[1]))
  }
}

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
