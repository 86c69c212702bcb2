extension PrinterStatus {
  /// Attributes requested from a printer while a job runs: those that change.
  package static let attributes = [
    "printer-state", "printer-state-reasons", "printer-state-message", "printer-is-accepting-jobs",
    "queued-job-count", "marker-names", "marker-types", "marker-levels", "printer-input-tray",
    "media-source-supported", "printer-message-from-operator", "printer-detailed-status-messages",
    "printer-alert", "printer-alert-description", "printer-state-change-time",
  ]

  /// Reads printer-state and related attributes.
  ///
  /// A printer without a valid state counts as idle.
  package init(reading attributes: AttributeSet) {
    self.init(
      state: attributes.number("printer-state").flatMap(State.init(rawValue:)) ?? .idle,
      reasons: attributes.reasons("printer-state-reasons"),
      message: attributes.words("printer-state-message"),
      isAcceptingJobs: attributes.boolean("printer-is-accepting-jobs") ?? true,
      queuedJobs: attributes.number("queued-job-count"),
      supplies: PrinterStatus.markers(attributes) ?? PrinterStatus.printerSupplies(attributes))
    changed = attributes.number("printer-state-change-time").flatMap { $0 > 0 ? $0 : nil }
    let trays = PrinterStatus.trays(attributes)
    hasPaper = trays.contains { $0.level != "0" } ? true : nil
    emptyTrays = trays.filter { $0.level == "0" }.map { EmptyTray(source: $0.source) }
    messages = PrinterStatus.messages(attributes, besides: message)
  }

  /// Reads the message of its operator (RFC 8011 §5.4.25), details of its state (PWG 5100.11-2024), and its alerts, each
  /// with a description, or else the code of printer-alert, which has fields as printer-supply has them (PWG 5100.9):
  /// the critical ones first.
  private static func messages(_ attributes: AttributeSet, besides message: String?) -> [String] {
    let stated = ["printer-message-from-operator", "printer-detailed-status-messages"]
      .flatMap(attributes.strings)
    let words = attributes.values("printer-alert-description").map { $0.string ?? "" }
    let alerts = attributes.values("printer-alert").map(\.fields)
    let said = (0..<min(100, max(words.count, alerts.count))).map {
      index -> (isCritical: Bool, String) in
      let alert = index < alerts.count ? alerts[index] : [:]
      let code = alert["code"].map { ["other", "unknown"].contains($0) ? "" : Supply.words($0) }
      let text = index < words.count ? words[index] : ""
      let isText = text.contains { !$0.isWhitespace }
      return (alert["severity"] == "critical", isText ? text : code ?? "")
    }
    // What stops it comes first.
    let sorted = said.filter(\.isCritical).map(\.1) + said.filter { !$0.isCritical }.map(\.1)
    let all = (stated + sorted).filter { text in
      text != message && text.contains { !$0.isWhitespace }
    }
    return all.prefix(100).map { String($0.prefix(255)) }.unique.prefix(10).map { $0 }
  }

  /// Reads printer-input-tray, which has a value for each of media-source-supported (PWG 5100.13 §5.6.5).
  ///
  /// A level of 0 is an empty tray; negative levels are unknown.
  private static func trays(_ attributes: AttributeSet) -> [(source: String, level: String)] {
    let sources = attributes.strings("media-source-supported")
    let values = attributes.values("printer-input-tray").prefix(100).enumerated()
    return values.compactMap { index, value in
      let tray = value.fields
      let place = index < sources.count ? sources[index] : nil
      let source = tray["name"].flatMap { sources.contains($0) ? $0 : nil } ?? place
      guard let source, source != "auto", let level = tray["level"] else { return nil }
      return (source, level)
    }
  }

  /// Reads CUPS' marker-* attributes, which are parallel lists.
  ///
  /// If there are more names than levels, they can't be matched, and are ignored.
  private static func markers(_ attributes: AttributeSet) -> [Supply]? {
    let names = attributes.strings("marker-names")
    let types = attributes.strings("marker-types")
    let levels = attributes.numbers("marker-levels")
    guard !names.isEmpty, names.count == levels.count else { return nil }
    return names.indices.map { index in
      Supply(
        name: names[index], type: index < types.count ? types[index] : "unknown",
        level: percentage(levels[index]))
    }
  }

  /// Reads printer-supply (PWG 5100.13): `type=toner;maxcapacity=100;level=75;colorantname=black;`.
  private static func printerSupplies(_ attributes: AttributeSet) -> [Supply] {
    attributes.values("printer-supply").compactMap { value in
      let fields = value.fields
      guard let type = fields["type"] else { return nil }
      let capacity = fields["maxcapacity"].flatMap { Int($0) } ?? 100
      let level = fields["level"].flatMap { Int($0) } ?? -2
      return Supply(
        name: fields["colorantname"] ?? type, type: type,
        level: percentage(level, of: capacity))
    }
  }

  /// Checks a level: -1, -2 and -3 mean unavailable, unknown and "some left".
  private static func percentage(_ level: Int, of capacity: Int = 100) -> Int? {
    guard capacity > 0, (0...capacity).contains(level) else { return nil }
    return Int(Double(level) * 100 / Double(capacity))
  }
}

extension Attribute.Value {
  /// The fields of `name=value;name=value;`, the text in printer-supply and printer-input-tray (PWG 5100.13).
  ///
  /// Names are in lower case; the first of two equal ones counts.
  fileprivate var fields: [String: String] {
    guard case .octets(let bytes) = self else { return [:] }
    let fields = bytes.prefix(1023).split(separator: UInt8(ascii: ";"))
    let pairs = fields.compactMap { field -> (String, String)? in
      guard let end = field.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let value = String(decoding: field[(end + 1)...], as: UTF8.self)
      return (String(decoding: field[..<end], as: UTF8.self).lowercased(), value)
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension Capabilities {
  /// Returns the status with the paper that the trays are set for.
  ///
  /// That of an empty tray may be the printer's default, if it is no longer among those that are ready.
  package func namingPaper(of status: PrinterStatus) -> PrinterStatus {
    let ready = reportsReady ? ready : []
    var status = status
    status.loaded = ready.map(\.titleToLoad).unique
    for index in status.emptyTrays.indices {
      let papers = (ready + [defaultPaper].compactMap { $0 }).filter {
        $0.source == status.emptyTrays[index].source
      }
      let titles = papers.map(\.titleToLoad).unique
      status.emptyTrays[index].paper = titles.count == 1 ? titles[0] : nil
    }
    return status
  }
}
