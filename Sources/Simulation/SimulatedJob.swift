internal import FoundationEssentials
package import PrintModel

/// A job at a simulated printer.
///
/// The printer's lock guards it.
package struct SimulatedJob: Sendable {
  package let id: Int
  package let name: String
  package let user: String
  /// The requested Job Template attributes that the printer accepted.
  let template: [Attribute]
  let uuid = UUID()
  let created = Date.now
  let createdUptime: Int
  package internal(set) var state = JobState.held
  package internal(set) var reasons = ["job-data-insufficient"]
  package internal(set) var message = "Waiting for the document."
  /// The document's media type, as stated or recognized by its first bytes.
  package internal(set) var format: String?
  var spool: Spool?
  /// Length of the document, once the job is over and its file is closed.
  var octets: Int?
  /// Folder of the job's result.
  package internal(set) var folder: String?
  var processing: (date: Date, uptime: Int)?
  var completed: (date: Date, uptime: Int)?
  package internal(set) var impressions = 0
  var sheets = 0
  /// Number of sides that the document announces.
  var allImpressions: Int?
  /// Set once the job is to be ended.
  var ending: EndState?
  /// The PIN that must be entered at the printer before the job is printed.
  var pin: PIN?

  /// job-password, as received (PWG 5100.11 §5.1.3).
  struct PIN: Sendable {
    var hash: [UInt8]
    /// job-password-encryption.
    var method: String
  }

  enum EndState: Sendable, Equatable {
    case canceledByUser
    case canceledAtPrinter
    case shutDown
    /// The printer was switched off and on.
    case restarted

    var reason: String {
      switch self {
      case .canceledByUser: "job-canceled-by-user"
      case .canceledAtPrinter: "job-canceled-at-device"
      case .shutDown, .restarted: "aborted-by-system"
      }
    }
  }

  /// True while no document has been received.
  var awaitsDocument: Bool { state == .held && !hasDocument }

  /// job-hold-until (RFC 8011 §5.2.2): held until it is released.
  static let indefinite = "indefinite"

  /// Queues the job, or holds it until it is released if that was requested.
  mutating func enqueue() {
    guard pin == nil else { return become(.held, ["job-password-wait"], "Waiting for its PIN.") }
    let hold = template.first { $0.name == "job-hold-until" }?.values.first?.string
    if hold == Self.indefinite { self.hold() } else { release() }
  }

  mutating func hold() {
    become(.held, ["job-hold-until-specified"], "Waiting for its release.")
  }

  mutating func release() { become(.pending, ["job-queued"], "Waiting for its turn.") }

  mutating func become(_ state: JobState, _ reasons: [String], _ message: String) {
    (self.state, self.reasons, self.message) = (state, reasons, message)
  }

  var hasDocument: Bool { documentSize != nil }

  private var documentSize: Int? { octets ?? spool?.size }

  /// Closes the document's file: 500 completed jobs with open files would be more than a process may open.
  mutating func closeDocument() {
    octets = documentSize
    spool = nil
  }

  /// Everything that the printer reports about the job.
  func attributes(printer uri: String, uptime: Int) -> [Attribute] {
    func moment(_ moment: (date: Date, uptime: Int)?, _ name: String) -> [Attribute] {
      [
        Attribute("time-at-\(name)", moment.map { .integer($0.uptime) } ?? .none),
        Attribute("date-time-at-\(name)", moment.map { dateTime($0.date) } ?? .none),
      ]
    }
    return [
      Attribute("job-id", .integer(id)),
      Attribute("job-uri", .uri("\(uri)/\(id)")),
      Attribute("job-uuid", .uri("urn:uuid:\(uuid.uuidString.lowercased())")),
      Attribute("job-printer-uri", .uri(uri)),
      Attribute("job-name", .name(name)),
      Attribute("job-originating-user-name", .name(user)),
      Attribute("job-state", .enumeration(state.rawValue)),
      Attribute("job-state-reasons", keywords: reasons.isEmpty ? ["none"] : reasons),
      Attribute("job-state-message", .text(message)),
      Attribute("job-printer-up-time", .integer(uptime)),
      Attribute("job-impressions", allImpressions.map { .integer($0) } ?? .none),
      Attribute("job-impressions-completed", .integer(impressions)),
      Attribute("job-media-sheets-completed", .integer(sheets)),
      Attribute("job-k-octets", documentSize.map { .integer(($0 + 1023) / 1024) } ?? .none),
      Attribute("number-of-documents", .integer(hasDocument ? 1 : 0)),
      Attribute("time-at-creation", .integer(createdUptime)),
      Attribute("date-time-at-creation", dateTime(created)),
    ] + moment(processing, "processing") + moment(completed, "completed")
      + (format.map { [Attribute("document-format-supplied", .mediaType($0))] } ?? [])
      + template
  }
}
