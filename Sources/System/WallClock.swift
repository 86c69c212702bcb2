internal import FoundationEssentials
package import Glibc

/// The wall clock, which may be set at any time: for times that are stored.
///
/// Waits use ContinuousClock.
package enum WallClock {
  /// Seconds since 1970.
  package static var seconds: Double { seconds(of: CLOCK_REALTIME) }

  /// The times that have a date, in seconds since 1970: up to the year 9999.
  package static let dates: ClosedRange<Double> = 0...253_402_300_799

  /// Returns the seconds of a clock of clock_gettime(2).
  package static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The local time: `14:03`.
  package static var now: String { text("%H:%M") }

  /// The local date: `2026-11-21`.
  package static var today: String { text("%F") }

  /// Returns a time, in seconds since 1970, as local time in a format of strftime(3).
  package static func text(_ format: String, _ seconds: Double = WallClock.seconds) -> String {
    var parts = local(time_t(seconds))
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, format, &parts)
    return text.text
  }

  /// Returns the next time when it is this local time, in seconds since 1970: today or tomorrow.
  package static func next(hour: Int, minute: Int, second: Int, after start: Int) -> Int {
    var parts = local(start)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    // mktime(3) determines if summer time applies at that hour.
    parts.tm_isdst = -1
    var today = parts
    let moment = mktime(&today)
    if moment > start { return moment }
    parts.tm_mday += 1
    return mktime(&parts)
  }

  private static func local(_ seconds: time_t) -> tm {
    var seconds = seconds
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts
  }
}

/// The wall clock as it is set at one time: it goes on like that if it is set again, until the machine restarts.
package struct ClockSetting: Codable, Sendable, Equatable {
  private var boot = ClockSetting.bootID
  /// The time when the machine was started, in seconds since 1970.
  private var start = WallClock.seconds - WallClock.seconds(of: CLOCK_BOOTTIME)

  /// The clock as it is set now.
  package init() {}

  /// Seconds since 1970; by the wall clock if the machine has been restarted, or does not tell.
  package var seconds: Double {
    boot == ClockSetting.bootID && !boot.isEmpty
      ? start + WallClock.seconds(of: CLOCK_BOOTTIME) : WallClock.seconds
  }

  /// An ID that changes at every start of the machine; empty if the system does not provide it.
  package static let bootID =
    FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
    .map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } } ?? ""
}

/// The name of this machine (gethostname(2)).
package var hostName: String {
  var buffer = [CChar](repeating: 0, count: 256)
  gethostname(&buffer, buffer.count - 1)
  return buffer.text
}
