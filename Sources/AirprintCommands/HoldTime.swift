internal import PrintModel

/// The time until which a job is held, as `--hold` and `lp -H` take it.
enum HoldTime {
  /// job-hold-until's keywords (RFC 8011 §5.2.2), but no-hold.
  static let keywords = [
    "indefinite", "day-time", "evening", "night", "weekend", "second-shift", "third-shift",
  ]

  /// lp's words for two of them.
  private static let lp = ["hold": "indefinite", "immediate": "no-hold"]

  /// True for a word that may stand behind `--hold`, where a file might.
  static func isOne(_ word: String) -> Bool {
    let word = word.lowercased()
    return keywords.contains(word) || lp[word] != nil || word == "no-hold" || ClockTime(word) != nil
  }

  /// The value of job-hold-until; exit 64 for what is no time, with the command for what lp does by this option.
  static func value(_ text: String) throws(Failure) -> String {
    let word = text.lowercased()
    switch word {
    case "resume": throw Failure(.usage, "-H resume: airprint release JOB lets a held job print.")
    case "restart": throw Failure(.usage, "-H restart: airprint reprint JOB prints a job again.")
    default: break
    }
    // A printer may have names of its own.
    let isName = word.allSatisfy { $0.isASCII && ($0.isLetter || "-_".contains($0)) }
    guard ClockTime(word) != nil || isName && !word.isEmpty else {
      throw Failure(
        .usage,
        "--hold \(text): takes a time of the day (18:00), or \(keywords.inWords(joinedBy: "or")).")
    }
    let isUsual = keywords.contains(word) || word == "no-hold" || ClockTime(word) != nil
    return lp[word] ?? (isUsual ? word : text)
  }
}
