internal import AirprintContext
internal import PrintModel
internal import Printers
internal import Submission
internal import Synchronization
internal import System

/// Several files on their way to one printer: while it prints one, the next is drawn and sent, so that it need not
/// stand still between them.
///
/// Two at most are under way; results come in the order of the files.
///
/// Two threads, each with a `PrintRun` and a connection of its own, take the files from here. A printer that
/// takes one job or one connection at a time refuses the one ahead, whose turn then comes when the other is
/// over; its timeout does not run before.
final class PrintAhead: Sendable {
  private struct State {
    /// The next file that nobody has taken.
    var next = 0
    /// The first file that is not over.
    var oldest = 0
    /// The printer has the whole document of the oldest, and has not given it up at once.
    var isOldestPrinting = false
    /// Results that wait for those before them.
    var results: [Int: PrintResult] = [:]
    /// Time that the clocks of files have stood still, by their number.
    var clocks: [Int: StoppedClock] = [:]
    var isOver = false
    /// The printer does not take one ahead.
    var isSingle = false
    var isHinted = false
    var threads = 2
  }

  /// A clock that stands still while its job is ahead.
  private struct StoppedClock {
    var since: ContinuousClock.Instant?
    var lost = Duration.zero

    func now() -> ContinuousClock.Instant { (since ?? .now) - lost }

    mutating func go() {
      guard let since else { return }
      lost += since.duration(to: .now)
      self.since = nil
    }
  }

  private let state = Mutex(State())
  private let files: [String]
  private let cancellation: Cancellation
  private let report: @Sendable (PrintEvent) -> Void

  private init(
    _ files: [String], _ cancellation: Cancellation,
    _ report: @escaping @Sendable (PrintEvent) -> Void
  ) {
    self.files = files
    self.cancellation = cancellation
    self.report = report
  }

  /// True when files are sent ahead: not where the end of one decides on the next, or nobody waits
  /// for ends.
  static func isFit(_ arguments: PrintArguments, _ targets: [PrinterReference]) -> Bool {
    arguments.files.count > 1 && targets.count == 1 && !arguments.isDryRun
      && !arguments.stopsOnError
      && !arguments.handling.endsWhenSent && !arguments.files.contains("-")
      && Set(arguments.files).count == arguments.files.count
  }

  /// Prints all files on threads of their own; `whenOver` is called after the last result.
  static func start(
    _ arguments: PrintArguments, at targets: [PrinterReference], _ context: Context,
    _ cancellation: Cancellation, report: @escaping @Sendable (PrintEvent) -> Void,
    whenOver: @escaping @Sendable () -> Void
  ) {
    let files = PrintAhead(arguments.files, cancellation, report)
    for _ in 0..<2 {
      detachThread {
        let line = PrintLane(files, arguments, targets, context)
        line.work()
        if files.isLastThread { whenOver() }
      }
    }
  }

  private var isLastThread: Bool {
    state.withLock {
      $0.threads -= 1
      return $0.threads == 0
    }
  }

  // MARK: Called by the two threads

  /// The next file to print; waits until it may be begun.
  ///
  /// nil when there is none.
  fileprivate func take() -> Int? {
    while true {
      let (file, isOver) = state.withLock { state -> (Int?, Bool) in
        guard !state.isOver, state.next < files.count else { return (nil, true) }
        let isAhead = state.next == state.oldest + 1 && state.isOldestPrinting && !state.isSingle
        guard state.next == state.oldest || isAhead else { return (nil, false) }
        state.clocks[state.next] = StoppedClock(since: isAhead ? .now : nil)
        state.next += 1
        return (state.next - 1, false)
      }
      if let file { return file }
      if isOver { return nil }
      pause()
    }
  }

  fileprivate func isAhead(_ file: Int) -> Bool { state.withLock { file > $0.oldest } }

  /// Waits until everything before this file is over; false when it is not to be printed any more.
  fileprivate func awaitTurn(_ file: Int) -> Bool {
    state.withLock { $0.isSingle = true }
    while isAhead(file) {
      if state.withLock({ $0.isOver }) { return false }
      pause()
    }
    return true
  }

  fileprivate func clock(_ file: Int) -> WaitingClock {
    WaitingClock(
      now: { [self] in state.withLock { $0.clocks[file]?.now() ?? .now } },
      sleep: WaitingClock.machine.sleep)
  }

  /// Reports an event of a file.
  ///
  /// One that is ahead does not report that it waits: it is behind another.
  fileprivate func tell(_ file: Int, _ event: PrintEvent) {
    let isQuiet = state.withLock { state in
      if case .event(_, .printing) = event, file == state.oldest { state.isOldestPrinting = true }
      guard file > state.oldest, case .event(_, let event) = event else { return false }
      switch event {
      case .waiting, .contacting, .reached: return true
      default: return false
      }
    }
    if !isQuiet { report(event) }
  }

  /// Reports the result of a file that is over, and those after it that waited for it.
  fileprivate func end(_ file: Int, _ result: PrintResult) {
    let results = state.withLock { state in
      state.results[file] = result
      var ready: [PrintResult] = []
      while let next = state.results.removeValue(forKey: state.oldest) {
        ready.append(next)
        state.oldest += 1
        state.isOldestPrinting = false
        state.clocks[state.oldest]?.go()
      }
      if [.interrupted, .terminated].contains(result.exitCode) { state.isOver = true }
      return ready
    }
    for result in results { report(.finished(result)) }
  }

  /// True when a hint was given, by either thread.
  fileprivate func hint(_ isGiven: Bool) -> Bool {
    state.withLock {
      $0.isHinted = $0.isHinted || isGiven
      return $0.isHinted
    }
  }

  private func pause() { _ = Cancellation().sleep(.milliseconds(50)) }
}

/// One of the two threads.
private final class PrintLane {
  private let files: PrintAhead
  private let arguments: PrintArguments
  private let context: Context
  private let run: PrintRun
  private let current: Current

  /// The file at work, which the run's reports belong to.
  private final class Current {
    var file = 0
  }

  init(
    _ files: PrintAhead, _ arguments: PrintArguments, _ targets: [PrinterReference],
    _ context: Context
  ) {
    self.files = files
    self.arguments = arguments
    self.context = context
    let current = Current()
    self.current = current
    run = PrintRun(arguments, targets, context, files.runCancellation) {
      files.tell(current.file, $0)
    }
    run.isAhead = { files.isAhead(current.file) }
  }

  func work() {
    while let file = files.take() {
      current.file = file
      run.clock = files.clock(file)
      run.isHinted = files.hint(false)
      files.end(file, print(file))
      _ = files.hint(run.isHinted)
    }
    if !files.runCancellation.isRaised { run.tidyUp() }
  }

  private func print(_ file: Int) -> PrintResult {
    let isAhead = files.isAhead(file)
    var result = run.printFile(arguments.files[file])
    // Nothing of it was sent, because of the one that prints: it comes when that is over.
    let held = run.takeHeld()
    if isAhead, [.unavailable, .notNow].contains(result.exitCode), held != nil || result.job == nil,
      !files.runCancellation.isRaised, files.awaitTurn(file)
    {
      run.forgetSessions()
      result = run.printFile(arguments.files[file], as: held)
    }
    return run.finish(result)
  }
}

extension PrintAhead {
  fileprivate var runCancellation: Cancellation { cancellation }
}
