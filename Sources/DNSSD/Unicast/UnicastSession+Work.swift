import Synchronization

// The work that a thread of a browse does for one item.

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
    case .resolve(let name, let type, let domain, let isQuick):
      resolve(name, type, in: domain, isQuick: isQuick, resolver)
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
      if resolver.isIncomplete {
        let problem = "the DNS server's answer is incomplete, and printers are missing"
        tell(.failed(reason: "\(domain.text): \(problem)"))
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
        tell(.failed(reason: "\(domain.text): there is no such domain"))
      }
    case .failed(let reason): tell(.failed(reason: "\(domain.text): \(reason)"))
    }
  }

  /// Stores which services of the type asked for a domain has.
  private func take(_ targets: [DomainName], _ asked: String, _ domain: DomainName) {
    var present: Set<DomainName> = []
    let type = Service.baseType(asked)
    // Records have no order, and names that nobody answers for may be in a row.
    let targets = targets.shuffled()
    var isCut = false
    // In parts: the lock is taken once for each, and other threads get it in between.
    for part in stride(from: 0, to: targets.count, by: Self.part) {
      var services: [(name: DomainName, service: Service)] = []
      for target in targets[part..<min(part + Self.part, targets.count)] {
        guard let service = Service(target, type), scope.admits(service.instance),
          present.insert(target).inserted
        else { continue }
        services.append((target, service))
      }
      let wanted = state.withLock { state in
        defer { isCut = isCut || services.contains { state.sightings[$0.name] == nil } }
        return services.compactMap { see($0.name, $0.service, asked, in: domain, &state) }
      }
      resolve(wanted, type: type, in: domain)
    }
    if isCut {
      tell(.failed(reason: "\(domain.text): it has too many printers to list all"))
    }
    vanish(asked, domain, besides: present)
  }

  /// Reports a name that a domain lists, and returns it if it has to be looked up.
  ///
  /// Called with the lock held: the report comes before any other event about it.
  private func see(
    _ target: DomainName, _ service: Service, _ asked: String, in domain: DomainName,
    _ state: inout State
  ) -> DomainName? {
    guard let index = state.sightings.index(forKey: target) else {
      guard state.hasRoom(for: domain) else { return nil }
      let isInside = service.domain.lowercased() == domain.text.lowercased()
      state.sightings[target] = Sighting(asked: [asked], domain: isInside ? domain : nil)
      tell(.appeared(service, asked: asked))
      return target
    }
    // The name as it was written where it was found first.
    let name = state.sightings.keys[index]
    var sighting = state.sightings[index].value
    let isOutdated = sighting.isOutdated
    if isOutdated { sighting.isQueued = true }
    sighting.asked.insert(asked)
    state.sightings[name] = sighting
    if let known = Service(name, service.type) { tell(.appeared(known, asked: asked)) }
    return isOutdated ? name : nil
  }

  /// Removes names that the same question found in an earlier search and no longer finds.
  private func vanish(_ asked: String, _ domain: DomainName, besides present: Set<DomainName>) {
    let type = Service.baseType(asked)
    state.withLock { state in
      guard state.searches > 1 else { return }
      for (name, sighting) in state.sightings
      where sighting.domain == domain && sighting.asked.contains(asked) && !present.contains(name) {
        guard let service = Service(name, type) else { continue }
        tell(.vanished(service, asked: asked))
        var rest = sighting
        rest.asked.remove(asked)
        state.sightings[name] = rest.asked.isEmpty ? nil : rest
      }
    }
  }

  // MARK: One service

  private func resolve(
    _ name: DomainName, _ type: String, in domain: DomainName, isQuick: Bool,
    _ resolver: UnicastResolver
  ) {
    guard let service = Service(name, type) else { return }
    func give(up answer: UnicastResolver.Answer) {
      if isQuick, case .failed = answer {
        resolve([name], type: type, in: domain, isQuick: false)
      } else {
        state.withLock { state in
          state.sightings[name]?.isQueued = false
          state.sightings[name]?.expiry = .now
        }
        tell(.unresolved(service))
      }
    }
    let texts = resolver.ask(DNSType.text, of: name, isQuick: isQuick)
    // Without its TXT record a printer could be mistaken for another; a service that has none is complete.
    if case .failed = texts { return give(up: texts) }
    var entries: [TXTEntry] = []
    if case .records(let records) = texts {
      entries = records.lazy.compactMap(\.entries).first ?? []
    }
    guard scope.admitsText(entries) else { return give(up: .nothing) }
    let places = resolver.ask(DNSType.service, of: name, isQuick: isQuick)
    guard case .records(let records) = places, let place = ServiceTarget(records) else {
      return give(up: places)
    }
    let (addresses, answer) = self.addresses(of: place.host, isQuick: isQuick, resolver)
    guard !addresses.isEmpty else { return give(up: answer) }
    var timeToLive = records.map(\.timeToLive).min() ?? 0
    if case .records(let records) = texts {
      timeToLive = min(timeToLive, records.map(\.timeToLive).min() ?? 0)
    }
    let details = ServiceDetails(
      host: place.host.text, port: place.port, addresses: numericAddresses(addresses, zone: ""),
      txt: entries)
    let hash = details.hashValue
    state.withLock { state in
      guard var sighting = state.sightings[name] else { return }
      let former = sighting.told
      (sighting.isQueued, sighting.told) = (false, hash)
      sighting.expiry = .now + .seconds(Self.clamped(timeToLive))
      state.sightings[name] = sighting
      guard former != hash else { return }
      tell(former == nil ? .resolved(service, details) : .updated(service, details))
    }
  }

  /// Returns a host's addresses, which services may share.
  ///
  /// Link-local addresses are left out: DNS does not specify on which link they are.
  private func addresses(
    of host: DomainName, isQuick: Bool, _ resolver: UnicastResolver
  ) -> (Set<[UInt8]>, UnicastResolver.Answer) {
    let known = state.withLock { $0.hosts[host] }
    if let known, known.expiry > .now { return (known.addresses, .nothing) }
    var addresses: Set<[UInt8]> = []
    var timeToLive = Self.rest.upperBound
    var last = UnicastResolver.Answer.nothing
    for type in [DNSType.a, DNSType.aaaa] {
      let answer = resolver.ask(type, of: host, isQuick: isQuick)
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
    state.withLock {
      if $0.hosts.count >= Self.maximumHosts { $0.hosts = [:] }
      $0.hosts[host] = entry
    }
    return (addresses, last)
  }

  private static func clamped(_ timeToLive: UInt32) -> UInt32 {
    min(max(timeToLive, rest.lowerBound), rest.upperBound)
  }
}

extension UnicastSession.Sighting {
  /// True if it has to be queried again.
  fileprivate var isOutdated: Bool {
    guard let expiry, !isQueued else { return false }
    return expiry <= .now
  }
}

extension Service {
  /// Makes the service of unicast DNS with this name; nil if it is not of this type.
  fileprivate init?(_ name: DomainName, _ type: String) {
    self.init(
      name, asked: type, interface: NetworkInterface(index: -1, name: ""), transport: .unicast)
  }
}
