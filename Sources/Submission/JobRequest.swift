package import PrintModel

/// A job's options as typed: enough to print it again, later, or on another printer.
///
/// Settings are not included; they are looked up when it prints.
package struct JobRequest: Codable, Sendable, Equatable {
  /// `-d`, each printer of the list; empty: the one that is then saved for the type.
  package var printers: [String] = []
  /// `--type`, if it was typed.
  package var type: String?
  /// The print options that were typed, in their order.
  ///
  /// A file among the values has its path as typed, and its copy is among the record's attachments.
  package var options: [PrintRequest.JobOption] = []
  package var title: String?
  package var handling = JobHandling()
  /// True if the job had a PIN, which is not stored here: without one, the job must not be printed again.
  package var hasPIN = false
  /// The locale of the request, which selects the default paper: `LC_ALL`, `LC_PAPER` and `LANG`.
  package var locale: [String: String] = [:]

  package init() {}

  private enum Key: String, CodingKey {
    case printers, type, options, title, locale, pin
  }

  /// Decodes a request; a missing key means that the option was not typed.
  ///
  /// The keys of the handling are at the same level as the others.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    printers = try object.value(.printers) ?? []
    (type, title) = (try object.value(.type), try object.value(.title))
    options = try object.value(.options) ?? []
    handling = try JobHandling(from: decoder)
    hasPIN = try object.value(.pin) ?? false
    locale = try object.value(.locale) ?? [:]
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodePresent([
      .printers: printers.isEmpty ? nil : printers, .type: type, .options: options, .title: title,
      .pin: hasPIN ? true : nil, .locale: locale.isEmpty ? nil : locale,
    ])
    try handling.encode(to: encoder)
  }
}
