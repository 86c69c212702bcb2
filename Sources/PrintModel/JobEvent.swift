/// Events while a job runs, for an observer.
package enum JobEvent: Sendable, Equatable {
  /// The printer is being reached; it may be asleep.
  case contacting(printer: String)
  /// The printer answered; its name is known now.
  case reached(printer: String)
  /// The printer has a job with this number.
  case created(jobId: Int)
  case sending(StreamProgress)
  /// The whole document is at the printer.
  case sent
  /// Impressions that the printer counts as done.
  case printing(impressions: Int?)
  /// Conditions that stop the job, in sentences without a full stop; empty when it goes on again.
  case waiting([String])
  /// Something worth saying that stops nothing.
  case note(String)
  /// A step on the way that is the program's affair, for `--verbose`.
  case detail(String)
  /// A supply that runs out before long, in a sentence: it is so at every job.
  case supplyLow(String)
}
