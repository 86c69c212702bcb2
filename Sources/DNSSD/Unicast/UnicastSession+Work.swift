import Synchronization

// Work of a thread of a browse with one item.

extension UnicastSession {
  func work(on item: Item, _ resolver: UnicastResolver) {
    switch item {
    case .recommendation(let name):
      if case .records(let records) = resolver.ask(DNSType.pointer, of: name) {
        for domain in records.compactMap(\.pointer) where !domain.labels.isEmpty { browse(domain) }
      }
      close()
    case .browse(let asked, let domain):
      look(for: asked, in: domain, resolver)
      close()
    case .resolve(let service, let name): resolve(service, name, resolver)
    }
  }

  private func look(for asked: String, in domain: DomainName, _ resolver: UnicastResolver) {
    guard let name = DomainName(asked)?.below(domain) else { return }
    switch resolver.ask(DNSType.pointer, of: name) {
    case .records(let records):
      state.withLock { state in
        state.timeToLive = records.reduce(state.timeToLive) { min($0, $1.timeToLive) }
      }
      take(records.compactMap(\.pointer), asked, domain)
      if resolver.isCutShort {
        tell(
          .failed(
            asked: asked,
            reason: "\(domain.text): the DNS server's answer is cut short, and printers are missing"
          ))
      }
    case .nothing: take([], asked, domain)
    case .noSuchName:
      take([], asked, domain)
      let denials = state.withLock { state in
        state.denials[domain, default: 0] += 1
        return state.denials[domain]
      }
      guard denials == types.count else { break }
      if resolver.ask(DNSType.authority, of: domain) == .noSuchName {
        tell(.failed(asked: asked, reason: "\(domain.text): there is no such domain"))
      }
    case .failed(let reason): tell(.failed(asked: asked, reason: "\(domain.text): \(reason)"))
    }
  }

  /// Takes in which services a domain has of what was asked for.
  private func take(_ targets: [DomainName], _ asked: String, _ domain: DomainName) {
    var present: Set<Service> = []
    for target in targets {
      guard
        let service = Service(
          target, asked: asked, interface: NetworkInterface(index: -1, name: ""),
          transport: .unicast), present.insert(service).inserted, scope.admits(service.instance)
      else { continue }
      let isWanted = state.withLock { state in
        guard state.sightings[service] != nil || state.sightings.count < Self.maximumServices
        else { return false }
        let isKnown = state.sightings[service] != nil
        let isOutdated = state.sightings[service]?.isOutdated == true
        state.sightings[service, default: Sighting(asked: [])].asked.insert(asked)
        if isOutdated { state.sightings[service]?.isQueued = true }
        // Told here, so that nobody tells more of it before.
        tell(.appeared(service, asked: asked))
        return !isKnown || isOutdated
      }
      if isWanted { resolve(service, target, in: domain) }
    }
    vanish(asked, domain, besides: present)
  }

  /// Names found before for the same question, and is not any more.
  private func vanish(_ asked: String, _ domain: DomainName, besides present: Set<Service>) {
    state.withLock { state in
      for (service, sighting) in state.sightings
      where sighting.asked.contains(asked) && !present.contains(service)
        && service.domain.lowercased() == domain.text.lowercased()
      {
        state.sightings[service]?.asked.remove(asked)
        tell(.vanished(service, asked: asked))
        if sighting.asked == [asked] { state.sightings[service] = nil }
      }
    }
  }

  // MARK: One service

  private func resolve(_ service: Service, _ name: DomainName, _ resolver: UnicastResolver) {
    let texts = resolver.ask(DNSType.text, of: name)
    // Without it a printer would look like another; one that has no record at all is one.
    if case .failed = texts { return give(up: service, because: texts) }
    var entries: [TXTEntry] = []
    if case .records(let records) = texts {
      entries = records.lazy.compactMap(\.entries).first ?? []
    }
    guard scope.admitsText(entries) else { return give(up: service, because: .nothing) }
    let places = resolver.ask(DNSType.service, of: name)
    guard case .records(let records) = places, let place = ServiceTarget(records) else {
      return give(up: service, because: places)
    }
    let (addresses, answer) = self.addresses(of: place.host, resolver)
    guard !addresses.isEmpty else { return give(up: service, because: answer) }
    var timeToLive = records.map(\.timeToLive).min() ?? 0
    if case .records(let records) = texts {
      timeToLive = min(timeToLive, records.map(\.timeToLive).min() ?? 0)
    }
    let details = ServiceDetails(
      host: place.host.text, port: place.port, addresses: numericAddresses(addresses, zone: ""),
      txt: entries)
    state.withLock { state in
      guard let sighting = state.sightings[service] else { return }
      state.sightings[service]?.isQueued = false
      state.sightings[service]?.expiry = .now + .seconds(Self.clamped(timeToLive))
      guard sighting.told != details else { return }
      state.sightings[service]?.told = details
      tell(sighting.told == nil ? .resolved(service, details) : .updated(service, details))
    }
  }

  private func give(up service: Service, because answer: UnicastResolver.Answer) {
    let reason = if case .failed(let reason) = answer { reason } else { "it has no address" }
    state.withLock { state in
      state.sightings[service]?.isQueued = false
      state.sightings[service]?.expiry = .now
    }
    tell(.unresolved(service, reason: reason))
  }

  /// The addresses of a host, which services may share.
  ///
  /// None that reaches only one link: on which, DNS can't say.
  private func addresses(
    of host: DomainName, _ resolver: UnicastResolver
  ) -> (Set<[UInt8]>, UnicastResolver.Answer) {
    let known = state.withLock { $0.hosts[host] }
    if let known, known.expiry > .now { return (known.addresses, .nothing) }
    var addresses: Set<[UInt8]> = []
    var timeToLive = Self.rest.upperBound
    var last = UnicastResolver.Answer.nothing
    for type in [DNSType.a, DNSType.aaaa] {
      let answer = resolver.ask(type, of: host)
      if case .records(let records) = answer {
        for record in records where addresses.count < HostAddresses.maximum {
          guard let address = record.address, !NetworkAddress(octets: address).isLinkLocal else {
            continue
          }
          addresses.insert(address)
          timeToLive = min(timeToLive, record.timeToLive)
        }
      } else {
        last = answer
      }
    }
    guard !addresses.isEmpty else { return ([], last) }
    let entry = HostEntry(
      addresses: addresses, expiry: .now + .seconds(Self.clamped(timeToLive)))
    state.withLock { $0.hosts[host] = entry }
    return (addresses, last)
  }

  private static func clamped(_ timeToLive: UInt32) -> UInt32 {
    min(max(timeToLive, rest.lowerBound), rest.upperBound)
  }
}

extension UnicastSession.Sighting {
  /// It is to be asked for again.
  fileprivate var isOutdated: Bool {
    guard let expiry, !isQueued else { return false }
    return expiry <= .now
  }
}
