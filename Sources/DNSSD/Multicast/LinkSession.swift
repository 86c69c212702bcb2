/// One browse of links without Avahi: questions, answers, and what follows from them.
///
/// Confined to its thread.
final class LinkSession {
  /// As many as Avahi's browse takes.
  static let maximumSightings = BrowseSession.maximumSightings
  /// Between the first questions; each pause is twice the one before (RFC 6762 §5.2), up to a minute.
  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)
  /// Questions to which nobody answered before a service is gone, and before one that lacks something is
  /// unresolved.
  static let patience = 3
  /// Records that fit into a packet, and into the 512 octets of an answer to one who asks alone.
  static let questionsInMessage = 8
  static let questionsAlone = 2
  /// Services that are asked for at one time, and the pause until the next: there may be thousands, and others have to
  /// read the questions.
  static let mostAtOnce = 100
  static let pace = Duration.milliseconds(100)
  /// Known answers that are sent: strangers may have given thousands, and others have to read them.
  static let mostKnown = 500

  fileprivate struct Sighting {
    var name: DomainName
    /// The types that it was found for, each with its last source.
    var asked: [String: Pointer]
    /// Questions since its last answer.
    var missed = 0
    /// Questions for its records.
    var tries = 0
    var told: ServiceDetails?
    var isGivenUp = false
  }

  /// A PTR record that was received.
  fileprivate struct Pointer {
    var timeToLive: UInt32
    var heard: ContinuousClock.Instant

    /// In seconds, now.
    var left: Int64 {
      Int64(timeToLive) - heard.duration(to: .now).components.seconds
    }
  }

  private let types: [String]
  private let tell: (ServiceEvent) -> Void
  private let sockets = LinkSockets()
  private var records: [Link: LinkRecords] = [:]
  private var sightings: [Service: Sighting] = [:]
  /// Services that are yet to be asked for.
  private var line: ArraySlice<Service> = []
  private var nextRetry = ContinuousClock.now + LinkSession.firstPause

  fileprivate struct Link: Hashable {
    var interface: NetworkInterface
    var transport: Service.Transport
  }

  init(_ types: [String], tell: @escaping (ServiceEvent) -> Void) {
    self.types = types
    self.tell = tell
  }

  /// Asks and listens until the signal is raised.
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
      // Everybody has had a second to answer, as Avahi gives them.
      if !isAllForNow, now >= start + .seconds(1) {
        isAllForNow = true
        tell(.allForNow)
      }
      let isWaiting = sightings.values.contains(where: \.isWanting)
      let end = isWaiting || !isAllForNow ? min(nextRound, nextRetry) : nextRound
      _ = sockets.listen(until: end, or: stop) { take($0, from: $1) }
    }
  }

  // MARK: Questions

  /// Looks at the links anew, and asks for everything.
  private func askAll() {
    for place in sockets.refresh() { leave(place) }
    for service in sightings.keys where sightings[service]?.missed == 0 {
      sightings[service]?.missed = 1
    }
    let browsing = types.compactMap { DomainName($0 + ".local") }
    for socket in sockets.sockets {
      sockets.ask(
        browsing.map { [DNSQuestion($0, DNSType.pointer, wantsUnicast: true)] }, on: socket
      ) { known($0, on: socket.place) }
    }
  }

  /// Answers that were received, and are valid for more than half of their time (RFC 6762 §7.1).
  private func known(_ question: DNSQuestion, on place: LinkInterface) -> [DNSRecord] {
    guard let asked = types.first(where: { DomainName($0 + ".local") == question.name }) else {
      return []
    }
    let known = sightings.lazy.compactMap { service, sighting -> DNSRecord? in
      guard service.isOn(place), let pointer = sighting.asked[asked],
        pointer.left > pointer.timeToLive / 2
      else { return nil }
      return DNSRecord(
        question.name, DNSType.pointer, timeToLive: UInt32(pointer.left),
        data: .pointer(sighting.name))
    }
    return Array(known.prefix(Self.mostKnown))
  }

  /// Asks for what services lack, and for those that the last round did not hear of; gives up those that
  /// can be completed by no further answer.
  ///
  /// Nobody is asked for twice before all were, and had the time to answer.
  private func askForMissing() {
    if line.isEmpty { line = sightings.filter { $0.value.isWanting }.map(\.key)[...] }
    let turn = line.prefix(Self.mostAtOnce)
    line.removeFirst(turn.count)
    for socket in sockets.sockets {
      let here = turn.filter { $0.isOn(socket.place) }
      // A host that is still there is asked directly: no other needs to hear it.
      var missed: [DNSQuestion] = []
      for service in here {
        guard let sighting = sightings[service], sighting.isMissed else { continue }
        guard sighting.missed <= Self.patience else {
          vanish(service)
          continue
        }
        sightings[service]?.missed += 1
        missed.append(DNSQuestion(sighting.name, DNSType.service, wantsUnicast: true))
      }
      sockets.ask(Self.packets(missed, of: Self.questionsAlone), on: socket, isShared: false)
      var questions: Set<DNSQuestion> = []
      for service in here {
        guard let sighting = sightings[service], sighting.isIncomplete else { continue }
        guard sighting.tries < Self.patience else {
          sightings[service]?.isGivenUp = true
          // A service without a TXT record is one all the same.
          if !review(service, needsText: false) {
            tell(.unresolved(service, reason: "its host does not answer with an address"))
          }
          continue
        }
        sightings[service]?.tries += 1
        questions.formUnion(missing(of: sighting.name, service))
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
    let known = records[Link(service)] ?? LinkRecords()
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
    let link = Link(interface: place.interface, transport: place.transport)
    records[link, default: LinkRecords()].take(message)
    var isNew = false
    for record in message.answers + message.additionals where record.isInternet {
      if let target = record.pointer {
        for asked in types where DomainName(asked + ".local") == record.name {
          let service = Service(
            target, asked: asked, interface: place.interface, transport: place.transport)
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
    for (service, sighting) in sightings where service.isOn(place) {
      if names.contains(sighting.name) {
        sightings[service]?.missed = 0
        sightings[service]?.isGivenUp = false
      } else if records[link]?.place(of: sighting.name).map({ names.contains($0.host) }) != true {
        continue
      }
      review(service, needsText: true)
    }
    // Not everybody sends along what will be asked next (RFC 6763 §12 recommends it). Soon, and not at once: each
    // question that stays without an answer counts against whoever was to give it.
    if isNew { nextRetry = min(nextRetry, .now + .milliseconds(250)) }
  }

  private func appear(
    _ service: Service, _ name: DomainName, _ asked: String, _ pointer: Pointer
  ) -> Bool {
    guard var sighting = sightings[service] else {
      guard sightings.count < Self.maximumSightings else { return false }
      sightings[service] = Sighting(name: name, asked: [asked: pointer])
      tell(.appeared(service, asked: asked))
      return true
    }
    sighting.missed = 0
    if sighting.asked[asked] == nil { tell(.appeared(service, asked: asked)) }
    // A unicast answer holds for 10 s (RFC 6762 §6.7); the multicast one counts.
    if pointer.left >= sighting.asked[asked]?.left ?? 0 { sighting.asked[asked] = pointer }
    sightings[service] = sighting
    return false
  }

  private func vanish(_ service: Service) {
    guard let sighting = sightings.removeValue(forKey: service) else { return }
    records[Link(service)]?.forget(sighting.name)
    for asked in sighting.asked.keys.sorted() { tell(.vanished(service, asked: asked)) }
  }

  private func leave(_ place: LinkInterface) {
    for service in sightings.keys where service.isOn(place) { vanish(service) }
    records[Link(interface: place.interface, transport: place.transport)] = nil
  }

  /// Reports what is known now, if it is enough and new; returns true if it is enough.
  @discardableResult
  private func review(_ service: Service, needsText: Bool) -> Bool {
    guard let sighting = sightings[service], let known = records[Link(service)],
      let place = known.place(of: sighting.name)
    else { return false }
    let entries = known.entries(of: sighting.name)
    let addresses = known.addresses(of: place.host)
    guard !addresses.isEmpty, entries != nil || !needsText else { return false }
    let details = ServiceDetails(
      host: place.host.text, port: place.port,
      addresses: numericAddresses(addresses, zone: service.interface.name), txt: entries ?? [])
    guard details != sighting.told else { return true }
    sightings[service]?.told = details
    tell(sighting.told == nil ? .resolved(service, details) : .updated(service, details))
    return true
  }

}

extension LinkSession.Link {
  fileprivate init(_ service: Service) {
    self.init(interface: service.interface, transport: service.transport)
  }
}

extension LinkSession.Sighting {
  /// Something that it needs is still missing.
  fileprivate var isIncomplete: Bool { told == nil && !isGivenUp }
  /// There is no answer.
  fileprivate var isMissed: Bool { !isIncomplete && missed > 0 }
  fileprivate var isWanting: Bool { isIncomplete || missed > 0 }
}

extension Service {
  fileprivate func isOn(_ place: LinkInterface) -> Bool {
    interface == place.interface && transport == place.transport
  }
}
