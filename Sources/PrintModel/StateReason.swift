/// One printer-state-reason or job-state-reason: its keyword without the severity, and the severity.
package struct StateReason: Sendable, Hashable {
  package enum Severity: Sendable { case report, warning, error, unstated }

  package var keyword: String
  package var severity: Severity

  /// Splits off the severity suffix: printers send `media-empty`, `media-empty-error`, `-warning` and `-report` for the
  /// same condition.
  ///
  /// A suffix that is part of the keyword is kept: `document-format-error` without it would no longer be an error.
  package init(_ text: String) {
    let suffixes: KeyValuePairs<String, Severity> = [
      "-report": .report, "-warning": .warning, "-error": .error,
    ]
    let isWhole = StateReason.objection(text) != nil
    let suffix = suffixes.first { !isWhole && text.hasSuffix($0.key) && text != $0.key }
    keyword = String(text.dropLast(suffix?.key.count ?? 0))
    severity = suffix?.value ?? .unstated
  }

  /// True if printing has stopped until someone acts.
  ///
  /// That includes warnings: while printing, ippeveprinter reports an empty tray as `media-empty-warning`.
  package var needsSomebody: Bool { severity != .report && StateReason.blocking.contains(keyword) }

  /// The problem or a remedy, as a short sentence without a full stop; nil for a keyword that is not useful to a user.
  package var words: String? { StateReason.sentences[keyword] }

  /// True if something has to be replaced, loaded or emptied soon.
  var isLow: Bool {
    ["-low", "-almost-full", "-near-eol"].contains { keyword.hasSuffix($0) }
  }

  /// True if printing has stopped until someone loads paper.
  package var needsPaper: Bool { needsSomebody && (isOut || keyword == "media-needed") }

  /// True if it is one of the keywords for being out of paper.
  var isOut: Bool {
    ["media-empty", "input-media-supply-empty", "media-low-stopped"].contains(keyword)
  }

  /// What a job-state-reason says against a job that has ended: that its document could not be read, that it was not
  /// printed to its end, or that something may be missing, where the count decides.
  package enum Objection: Sendable { case unread, unfinished, flawed }

  /// nil if it says nothing against it, or is not registered.
  package var objection: Objection? { StateReason.objection(keyword) }

  /// The registered job-state-reasons (RFC 8011 §5.3.8, PWG 5100.7, 5100.11, 5100.13, 5100.16).
  private static func objection(_ keyword: String) -> Objection? {
    switch keyword {
    case "document-format-error", "document-unprintable-error", "unsupported-document-format":
      .unread
    case "aborted-by-system", "account-authorization-failed", "account-closed",
      "account-info-needed", "compression-error", "conflicting-attributes",
      "destination-uri-failed", "digital-signature-did-not-verify",
      "digital-signature-type-not-supported", "document-access-error", "document-password-error",
      "document-permission-error", "document-security-error", "job-canceled-after-timeout",
      "job-canceled-at-device", "job-canceled-by-operator", "job-canceled-by-user",
      "resources-are-not-supported", "submission-interrupted", "unsupported-attributes-or-values",
      "unsupported-compression":
      .unfinished
    case "account-limit-reached", "errors-detected", "job-completed-with-errors",
      "job-printed-with-errors", "job-saved-with-errors", "queued-in-device":
      .flawed
    default: nil
    }
  }

  private static let blocking: Set<String> = [
    "media-empty", "media-needed", "media-jam", "media-low-stopped", "cover-open", "door-open",
    "interlock-open", "input-tray-missing", "output-tray-missing", "output-area-full",
    "toner-empty",
    "marker-supply-empty", "marker-waste-full", "paused", "shutdown", "stopped-partly", "stopping",
    "input-media-supply-empty", "cutter-empty", "cutter-jam",
  ]

  private static let sentences: [String: String] = [
    "queued-in-device": "passed on to a device that does not report what becomes of it",
    "media-empty": "out of paper",
    "media-needed": "load the paper that the job asks for",
    "media-low": "paper is running low",
    "media-low-stopped": "out of paper",
    "input-media-supply-empty": "out of paper",
    "media-jam": "paper jam: clear it",
    "cover-open": "close the cover",
    "door-open": "close the door",
    "interlock-open": "close the cover",
    "input-tray-missing": "put the paper tray back",
    "output-tray-missing": "put the output tray back",
    "output-area-full": "remove the printed pages",
    "output-area-almost-full": "the output tray is almost full",
    "toner-empty": "toner is empty: replace it",
    "toner-low": "toner is low",
    "marker-supply-empty": "ink or toner is empty: replace it",
    "marker-supply-low": "ink or toner is low",
    "marker-waste-full": "the waste box is full: replace it",
    "marker-waste-almost-full": "the waste box is almost full",
    "cutter-empty": "the cutter is missing: put it back",
    "cutter-jam": "the cutter is jammed: clear it",
    "paused": "the printer is paused",
    "moving-to-paused": "the printer is being paused",
    "shutdown": "the printer is switched off or starting",
    "connecting-to-device": "the printer is being connected",
    "timed-out": "the device behind the printer does not answer",
    "stopping": "the printer is stopping",
    "stopped-partly": "part of the printer has stopped",
    "spool-area-full": "the printer's memory is full",
    "developer-low": "developer is low",
    "developer-empty": "developer is empty: replace it",
    "fuser-over-temp": "the fuser is too hot: wait",
    "fuser-under-temp": "warming up",
    "opc-near-eol": "the drum is near its end",
    "opc-life-over": "the drum is worn out: replace it",
    "job-hold-until-specified": "held until it is released",
    "job-held-for-button-press": "press the button on the printer to print it",
    "job-password-wait": "enter the PIN at the printer to print it",
    "job-release-wait": "release it at the printer",
    "job-held-for-review": "held for review at the printer",
    "job-held-on-create": "held at the printer",
    "resources-are-not-ready": "the paper that the job asks for is not loaded",
    "cups-held-for-authentication": "its print server waits for a user name and a password",
    "account-info-needed": "the printer needs to know which account pays for it",
    "account-closed": "the account that pays for it is closed",
    "account-limit-reached": "the account that pays for it has reached its limit",
    "account-authorization-failed": "the account that pays for it may not be used",
    "printer-stopped": "the printer has stopped",
    "printer-stopped-partly": "part of the printer has stopped",
    "job-queued": "waiting for its turn",
    "job-incoming": "being received",
    "job-data-insufficient": "waiting for the document",
    "document-format-error": "the printer could not read the document",
    "unsupported-document-format": "the printer does not read this format",
    "document-unprintable-error": "the printer could not print the document",
    "document-access-error": "the printer could not get the document",
    "document-password-error": "the document is protected by a password",
    "document-permission-error": "the document may not be printed",
    "document-security-error": "the document's protection is unknown to the printer",
    "compression-error": "the printer could not decompress the document",
    "aborted-by-system": "the printer aborted the job",
    "job-canceled-by-user": "canceled",
    "job-canceled-by-operator": "canceled by an operator",
    "job-canceled-at-device": "canceled at the printer",
    "job-completed-with-errors": "printed with errors",
    "job-completed-with-warnings": "printed with warnings",
  ]
}

extension [StateReason] {
  /// The reasons without a redundant one: a printer that is out of paper also reports that the job needs some.
  package var withoutNeed: [StateReason] {
    contains(where: \.isOut) ? filter { $0.keyword != "media-needed" } : self
  }
}
