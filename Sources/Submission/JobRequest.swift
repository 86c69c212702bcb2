/// Options asked of a job, as it was typed: enough to print it again, later, or on another printer.
///
/// Settings are not in it; they are looked up when it prints.
package struct JobRequest: Codable, Sendable, Equatable {
  /// `-d`, each of the list; empty: whichever printer is saved for the type then.
  package var printers: [String] = []
  /// `--type`, when it was typed.
  package var type: String?
  /// The print options that were typed, in their order; a file among the values is named as it was typed,
  /// and its copy is among the record's attachments.
  package var options: [Option] = []
  package var title: String?
  package var force = false
  package var strict = false
  /// `--no-wait`.
  package var endsWhenSent = false
  /// `--timeout`, in seconds.
  package var timeout: Int?
  /// `--on-timeout leave`.
  package var leavesOnTimeout: Bool?
  /// It had a PIN, which is not kept here: without one it is not to be printed again.
  package var hasPIN = false
  /// `--notify`.
  package var notifies = false
  /// The paper of the region that it was asked in: `LC_ALL`, `LC_PAPER` and `LANG` as they were.
  package var locale: [String: String] = [:]

  /// A print option by its long name.
  package struct Option: Codable, Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init() {}

  private enum Key: String, CodingKey {
    case printers, type, options, title, force, strict, timeout, locale, pin
    case notifies = "notify"
    case endsWhenSent = "noWait"
    case leavesOnTimeout = "leaveOnTimeout"
  }

  /// A key that is not there is as if it had not been typed.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    printers = try object.decodeIfPresent([String].self, forKey: .printers) ?? []
    type = try object.decodeIfPresent(String.self, forKey: .type)
    options = try object.decodeIfPresent([Option].self, forKey: .options) ?? []
    title = try object.decodeIfPresent(String.self, forKey: .title)
    force = try object.decodeIfPresent(Bool.self, forKey: .force) ?? false
    strict = try object.decodeIfPresent(Bool.self, forKey: .strict) ?? false
    endsWhenSent = try object.decodeIfPresent(Bool.self, forKey: .endsWhenSent) ?? false
    timeout = try object.decodeIfPresent(Int.self, forKey: .timeout)
    leavesOnTimeout = try object.decodeIfPresent(Bool.self, forKey: .leavesOnTimeout)
    notifies = try object.decodeIfPresent(Bool.self, forKey: .notifies) ?? false
    hasPIN = try object.decodeIfPresent(Bool.self, forKey: .pin) ?? false
    locale = try object.decodeIfPresent([String: String].self, forKey: .locale) ?? [:]
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    if !printers.isEmpty { try object.encode(printers, forKey: .printers) }
    try object.encodeIfPresent(type, forKey: .type)
    try object.encode(options, forKey: .options)
    try object.encodeIfPresent(title, forKey: .title)
    if force { try object.encode(force, forKey: .force) }
    if strict { try object.encode(strict, forKey: .strict) }
    if endsWhenSent { try object.encode(endsWhenSent, forKey: .endsWhenSent) }
    if notifies { try object.encode(notifies, forKey: .notifies) }
    try object.encodeIfPresent(timeout, forKey: .timeout)
    try object.encodeIfPresent(leavesOnTimeout, forKey: .leavesOnTimeout)
    if hasPIN { try object.encode(hasPIN, forKey: .pin) }
    if !locale.isEmpty { try object.encode(locale, forKey: .locale) }
  }
}
