/// One browse of links without Avahi: queries, answers, and the events that result.
///
/// Confined to its thread.
final class LinkSession {
  /// The limit of Avahi's browse.
  static let maximumServices = BrowseSession.maximumServices
  /// Pause between the first queries; each pause is twice the one before (RFC 6762 §5.2), up to a minute.
  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)
  /// Unanswered queries after which a service is gone, or an incomplete one is unresolved.
  static let timeout = 3
  /// Questions per message, so that the answers fit into a packet; `questionsAlone`: into the 512 octets of an answer
  /// to a one-shot query.
  static let questionsInMessage = 8
  static let questionsAlone = 2
  /// Services queried at one time, and the pause until the next ones: there may be thousands, and other hosts have to
  /// read the queries.
  static let mostAtOnce = 100
  static let pace = Duration.milliseconds(100)
  /// Largest number of known answers sent: strangers may have sent thousands, and other hosts have to read them.
  static let mostKnown = 500

  fileprivate struct FoundService {
    var name: DomainName
    /// The types for which it was found, each with its latest source.
    var asked: [String: Pointer]
    /// Queries since its last answer.
    var missed = 0
    /// Queries for its records.
    var tries = 0
    var told: ServiceDetails?
    var isGivenUp = false
  }

  /// A PTR record that was received.
  fileprivate struct Pointer {
    var timeToLive: UInt32
    var heard: ContinuousClock.Instant

    /// Remaining TTL, in seconds.
    var left: Int64 {
      Int64(timeToLive) - heard.duration(to: .now).components.seconds
    }
  }

  private let types: [String]
  private let tell: (ServiceEvent) -> Void
  private let sockets = LinkSockets()
  private var records: [Link: LinkRecords] = [:]
  private var services: [Service: FoundService] = [:]
  /// Services still to be queried.
  private var line: ArraySlice<Service> = []
  private var nextRetry = ContinuousClock.now + LinkSession.firstPause

  init(_ types: [String], tell: @escaping (ServiceEvent) -> Void) {
    self.types = types
    self.tell = tell
  }

  /// Sends queries and receives answers until the signal is raised.
  func run(until stop: StopSignal) {
    let start = ContinuousClock.now
    var pause = Self.firstPause
    var nextRound = start
    nextRetry = start + Self.firstPause
    var isAllForNow = false
    while !stop.isRaised {
      let now = ContinuousClock.now
      if nextRound <= now {
        askAll()
        nextRound = now + pause
        nextRetry = now + Self.firstPause
        pause = min(pause * 2, Self.longestPause)
      }
      if nextRetry <= now {
        askForMissing()
        nextRetry = now + (line.isEmpty ? Self.firstPause : Self.pace)
      }
      // Every host has had a second to answer, as with Avahi.
      if !isAllForNow, now >= start + .seconds(1) {
        isAllForNow = true
        tell(.allForNow)
      }
      let isWaiting = services.values.contains(where: \.isWanting)
      let end = isWaiting || !isAllForNow ? min(nextRound, nextRetry) : nextRound
      _ = sockets.listen(until: end, or: stop) { take($0, from: $1) }
    }
  }

  // MARK: Questions

  /// Checks for new links and queries all of them.
  private func askAll() {
    for place in sockets.refresh() { leave(place) }
    for service in services.keys where services[service]?.missed == 0 {
      services[service]?.missed = 1
    }
    let browsing = types.compactMap { DomainName($0 + ".local") }
    for socket in sockets.sockets {
      sockets.ask(
        browsing.map { [DNSQuestion($0, DNSType.pointer, wantsUnicast: true)] }, on: socket
      ) { known($0, on: socket.place) }
    }
  }

  /// Returns the known answers to send: those that are still valid for more than half of their TTL (RFC 6762 §7.1).
  private func known(_ question: DNSQuestion, on place: LinkInterface) -> [DNSRecord] {
    guard let asked = types.first(where: { DomainName($0 + ".local") == question.name }) else {
      return []
    }
    let known = services.lazy.compactMap { service, entry -> DNSRecord? in
      guard service.link == place.link, let pointer = entry.asked[asked],
        pointer.left > pointer.timeToLive / 2
      else { return nil }
      return DNSRecord(
        question.name, DNSType.pointer, timeToLive: UInt32(pointer.left),
        data: .pointer(entry.name))
    }
    return Array(known.prefix(Self.mostKnown))
  }

  /// Queries the missing records of services, and services that the last round did not report; gives up services that
  /// no further answer can complete.
  ///
  /// No service is queried twice before all have been, and have had time to answer.
  private func askForMissing() {
    if line.isEmpty { line = services.filter { $0.value.isWanting }.map(\.key)[...] }
    let turn = line.prefix(Self.mostAtOnce)
    line.removeFirst(turn.count)
    for socket in sockets.sockets {
      let here = turn.filter { $0.link == socket.place.link }
      // A host that is still there is queried alone: no other host needs the answer.
      var missed: [DNSQuestion] = []
      for service in here {
        guard let entry = services[service], entry.isMissed else { continue }
        guard entry.missed <= Self.timeout else {
          vanish(service)
          continue
        }
        services[service]?.missed += 1
        missed.append(DNSQuestion(entry.name, DNSType.service, wantsUnicast: true))
      }
      sockets.ask(Self.packets(missed, of: Self.questionsAlone), on: socket, isShared: false)
      var questions: Set<DNSQuestion> = []
      for service in here {
        guard let entry = services[service], entry.isIncomplete else { continue }
        guard entry.tries < Self.timeout else {
          services[service]?.isGivenUp = true
          // A service without a TXT record is still a service.
          if !review(service, needsText: false) {
            tell(.unresolved(service))
          }
          continue
        }
        services[service]?.tries += 1
        questions.formUnion(missing(of: entry.name, service))
      }
      sockets.ask(Self.packets(Array(questions), of: Self.questionsInMessage), on: socket)
    }
  }

  private static func packets(_ questions: [DNSQuestion], of most: Int) -> [[DNSQuestion]] {
    stride(from: 0, to: questions.count, by: most).map {
      Array(questions[$0..<min($0 + most, questions.count)])
    }
  }

  private func missing(of name: DomainName, _ service: Service) -> [DNSQuestion] {
    let known = records[service.link] ?? LinkRecords()
    var questions: [(DomainName, UInt16)] = []
    if known.entries(of: name) == nil { questions.append((name, DNSType.text)) }
    if let place = known.place(of: name) {
      if known.addresses(of: place.host).isEmpty {
        questions += [(place.host, DNSType.a), (place.host, DNSType.aaaa)]
      }
    } else {
      questions.append((name, DNSType.service))
    }
    return questions.map { DNSQuestion($0.0, $0.1, wantsUnicast: true) }
  }

  // MARK: Answers

  private func take(_ message: DNSMessage, from place: LinkInterface) {
    let link = place.link
    records[link, default: LinkRecords()].take(message)
    var isNew = false
    for record in message.answers + message.additionals where record.isInternet {
      if let target = record.pointer {
        for asked in types where DomainName(asked + ".local") == record.name {
          let service = Service(
            target, asked: asked, interface: link.interface, transport: link.transport)
          guard let service, service.domain.lowercased() == "local" else { continue }
          if record.timeToLive == 0 {
            vanish(service)
          } else {
            let pointer = Pointer(timeToLive: record.timeToLive, heard: .now)
            isNew = appear(service, target, asked, pointer) || isNew
          }
        }
      }
    }
    let names = Set((message.answers + message.additionals).map(\.name))
    for (service, entry) in services where service.link == place.link {
      if names.contains(entry.name) {
        services[service]?.missed = 0
        services[service]?.isGivenUp = false
      } else if records[link]?.place(of: entry.name).map({ names.contains($0.host) }) != true {
        continue
      }
      review(service, needsText: true)
    }
    // Not every responder adds the records that will be needed next (RFC 6763 §12 recommends it). Ask for them soon,
    // but not immediately: each unanswered query counts against the service.
    if isNew { nextRetry = min(nextRetry, .now + .milliseconds(250)) }
  }

  private func appear(
    _ service: Service, _ name: DomainName, _ asked: String, _ pointer: Pointer
  ) -> Bool {
    guard var entry = services[service] else {
      guard services.count < Self.maximumServices else { return false }
      services[service] = FoundService(name: name, asked: [asked: pointer])
      tell(.appeared(service, asked: asked))
      return true
    }
    entry.missed = 0
    if entry.asked[asked] == nil { tell(.appeared(service, asked: asked)) }
    // A unicast answer is valid for 10 s (RFC 6762 §6.7); the multicast one counts.
    if pointer.left >= entry.asked[asked]?.left ?? 0 { entry.asked[asked] = pointer }
    services[service] = entry
    return false
  }

  private func vanish(_ service: Service) {
    guard let entry = services.removeValue(forKey: service) else { return }
    records[service.link]?.forget(entry.name)
    for asked in entry.asked.keys.sorted() { tell(.vanished(service, asked: asked)) }
  }

  private func leave(_ place: LinkInterface) {
    for service in services.keys where service.link == place.link { vanish(service) }
    records[place.link] = nil
  }

  /// Reports the details known so far if they are complete and new; returns true if they are complete.
  @discardableResult
  private func review(_ service: Service, needsText: Bool) -> Bool {
    guard let entry = services[service], let known = records[service.link],
      let place = known.place(of: entry.name)
    else { return false }
    let entries = known.entries(of: entry.name)
    let addresses = known.addresses(of: place.host)
    guard !addresses.isEmpty, entries != nil || !needsText else { return false }
    let details = ServiceDetails(
      host: place.host.text, port: place.port,
      addresses: numericAddresses(addresses, zone: service.interface.name), txt: entries ?? [])
    guard details != entry.told else { return true }
    services[service]?.told = details
    tell(entry.told == nil ? .resolved(service, details) : .updated(service, details))
    return true
  }
}

extension LinkSession.FoundService {
  /// True while something that it needs is missing.
  fileprivate var isIncomplete: Bool { told == nil && !isGivenUp }
  /// True while its last query is unanswered.
  fileprivate var isMissed: Bool { !isIncomplete && missed > 0 }
  fileprivate var isWanting: Bool { isIncomplete || missed > 0 }
}
