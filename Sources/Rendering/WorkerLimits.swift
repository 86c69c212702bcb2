internal import Glibc
internal import PrintModel

/// Limits on drawing.
///
/// airprint(1) documents the values under LIMITS.
package struct WorkerLimits: Sendable {
  /// Bytes of memory that are a worker's own: see `WorkerSandbox`.
  ///
  /// Libraries and the document are not included.
  package var memory = 256 << 20
  /// Processor time for opening a document and drawing its first page, and for each page after that.
  ///
  /// It is not wall-clock time: if the machine is busy otherwise, that is not the document's fault.
  package var processorTime = Duration.seconds(18)
  /// Wall-clock time for which a worker that owes an answer may use no processor time at all.
  var idle = Duration.seconds(15)

  package init() {}

  static func failure(_ why: String, of subject: String = "The document") -> Failure {
    Failure.document("\(subject) can't be drawn: \(why).")
  }

  /// - `subject`: `Page 3`, if the page is known.
  func outOfMemory(_ subject: String? = nil) -> Failure {
    let subject = subject ?? "The document"
    if let limit = WorkerLimits.machineLimit(below: memory) {
      return Failure(
        .machineLimit,
        "\(subject) can't be drawn: this shell or service allows a process \(limit), which is not "
          + "enough.")
    }
    return WorkerLimits.failure(
      "it takes more than \(memory >> 20) MB of memory, which page-memory in config.toml allows",
      of: subject)
  }

  /// A memory limit that was set before ours, and may be the one that was hit; nil when there is none.
  static func machineLimit(below memory: Int) -> String? {
    for (resource, option) in [(RLIMIT_AS.rawValue, "v"), (RLIMIT_DATA.rawValue, "d")] {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(resource), &limit) == 0, limit.rlim_cur != rlim_t.max,
        // Libraries take as much address space again.
        limit.rlim_cur < rlim_t(option == "v" ? memory * 3 : memory)
      else { continue }
      return "\(limit.rlim_cur >> 20) MB of memory (ulimit -\(option))"
    }
    return nil
  }

  /// The failure of a worker that ended without reporting one: a crash, unless memory was short.
  var crashed: Failure {
    WorkerLimits.machineLimit(below: memory) == nil
      ? WorkerLimits.failure("it crashes the renderer") : outOfMemory()
  }

  /// The failure of a worker that took this long by the clock, whatever it did in the meantime.
  fileprivate func outOfTimeout(after limit: Duration) -> Failure {
    WorkerLimits.failure(
      "one page of it takes more than \(max(1, limit.components.seconds)) s, "
        + "\(WorkerTimeout.timeout) times the page-time in config.toml")
  }

  fileprivate func outOfTime(after limit: Duration) -> Failure {
    let atResolution = limit > processorTime ? " at this resolution" : ""
    return WorkerLimits.failure(
      "one page of it takes more than \(limit.components.seconds) s of processor time, "
        + "which page-time in config.toml allows\(atResolution)")
  }
}

/// Timeouts of a worker that owes an answer.
struct WorkerTimeout {
  private let process: pid_t
  private let limits: WorkerLimits
  /// Multiple of the processor time that a side may take because of its pixels.
  private var share = 1.0
  /// Number of pages in the current answer: several if all are one piece.
  private var pages = 1.0
  /// The worker's processor time when the current answer and its last page began, and when it was last checked.
  private var answerBegan = Duration.zero
  private var pageBegan = Duration.zero
  private var seenAt = Duration.zero
  private var lookedAt = ContinuousClock.now
  private var idleSince = ContinuousClock.now
  /// Wall-clock time spent waiting for the current answer.
  private var waited = Duration.zero

  /// Multiple of the processor time for which to wait for an answer: other programs need their share, and a worker that
  /// only sends a byte now and then must end eventually.
  static let timeout = 10

  init(with process: pid_t, _ limits: WorkerLimits) {
    self.process = process
    self.limits = limits
  }

  /// Pixels of A4 at 600 dpi, the size that `page-time` applies to.
  private static let usualPixels = 35e6

  /// Allows more time for sides of this many pixels.
  ///
  /// Time grows in proportion beyond the usual number of pixels, but at most 16-fold: a document determines a roll's
  /// length, and must not take hours.
  mutating func allow(for pixels: Int) {
    share = min(16, max(1, Double(pixels) / WorkerTimeout.usualPixels))
  }

  /// Records that the worker has sent something.
  mutating func hear() { idleSince = .now }

  /// Records the end of a page within an answer: the next one may take as long.
  mutating func endPage() { pageBegan = processorTime ?? pageBegan }

  /// Begins another answer, which may take the time of `pages` pages, or as many as before.
  mutating func beginAnswer(pages: Int? = nil) {
    if let pages { self.pages = Double(pages) }
    endPage()
    answerBegan = pageBegan
    waited = .zero
  }

  /// Counts the time since `begin`, which was only spent waiting for the worker and reading its output.
  ///
  /// Counts at most one second, in case the machine slept.
  mutating func wait(since begin: ContinuousClock.Instant) {
    waited += min(begin.duration(to: .now), .seconds(1))
  }

  /// Checks that the worker makes progress; called several times a second while its answer is awaited.
  ///
  /// - `isDrained`: all of its output was read; otherwise its processor time may include several pages.
  ///
  /// Throws exit 65 at the limits.
  mutating func check(isDrained: Bool) throws(Failure) {
    let limit = limits.processorTime * share
    let longest = limit * pages * Double(WorkerTimeout.timeout)
    if waited > longest { throw limits.outOfTimeout(after: longest) }
    guard isDrained, let used = processorTime else { return }
    let now = ContinuousClock.now
    // If its answer was not awaited in between, the worker may have been idle.
    if used > seenAt || now - lookedAt > .seconds(2) { idleSince = now }
    seenAt = used
    lookedAt = now
    if used - pageBegan > limit || used - answerBegan > limit * pages {
      throw limits.outOfTime(after: limit)
    }
    if now - idleSince > limits.idle {
      throw WorkerLimits.failure(
        "the renderer made no progress for \(limits.idle.components.seconds) s")
    }
  }

  /// The worker's processor time; nil once it has ended.
  private var processorTime: Duration? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
