import Glibc
import Synchronization

/// A request to stop running work: by Ctrl-C, SIGTERM, a closed terminal, or because its result is no longer needed.
///
/// Blocking loops check it at least four times a second. It is never withdrawn.
package final class Cancellation: Sendable {
  private let number = Atomic<Int32>(0)
  private let bell = Atomic<Int32>(-1)
  /// Not 0 once raised: the `int *cancel` that libcups polls while it connects.
  ///
  /// It is written once and only tested for zero, so no lock protects it.
  package nonisolated(unsafe) let flag: UnsafeMutablePointer<Int32>

  package init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: 0)
  }

  deinit { flag.deallocate() }

  package var isRaised: Bool { signal != nil }

  /// The signal that raised it, or SIGINT if the program itself did; nil if it was not raised.
  package var signal: Int32? {
    let value = number.load(ordering: .relaxed)
    return value == 0 ? nil : value
  }

  /// Raises it once: later signals change nothing.
  ///
  /// Safe in a signal handler (signal-safety(7)).
  package func raise(signal: Int32 = SIGINT) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
    flag.pointee = 1
    let descriptor = bell.load(ordering: .relaxed)
    // This is also allowed in a signal handler.
    if descriptor >= 0 { _ = write(descriptor, "\n", 1) }
  }

  /// Sets a descriptor to which a byte is written on raise, for a thread that sleeps in poll(2).
  ///
  /// -1 removes it.
  package func ring(_ descriptor: Int32) { bell.store(descriptor, ordering: .relaxed) }

  /// Returns the cancellation that SIGINT, SIGTERM and SIGHUP raise from now on.
  ///
  /// A Ctrl-C some time after that (`echo`) ends the process immediately, as it would have without this handler: timeout(1)
  /// and supervisors send a signal to the process and to its group. SIGTERM does not, nor SIGHUP, which the kernel and the
  /// shell send.
  ///
  /// In any case, the process ends after `longestEnd`, enforced by a separate thread. Jobs on their way to a printer
  /// are in the journal by then, as after SIGKILL.
  package static func catchingSignals() -> Cancellation {
    let shared = signaled  // made here, so that the handler never has to
    _ = watchdog
    for number in [SIGINT, SIGTERM, SIGHUP] { catchSignal(number) }
    return shared
  }

  /// Catches a signal; an ignored one stays ignored, as requested by `nohup` and a shell's `&`.
  private static func catchSignal(_ number: Int32) {
    var former = sigaction()
    sigaction(number, nil, &former)
    let handler = former.__sigaction_handler.sa_handler
    if handler.map({ unsafeBitCast($0, to: Int.self) }) == 1 { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      Cancellation.signaled.raise(signal: number)
      sem_post(Cancellation.alarm)
      Glibc.signal(SIGINT, SIG_IGN)
      Glibc.signal(SIGHUP, SIG_IGN)
    }
    sigaction(number, &action, nil)
  }

  /// Ends this process immediately if a closed terminal (SIGHUP) raised this: the printer has the whole document.
  package func endIfHungUp() {
    guard signal == SIGHUP else { return }
    Cancellation.complain("Interrupted; the job was left at the printer and may still print.")
    Cancellation.takeItsCourse(signal: SIGHUP)
  }

  /// Ends this process by the signal that was raised, so that a shell sees the cause.
  package static func takeItsCourse(signal number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    // It is blocked on Dispatch's threads, on which tasks run.
    var wanted = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, number)
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    Glibc.raise(number)
    exit(128 + number)
  }

  private static let signaled = Cancellation()

  // MARK: Forced end

  /// Time limit for cleanup after a signal (canceling a job at the printer): it may run until this is raised.
  package static let ofCleaning = Cancellation()
  private static let longestCleaning = Duration.milliseconds(2_500)
  /// Time in which the same signal may come once more.
  private static let echo = Duration.milliseconds(250)
  private static let longestEnd = Duration.milliseconds(3_000)

  /// Posted by the handler, in which sem_post(3) is allowed.
  private nonisolated(unsafe) static let alarm: UnsafeMutablePointer<sem_t> = {
    let alarm = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(alarm, 0, 0)
    return alarm
  }()

  /// The thread that waits for the alarm, started once.
  private static let watchdog: Void = {
    _ = (alarm, ofCleaning)
    detachThread {
      while sem_wait(alarm) != 0 {}
      _ = Cancellation().sleep(echo)
      Glibc.signal(SIGINT, SIG_DFL)
      _ = Cancellation().sleep(longestCleaning - echo)
      let number = signaled.signal ?? SIGTERM
      ofCleaning.raise(signal: number)
      _ = Cancellation().sleep(longestEnd - longestCleaning)
      complain("Stopped before it was done; airprint jobs shows what happened to each job.")
      takeItsCourse(signal: number)
    }
  }()

  private static func complain(_ words: String) {
    _ = "airprint: \(words)\n".withCString { write(2, $0, strlen($0)) }
  }
}

extension Cancellation {
  /// Sleeps on this thread, at most until `deadline`; false if it was cut short.
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
