/// A time of the day, `18:00` or `18:00:30`.
package struct ClockTime: Sendable, Equatable {
  package var hour: Int
  package var minute: Int
  package var second: Int

  /// Parses a time of day; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    hour = numbers[0]
    minute = numbers[1]
    second = numbers.count == 3 ? numbers[2] : 0
  }
}

/// A time in UTC, in IPP's calendar.
package struct UTCTime: Sendable, Equatable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  /// The time of `seconds` since 1970.
  package init(seconds: Int) {
    let time = seconds - UTCTime.floor(seconds, 86_400) * 86_400
    (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    // Days since March 1st of the year 0, so that a leap day is the last one of its year.
    let days = UTCTime.floor(seconds, 86_400) + 719_468
    let era = UTCTime.floor(days, 146_097)
    let ofEra = days - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * ofYear + 2) / 153
    day = ofYear - (153 * fromMarch + 2) / 5 + 1
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    (number >= 0 ? number : number - divisor + 1) / divisor
  }

  /// The 11 octets of a dateTime (RFC 2579, DateAndTime).
  package var octets: [UInt8] {
    [
      UInt8(truncatingIfNeeded: year >> 8), UInt8(truncatingIfNeeded: year), UInt8(month),
      UInt8(day), UInt8(hour), UInt8(minute), UInt8(second), 0, UInt8(ascii: "+"), 0, 0,
    ]
  }

  /// Converts IPP's dateTime to seconds since 1970, with its UTC offset; nil for invalid octets.
  package static func seconds(of octets: [UInt8]) -> Int? {
    guard octets.count == 11, (1...12).contains(octets[2]), (1...31).contains(octets[3]),
      octets[4] < 24, octets[5] < 60, octets[6] < 61, octets[9] < 15, octets[10] < 60
    else { return nil }
    let numbers = octets.map(Int.init)
    let month = numbers[2]
    let year = numbers[0] * 256 + numbers[1] - (month <= 2 ? 1 : 0)
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + numbers[3] - 1
    let days = 365 * year + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    let ahead = (numbers[9] * 60 + numbers[10]) * 60 * (octets[8] == UInt8(ascii: "-") ? -1 : 1)
    return days * 86_400 + numbers[4] * 3_600 + numbers[5] * 60 + numbers[6] - ahead
  }

  /// The time of day as `18:00:00`.
  package var clock: String {
    [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
