/// Options for handling a job as typed, which do not affect its pages.
///
/// The journal stores them among the other keys of `JobRequest`; a missing key means that the option was not typed.
package struct JobHandling: Codable, Sendable, Equatable {
  /// `--force`: ignores obstacles from the paper, type and state of the printer.
  package var force = false
  /// `--strict`, ipp-attribute-fidelity: options that can't be granted are refused rather than replaced.
  package var strict = false
  /// `--no-wait`: airprint is done with the job when the printer has the whole document.
  package var endsWhenSent = false
  /// `--notify`: a desktop notification of the job's result.
  package var notifies = false
  /// `--timeout`: longest time without progress, in whole seconds; nil: not typed, and without limit if nothing else
  /// sets it.
  package var timeout: Duration?
  /// `--on-timeout leave` or `cancel`, for a job without any sheet printed; nil: not typed.
  ///
  /// If nothing else sets it, a job that the printer was told to hold (`--hold`) is left, and any other is canceled.
  package var leavesOnTimeout: Bool?

  package init() {}

  /// Returns these options, with settings for those that were not typed.
  package func with(timeout: Duration?, leavesOnTimeout: Bool?) -> JobHandling {
    var handling = self
    handling.timeout = self.timeout ?? timeout
    handling.leavesOnTimeout = self.leavesOnTimeout ?? leavesOnTimeout
    return handling
  }

  /// Keys in the journal.
  private enum Key: String, CodingKey {
    case force, strict, timeout
    case notifies = "notify"
    case endsWhenSent = "noWait"
    case leavesOnTimeout = "leaveOnTimeout"
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    (force, strict) = (try object.value(.force) ?? false, try object.value(.strict) ?? false)
    endsWhenSent = try object.value(.endsWhenSent) ?? false
    notifies = try object.value(.notifies) ?? false
    timeout = try object.value(.timeout).map { .seconds($0) }
    leavesOnTimeout = try object.value(.leavesOnTimeout)
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodePresent([
      .force: force ? true : nil, .strict: strict ? true : nil,
      .endsWhenSent: endsWhenSent ? true : nil, .notifies: notifies ? true : nil,
      .timeout: timeout.map { Int($0.components.seconds) }, .leavesOnTimeout: leavesOnTimeout,
    ])
  }
}
