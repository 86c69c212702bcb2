internal import PrintModel

/// A client's subscription to events of a job or of the printer (RFC 3995 §5), which the client polls for (ippget, RFC
/// 3996).
///
/// The printer's lock guards it.
struct Subscription: Sendable {
  let id: Int
  let user: String
  /// The job whose events are reported; nil: the printer and all its jobs.
  let job: Int?
  let events: [String]
  let userData: Attribute.Value?
  /// Duration in seconds, and the printer's up-time at which it ends; a job's subscription ends with its job.
  var lease: (seconds: Int, end: Int)
  private(set) var notices: [Notice] = []
  private(set) var lastNumber = 0

  /// One event.
  struct Notice: Sendable {
    var number: Int
    /// The subscribed keyword.
    var event: String
    var uptime: Int
    /// The event's own attributes, and a sentence about it.
    var facts: [Attribute]
    var words: String
  }

  /// Keywords of the events (RFC 3995 §5.3.3.5).
  static let events = [
    "none", "printer-config-changed", "printer-state-changed", "printer-stopped",
    "job-state-changed", "job-created", "job-completed", "job-stopped", "job-progress",
  ]
  /// Maximum number of events in one subscription.
  static let mostEvents = 20
  /// Maximum octets of notify-user-data, which is part of each event (RFC 3995 §5.3.6).
  static let longestUserData = 63
  /// Default of notify-lease-duration, in seconds; 0 is forever.
  static let usualLease = 86_400
  static let longestLease = 67_108_863
  /// Maximum number of notices kept until a client polls for them.
  private static let mostNotices = 100

  /// Keeps a notice if its event was subscribed to, under the first, most specific, of its keywords that was.
  mutating func note(_ keywords: [String], of job: Int?, _ notice: Notice) {
    guard self.job == nil || job == nil || self.job == job,
      let event = keywords.first(where: events.contains)
    else { return }
    var notice = notice
    lastNumber += 1
    (notice.number, notice.event) = (lastNumber, event)
    notices.append(notice)
    if notices.count > Self.mostNotices { notices.removeFirst() }
  }

  /// The subscription's attributes (RFC 3995 §5.3, §5.4).
  ///
  /// - `uri`: the printer's, as the client addresses it.
  func attributes(uri: String, uptime: Int) -> [Attribute] {
    [
      Attribute("notify-subscription-id", .integer(id)),
      Attribute("notify-events", keywords: events),
      Attribute("notify-pull-method", .keyword("ippget")),
      Attribute("notify-charset", .string(.charset, "utf-8")),
      Attribute("notify-natural-language", .string(.naturalLanguage, "en")),
      Attribute("notify-printer-uri", .uri(uri)),
      Attribute("notify-printer-up-time", .integer(uptime)),
      Attribute("notify-sequence-number", .integer(lastNumber)),
      Attribute("notify-subscriber-user-name", .name(user)),
    ] + (userData.map { [Attribute("notify-user-data", $0)] } ?? [])
      + (job.map { [Attribute("notify-job-id", .integer($0))] }
        ?? [
          Attribute("notify-lease-duration", .integer(lease.seconds)),
          Attribute("notify-lease-expiration-time", .integer(lease.end)),
        ])
  }

  /// A notice as it is returned to clients (RFC 3995 §9.1).
  func attributes(of notice: Notice, uri: String) -> [Attribute] {
    [
      Attribute("notify-charset", .string(.charset, "utf-8")),
      Attribute("notify-natural-language", .string(.naturalLanguage, "en")),
      Attribute("notify-subscription-id", .integer(id)),
      Attribute("notify-sequence-number", .integer(notice.number)),
      Attribute("notify-subscribed-event", .keyword(notice.event)),
      Attribute("notify-printer-uri", .uri(uri)),
      Attribute("printer-up-time", .integer(notice.uptime)),
      Attribute("notify-text", .text(notice.words)),
    ] + (userData.map { [Attribute("notify-user-data", $0)] } ?? []) + notice.facts
  }
}

extension Profile {
  /// Attributes of a printer that supports subscriptions (RFC 3995 §5.3.3, RFC 3996 §8).
  var subscriptionAttributes: [Attribute] {
    [
      Attribute("ippget-event-life", .integer(300)),
      Attribute("notify-events-default", .keyword("job-completed")),
      Attribute("notify-events-supported", keywords: Subscription.events),
      Attribute("notify-lease-duration-default", .integer(Subscription.usualLease)),
      Attribute("notify-lease-duration-supported", .range(0...Subscription.longestLease)),
      Attribute("notify-max-events-supported", .integer(Subscription.mostEvents)),
      Attribute("notify-pull-method-supported", .keyword("ippget")),
    ]
  }
}
