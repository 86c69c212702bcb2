package import Glibc

/// The wall clock, which may be set at any time: for times that are written down.
///
/// Waits go by ContinuousClock.
package enum WallClock {
  /// Seconds since 1970.
  package static var seconds: Double { seconds(of: CLOCK_REALTIME) }

  /// The times, in seconds since 1970, that have a date: up to the year 9999.
  package static let dates: ClosedRange<Double> = 0...253_402_300_799

  /// Seconds of one of clock_gettime(2)'s clocks.
  package static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// `14:03`, local time.
  package static var now: String {
    let time = local
    return "\(time.tm_hour):\(digits(time.tm_min))"
  }

  /// `2026-11-21`, local time.
  package static var today: String {
    let time = local
    return "\(time.tm_year + 1900)-\(digits(time.tm_mon + 1))-\(digits(time.tm_mday))"
  }

  /// The next moment at which it is this time here, in seconds since 1970: today or tomorrow.
  package static func next(hour: Int, minute: Int, second: Int, after start: Int) -> Int {
    var parts = local(start)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    // mktime(3) finds out whether summer time holds at that hour.
    parts.tm_isdst = -1
    var today = parts
    let moment = mktime(&today)
    if moment > start { return moment }
    parts.tm_mday += 1
    return mktime(&parts)
  }

  private static var local: tm { local(time(nil)) }

  private static func local(_ seconds: time_t) -> tm {
    var seconds = seconds
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts
  }

  private static func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The name of this machine (gethostname(2)).
package var hostName: String {
  var buffer = [CChar](repeating: 0, count: 256)
  gethostname(&buffer, buffer.count - 1)
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
