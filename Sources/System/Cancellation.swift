import Glibc
import Synchronization

/// Asks running work to stop: by Ctrl-C, by SIGTERM, or because its result is not wanted any more.
///
/// Blocking loops look at it at least four times a second. It is never taken back.
package final class Cancellation: Sendable {
  private let number = Atomic<Int32>(0)
  private let bell = Atomic<Int32>(-1)
  /// Not 0 once raised: the `int *cancel` that libcups polls while it connects.
  ///
  /// It is written once and only ever read as zero or not, so no lock guards it.
  package nonisolated(unsafe) let flag: UnsafeMutablePointer<Int32>

  package init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: 0)
  }

  deinit { flag.deallocate() }

  package var isRaised: Bool { signal != nil }

  /// The signal that asked, or SIGINT when the program itself did.
  package var signal: Int32? {
    let value = number.load(ordering: .relaxed)
    return value == 0 ? nil : value
  }

  /// Asks for the end, once: a later signal changes nothing.
  ///
  /// Safe in a signal handler (signal-safety(7)).
  package func raise(signal: Int32 = SIGINT) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
    flag.pointee = 1
    let descriptor = bell.load(ordering: .relaxed)
    // In a signal handler this is allowed, too.
    if descriptor >= 0 { _ = write(descriptor, "\n", 1) }
  }

  /// Writes a byte there when it is raised, for a thread that sleeps in poll(2).
  ///
  /// -1: not any more.
  package func ring(_ descriptor: Int32) { bell.store(descriptor, ordering: .relaxed) }

  /// The one that SIGINT and SIGTERM raise from now on.
  ///
  /// A second signal ends the process at once, as it would have without us.
  ///
  /// Whatever the process does, it has ended `longestEnd` later: a thread of its own sees to that. What is
  /// on its way to a printer is in the journal by then, as after a kill that nobody can catch.
  package static func catchingSignals() -> Cancellation {
    let shared = signalled  // made here, so that the handler never has to
    _ = watchdog
    for number in [SIGINT, SIGTERM] { catchSignal(number) }
    return shared
  }

  /// A signal that was ignored stays so: `nohup` and a shell's `&` mean it.
  private static func catchSignal(_ number: Int32) {
    var former = sigaction()
    sigaction(number, nil, &former)
    let handler = former.__sigaction_handler.sa_handler
    if handler.map({ unsafeBitCast($0, to: Int.self) }) == 1 { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      Cancellation.signalled.raise(signal: number)
      sem_post(Cancellation.alarm)
      // The handler is gone after this: the next signal takes its default course.
      Glibc.signal(SIGINT, SIG_DFL)
      Glibc.signal(SIGTERM, SIG_DFL)
    }
    sigaction(number, &action, nil)
  }

  /// Ends this process by the signal that was raised, so that a shell sees what happened.
  package static func takeItsCourse(signal number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    // Dispatch's threads, on which tasks run, have it blocked.
    var wanted = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, number)
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    Glibc.raise(number)
    exit(128 + number)
  }

  private static let signalled = Cancellation()

  // MARK: The end that comes in any case

  /// Cleanup behind a signal (a job is canceled at the printer) has until this one is raised.
  package static let ofCleaning = Cancellation()
  private static let longestCleaning = Duration.milliseconds(2_500)
  private static let longestEnd = Duration.milliseconds(3_000)

  /// Rung by the handler, in which sem_post(3) is allowed.
  private nonisolated(unsafe) static let alarm: UnsafeMutablePointer<sem_t> = {
    let alarm = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(alarm, 0, 0)
    return alarm
  }()

  /// The thread that waits for the alarm, made once.
  private static let watchdog: Void = {
    _ = (alarm, ofCleaning)
    detachThread {
      while sem_wait(alarm) != 0 {}
      _ = Cancellation().sleep(longestCleaning)
      let number = signalled.signal ?? SIGTERM
      ofCleaning.raise(signal: number)
      _ = Cancellation().sleep(longestEnd - longestCleaning)
      let words =
        "airprint: Stopped before it was done; airprint jobs shows what happened to each job.\n"
      _ = words.withCString { write(2, $0, strlen($0)) }
      takeItsCourse(signal: number)
    }
  }()
}

extension Cancellation {
  /// Sleeps on this thread, at most until `deadline`; false when it was cut short.
  package func sleep(
    _ duration: Duration, until deadline: ContinuousClock.Instant? = nil
  ) -> Bool {
    let wake = ContinuousClock.now + duration
    while !isRaised {
      let now = ContinuousClock.now
      if let deadline, now >= deadline { return false }
      if now >= wake { return true }
      let left = min(now.duration(to: wake), .milliseconds(100))
      usleep(UInt32(max(1, left.components.attoseconds / 1_000_000_000_000)))
    }
    return false
  }
}
