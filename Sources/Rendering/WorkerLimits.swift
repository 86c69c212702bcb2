internal import Glibc
internal import PrintModel

/// Limits on drawing.
///
/// airprint(1) names the figures under LIMITS.
package struct WorkerLimits: Sendable {
  /// Bytes that are a worker's own: see `WorkerSandbox`.
  ///
  /// Libraries and the document come on top.
  package var memory = 256 << 20
  /// Of the processor's time, for opening a document and drawing its first page, and for each page after that.
  ///
  /// Not of the clock's: a machine that has much else to do is not the document's fault.
  package var processorTime = Duration.seconds(18)
  /// Of the clock's time, in which a worker that owes an answer uses no processor at all.
  var idle = Duration.seconds(15)

  package init() {}

  static func failure(_ why: String, of subject: String = "The document") -> Failure {
    Failure(.document, "\(subject) can't be drawn: \(why).")
  }

  /// - `subject`: `Page 3`, where the page is known.
  func outOfMemory(_ subject: String = "The document") -> Failure {
    if let limit = WorkerLimits.machineLimit(below: memory) {
      return Failure(
        .fault,
        "\(subject) can't be drawn: this shell or service allows a process \(limit), which is not "
          + "enough.")
    }
    return WorkerLimits.failure(
      "it takes more than \(memory >> 20) MB of memory, which page-memory in config.toml allows",
      of: subject)
  }

  /// A limit of memory that was there before ours, and may be the one that was hit; nil when there is none.
  static func machineLimit(below memory: Int) -> String? {
    for (resource, option) in [(RLIMIT_AS.rawValue, "v"), (RLIMIT_DATA.rawValue, "d")] {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(resource), &limit) == 0, limit.rlim_cur != rlim_t.max,
        // Of addresses, libraries take as much again.
        limit.rlim_cur < rlim_t(option == "v" ? memory * 3 : memory)
      else { continue }
      return "\(limit.rlim_cur >> 20) MB of memory (ulimit -\(option))"
    }
    return nil
  }

  /// The reason a worker is gone that did not say it: a crash, unless memory was short.
  var crashed: Failure {
    WorkerLimits.machineLimit(below: memory) == nil
      ? WorkerLimits.failure("it crashes the renderer") : outOfMemory()
  }

  /// The worker was waited for that long, whatever it did in the meantime.
  fileprivate func outOfPatience(after limit: Duration) -> Failure {
    WorkerLimits.failure(
      "one page of it takes more than \(max(1, limit.components.seconds)) s, "
        + "\(WorkerTimeout.patience) times the page-time in config.toml")
  }

  fileprivate func outOfTime(after limit: Duration) -> Failure {
    let atResolution = limit > processorTime ? " at this resolution" : ""
    return WorkerLimits.failure(
      "one page of it takes more than \(limit.components.seconds) s of processor time, "
        + "which page-time in config.toml allows\(atResolution)")
  }
}

/// Time to wait for a worker that has something to say.
struct WorkerTimeout {
  private let process: pid_t
  private let limits: WorkerLimits
  /// Multiple of the processor's time that a side may take for its pixels.
  private var share = 1.0
  /// Pages whose time the answer at hand may take: several if all are one piece.
  private var pages = 1.0
  /// The processor's time that it had taken when the answer and its last page began, and when it was last looked at.
  private var answerBegan = Duration.zero
  private var pageBegan = Duration.zero
  private var seenAt = Duration.zero
  private var lookedAt = ContinuousClock.now
  private var idleSince = ContinuousClock.now
  /// Of the clock's time, for which the answer at hand was waited for.
  private var waited = Duration.zero

  /// Multiple of the processor's time for which an answer is waited for: other programs take their share, and what
  /// says a byte now and then ends some time.
  static let patience = 10

  init(with process: pid_t, _ limits: WorkerLimits) {
    self.process = process
    self.limits = limits
  }

  /// Pixels of A4 at 600 dpi, for which `page-time` is stated.
  private static let usualPixels = 35e6

  /// Sides of so many pixels are to be drawn: as much more time as they have more than usual, but a document
  /// decides on a roll's length, and not on hours.
  mutating func allow(for pixels: Int) {
    share = min(16, max(1, Double(pixels) / WorkerTimeout.usualPixels))
  }

  /// It has sent something.
  mutating func hear() { idleSince = .now }

  /// It has a page of its answer behind it: the next one may take as long.
  mutating func endPage() { pageBegan = processorTime ?? pageBegan }

  /// It owes another answer, which may take the time of so many pages, and not the last one's.
  mutating func beginAnswer(pages: Int? = nil) {
    if let pages { self.pages = Double(pages) }
    endPage()
    answerBegan = pageBegan
    waited = .zero
  }

  /// Nothing else was done since `begin` than to wait for it, and to read what it said.
  ///
  /// A machine that slept meanwhile counts a second.
  mutating func wait(since begin: ContinuousClock.Instant) {
    waited += min(begin.duration(to: .now), .seconds(1))
  }

  /// Looks whether it still works, several times a second while somebody waits for it.
  ///
  /// - `isDrained`: all that it said was read; else the processor's time may be that of several pages.
  ///
  /// Exit 65 at the limits.
  mutating func check(isDrained: Bool) throws(Failure) {
    let limit = limits.processorTime * share
    let longest = limit * pages * Double(WorkerTimeout.patience)
    if waited > longest { throw limits.outOfPatience(after: longest) }
    guard isDrained, let used = processorTime else { return }
    let now = ContinuousClock.now
    // Nobody waited for it in the meantime; so it may have had nothing to do.
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

  /// nil once it has ended.
  private var processorTime: Duration? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
