internal import Glibc
internal import PrintModel

/// The time until which a job is held, as accepted by `--hold` and `lp -H`.
enum HoldTime {
  /// job-hold-until's keywords (RFC 8011 §5.2.2), except no-hold.
  static let keywords = [
    "indefinite", "day-time", "evening", "night", "weekend", "second-shift", "third-shift",
  ]

  /// lp's words for two of them.
  private static let lp = ["hold": "indefinite", "immediate": "no-hold"]

  /// Returns true for a time after `--hold`, where a file could follow as well; exit 64 if it is neither.
  ///
  /// A mistyped file is more likely than a printer's own name for a time, which `--hold=NAME` accepts.
  static func isMeant(_ word: String) throws(Failure) -> Bool {
    if isUsual(word.lowercased()) { return true }
    guard !word.hasPrefix("-"), !word.contains("://"), access(word, F_OK) != 0 else { return false }
    throw refused(word, "there is no such file either")
  }

  private static func isUsual(_ word: String) -> Bool {
    keywords.contains(word) || lp[word] != nil || word == "no-hold" || ClockTime(word) != nil
  }

  private static func refused(_ text: String, _ more: String? = nil) -> Failure {
    Failure(
      .usage,
      "--hold \(text): takes a time of the day (18:00), or \(keywords.inWords(joinedBy: "or"))"
        + (more.map { "; \($0)." } ?? "."))
  }

  /// Returns the value of job-hold-until; exit 64 if it is not a time, with the command for lp's other uses of this
  /// option.
  static func value(_ text: String) throws(Failure) -> String {
    let word = text.lowercased()
    switch word {
    case "resume": throw Failure(.usage, "-H resume: airprint release JOB lets a held job print.")
    case "restart": throw Failure(.usage, "-H restart: airprint reprint JOB prints a job again.")
    default: break
    }
    // A printer may have its own names.
    let isName = word.allSatisfy { $0.isASCII && ($0.isLetter || "-_".contains($0)) }
    guard ClockTime(word) != nil || isName && !word.isEmpty else {
      throw refused(text)
    }
    return lp[word] ?? (isUsual(word) ? word : text)
  }
}
