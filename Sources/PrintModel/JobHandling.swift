/// Options of a job's course, which decide nothing of its pages, as they were typed.
///
/// The journal keeps them among the other keys of `JobRequest`; a key that is not there is as if it had not been typed.
package struct JobHandling: Codable, Sendable, Equatable {
  /// `--force`: papers, type and state of the printer stop nothing.
  package var force = false
  /// `--strict`, ipp-attribute-fidelity: what can't be had is refused rather than replaced.
  package var strict = false
  /// `--no-wait`: the job is over for airprint when the printer has the whole document.
  package var endsWhenSent = false
  /// `--notify`: a desktop notification of how the job ended.
  package var notifies = false
  /// `--timeout`: time in which nothing may go forward, in whole seconds; nil: not typed, and for ever where nothing
  /// else is set.
  package var timeout: Duration?
  /// `--on-timeout leave` or `cancel`, for a job of which no sheet is out; nil: not typed.
  package var leavesOnTimeout: Bool?

  package init() {}

  /// These options with settings where nothing was typed.
  package func with(timeout: Duration?, leavesOnTimeout: Bool) -> JobHandling {
    var handling = self
    handling.timeout = self.timeout ?? timeout
    handling.leavesOnTimeout = self.leavesOnTimeout ?? leavesOnTimeout
    return handling
  }

  /// Keys of the journal.
  private enum Key: String, CodingKey {
    case force, strict, timeout
    case notifies = "notify"
    case endsWhenSent = "noWait"
    case leavesOnTimeout = "leaveOnTimeout"
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    force = try object.decodeIfPresent(Bool.self, forKey: .force) ?? false
    strict = try object.decodeIfPresent(Bool.self, forKey: .strict) ?? false
    endsWhenSent = try object.decodeIfPresent(Bool.self, forKey: .endsWhenSent) ?? false
    notifies = try object.decodeIfPresent(Bool.self, forKey: .notifies) ?? false
    timeout = try object.decodeIfPresent(Int.self, forKey: .timeout).map { .seconds($0) }
    leavesOnTimeout = try object.decodeIfPresent(Bool.self, forKey: .leavesOnTimeout)
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    if force { try object.encode(force, forKey: .force) }
    if strict { try object.encode(strict, forKey: .strict) }
    if endsWhenSent { try object.encode(endsWhenSent, forKey: .endsWhenSent) }
    if notifies { try object.encode(notifies, forKey: .notifies) }
    try object.encodeIfPresent(timeout.map { Int($0.components.seconds) }, forKey: .timeout)
    try object.encodeIfPresent(leavesOnTimeout, forKey: .leavesOnTimeout)
  }
}
