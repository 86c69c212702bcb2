internal import Glibc
internal import PrintModel

/// The time until which a job is held, as `--hold` and `lp -H` take it.
enum HoldTime {
  /// job-hold-until's keywords (RFC 8011 §5.2.2), but no-hold.
  static let keywords = [
    "indefinite", "day-time", "evening", "night", "weekend", "second-shift", "third-shift",
  ]

  /// lp's words for two of them.
  private static let lp = ["hold": "indefinite", "immediate": "no-hold"]

  /// True for a time behind `--hold`, where a file might stand; exit 64 for what is neither.
  ///
  /// A file is sooner mistyped than a printer's own name for a time, which `--hold=NAME` takes.
  static func isMeant(_ word: String) throws(Failure) -> Bool {
    if isUsual(word.lowercased()) { return true }
    guard !word.hasPrefix("-"), !word.contains("://"), access(word, F_OK) != 0 else { return false }
    throw refused(word, "and there is no file of this name")
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
      throw refused(text)
    }
    return lp[word] ?? (isUsual(word) ? word : text)
  }
}
