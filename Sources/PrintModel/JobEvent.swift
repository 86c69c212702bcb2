/// Events of a running job, for an observer.
package enum JobEvent: Sendable, Equatable {
  /// The printer is being contacted; it may be asleep.
  case contacting(printer: String)
  /// The printer has answered; its name is now known.
  case reached(printer: String)
  /// The printer has a job with this number.
  case created(jobId: Int)
  case sending(StreamProgress)
  /// The printer has the whole document.
  case sent
  /// Number of impressions that the printer reports as completed, and the time until the last one, if it is long.
  case printing(impressions: Int?, timeLeft: String?)
  /// What stops the job; empty when it continues.
  case waiting([Trouble])
  /// A message about something that stops nothing, or something that is missing from the paper.
  case told(Ledger.Entry)
  /// An internal step, for `--verbose`.
  case detail(String)
  /// A sentence about the printer rather than the job: a supply that is low, its new certificate.
  case aboutPrinter(String)

  package static func note(_ sentence: String) -> JobEvent { .told(.note(sentence)) }
}
