internal import FoundationEssentials
internal import Glibc
internal import System

/// The time for which a journal has existed, in seconds since it was first pruned.
///
/// Jobs age by it and not by the wall clock, which is wrong on a machine that starts in 1970 or that someone sets a
/// year ahead, and would remove them.
///
/// While a machine is up, this is the time since it was started (CLOCK_BOOTTIME, which can't be set). Only the wall
/// clock shows how long it was off, and that is trusted for at most a day.
struct JournalTime: Codable {
  private var seconds: Double
  private var boot: String
  private var sinceBoot: Double
  private var wall: Double

  private static let mostBetweenBoots = 86_400.0

  /// Returns the current time, and stores it in `folder`.
  ///
  /// A journal whose stored time is lost starts at 0 again: its jobs are kept longer.
  static func now(in folder: String) -> Double {
    let path = "\(folder)/.time"
    let last = FileManager.default.contents(atPath: path).flatMap {
      try? JSONDecoder().decode(JournalTime.self, from: $0)
    }
    let now = JournalTime(
      after: last, boot: ClockSetting.bootID,
      sinceBoot: WallClock.seconds(of: CLOCK_BOOTTIME).rounded(.down),
      wall: WallClock.seconds.rounded(.down))
    if let data = try? JSONEncoder().encode(now) { _ = AtomicFile.replace(path, with: Array(data)) }
    return now.seconds
  }

  init(after last: JournalTime?, boot: String, sinceBoot: Double, wall: Double) {
    self.boot = boot
    self.sinceBoot = sinceBoot
    self.wall = wall
    guard let last else {
      seconds = 0
      return
    }
    let passed =
      boot == last.boot && !boot.isEmpty
      ? sinceBoot - last.sinceBoot : min(wall - last.wall, JournalTime.mostBetweenBoots)
    seconds = last.seconds + max(0, passed)
  }
}
