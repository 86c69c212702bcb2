import PrintModel
import Testing

@Suite struct StateReasonTests {
  @Test(arguments: [
    ("media-empty", "media-empty", StateReason.Severity.unstated),
    ("media-empty-error", "media-empty", .error),
    ("media-empty-warning", "media-empty", .warning),
    ("media-empty-report", "media-empty", .report),
    ("none", "none", .unstated),
    // Only one suffix is removed.
    ("toner-low-report-warning", "toner-low-report", .warning),
    ("-error", "-error", .unstated), ("", "", .unstated), ("error", "error", .unstated),
    ("com.example-door-error", "com.example-door", .error),
  ])
  func `the severity is taken off the keyword`(
    _ text: String, _ keyword: String, _ severity: StateReason.Severity
  ) {
    let reason = StateReason(text)
    #expect(reason.keyword == keyword)
    #expect(reason.severity == severity)
  }

  /// Registered job-state-reasons that end in -error, where the suffix is not a severity.
  @Test(arguments: [
    "compression-error", "document-access-error", "document-format-error",
    "document-password-error", "document-permission-error", "document-security-error",
    "document-unprintable-error",
  ])
  func `a keyword that ends like a severity stays whole`(_ text: String) {
    #expect(StateReason(text).keyword == text)
    #expect(StateReason(text).severity == .unstated)
    #expect(StateReason(text + "-error").keyword == text)
    #expect(StateReason(text + "-error").severity == .error)
  }

  @Test(arguments: [
    ("media-empty", true), ("media-empty-error", true), ("media-jam-error", true),
    ("cover-open", true), ("marker-supply-empty-error", true), ("paused", true),
    // While it prints, ippeveprinter reports an empty tray only as a warning.
    ("media-empty-warning", true),
    // The same keyword as a report stops nothing.
    ("media-empty-report", false), ("cover-open-report", false),
    ("media-low", false), ("toner-low-warning", false), ("none", false), ("unknown-error", false),
  ])
  func `what stands still until somebody acts`(_ text: String, _ isBlocking: Bool) {
    #expect(StateReason(text).needsSomebody == isBlocking)
  }

  @Test(arguments: [
    ("media-empty-error", "out of paper"),
    ("cover-open-warning", "close the cover"),
    ("document-format-error", "the printer could not read the document"),
    ("document-unprintable-error", "the printer could not print the document"),
    ("job-password-wait", "enter the PIN at the printer to print it"),
  ])
  func `words for a person`(_ text: String, _ words: String) {
    #expect(StateReason(text).words == words)
  }

  @Test(arguments: ["none", "com.example-42", "", "other-warning"])
  func `a keyword that nobody knows has none`(_ text: String) {
    #expect(StateReason(text).words == nil)
  }

  /// Every keyword that stops a printer has a message with the remedy, or at least with the problem.
  @Test(arguments: [
    "media-empty", "media-needed", "media-jam", "cover-open", "door-open", "interlock-open",
    "input-tray-missing", "output-tray-missing", "output-area-full", "toner-empty",
    "marker-supply-empty", "marker-waste-full", "paused", "shutdown", "stopped-partly",
    "stopping", "input-media-supply-empty", "cutter-empty", "cutter-jam", "media-low-stopped",
  ])
  func `what blocks has words`(_ keyword: String) {
    #expect(StateReason(keyword).needsSomebody)
    #expect(StateReason(keyword).words != nil)
  }
}
