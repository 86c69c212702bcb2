internal import AirprintContext
internal import PrintModel
internal import Printers
internal import Submission
internal import System

/// Prints files one after the other; of several on one printer, the next is drawn and sent while it prints one, so that
/// the printer need not stop between them.
///
/// At most two are active; results come in the order of the files.
///
/// Up to two threads, each with its own `PrintRun` and connection, take the files from here. A printer that accepts only
/// one job or one connection at a time refuses the one ahead, which is sent when the other has ended; its timeout does
/// not run before that.
final class PrintAhead: Sendable {
  private struct State {
    /// The next file that no thread has taken.
    var next = 0
    /// The first file that has not ended.
    var oldest = 0
    /// True if the printer has the whole document of the oldest file, and did not give it up immediately.
    var isOldestPrinting = false
    /// Results that wait for those of earlier files.
    var results: [Int: PrintResult] = [:]
    /// Clocks that stand still, by file number.
    var clocks: [Int: StoppedClock] = [:]
    var isOver = false
    /// True if the printer does not accept a job ahead.
    var isSingle = false
    var threads: Int
  }

  /// A clock that stands still while its job is ahead of its turn.
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

  private let state: Monitor<State>
  private let arguments: PrintArguments
  private let cancellation: Cancellation
  private let report: @Sendable (PrintEvent) -> Void

  private init(
    _ arguments: PrintArguments, threads: Int, _ cancellation: Cancellation,
    _ report: @escaping @Sendable (PrintEvent) -> Void
  ) {
    state = Monitor(State(threads: threads))
    self.arguments = arguments
    self.cancellation = cancellation
    self.report = report
  }

  /// Returns true if files can be sent ahead: not if the result of one decides about the next, or if results are not
  /// waited for.
  private static func isFit(_ arguments: PrintArguments, _ targets: [PrinterReference]) -> Bool {
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
    let threads = isFit(arguments, targets) ? 2 : 1
    let files = PrintAhead(arguments, threads: threads, cancellation, report)
    for _ in 0..<threads {
      detachThread {
        files.work(targets, context)
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

  // MARK: On the threads

  /// Prints files until none is left.
  private func work(_ targets: [PrinterReference], _ context: Context) {
    // The file to which the run's reports belong.
    var current = 0
    let run = PrintRun(arguments, targets, context, cancellation) { self.tell(current, $0) }
    run.isAhead = { self.isAhead(current) }
    while let file = take() {
      current = file
      run.clock = clock(file)
      end(file, print(file, by: run))
    }
    if !cancellation.isRaised { run.tidyUp() }
  }

  private func print(_ file: Int, by run: PrintRun) -> PrintResult {
    let isAhead = isAhead(file)
    var ending = run.ending(of: arguments.files[file], as: nil)
    let isUnsent = ending.held != nil || ending.result.job == nil
    // Nothing of it was sent because of the file that prints: it is printed when that has ended.
    if isAhead, [.unavailable, .notNow].contains(ending.result.exitCode), isUnsent,
      !cancellation.isRaised, awaitTurn(file)
    {
      run.forgetConnections()
      ending = run.ending(of: arguments.files[file], as: ending.held)
    }
    return run.finish(ending)
  }

  /// Takes the next file to print; waits until it may start.
  ///
  /// nil if there is none.
  private func take() -> Int? {
    let file = state.wait { state -> Int?? in
      guard !state.isOver, state.next < arguments.files.count else { return .some(nil) }
      let isAhead = state.next == state.oldest + 1 && state.isOldestPrinting && !state.isSingle
      guard state.next == state.oldest || isAhead else { return .none }
      state.clocks[state.next] = StoppedClock(since: isAhead ? .now : nil)
      state.next += 1
      return state.next - 1
    }
    return file ?? nil
  }

  private func isAhead(_ file: Int) -> Bool { state.withLock { file > $0.oldest } }

  /// Waits until all earlier files have ended; false if this one is not to be printed any more.
  private func awaitTurn(_ file: Int) -> Bool {
    state.withLock { $0.isSingle = true }
    let isItsTurn = state.wait { state -> Bool? in
      guard file > state.oldest else { return true }
      return state.isOver ? false : nil
    }
    return isItsTurn == true
  }

  private func clock(_ file: Int) -> WaitingClock {
    WaitingClock(
      now: { [self] in state.withLock { $0.clocks[file]?.now() ?? .now } },
      sleep: WaitingClock.machine.sleep)
  }

  /// Reports an event of a file.
  ///
  /// Waits are not reported for a file that is ahead, because it waits for another one.
  private func tell(_ file: Int, _ event: PrintEvent) {
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

  /// Reports the result of a file that has ended, and the later results that waited for it.
  private func end(_ file: Int, _ result: PrintResult) {
    state.withLock { state in
      state.results[file] = result
      while let next = state.results.removeValue(forKey: state.oldest) {
        // Within the lock: another thread may have a later one.
        report(.finished(next))
        state.oldest += 1
        state.isOldestPrinting = false
        state.clocks[state.oldest]?.go()
      }
      if [.interrupted, .terminated].contains(result.exitCode)
        || arguments.stopsOnError && result.exitCode != .success
      {
        state.isOver = true
      }
    }
  }
}
