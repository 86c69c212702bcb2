import Glibc
import Synchronization
import System

/// One browse of unicast DNS: the pending questions, which a few threads work on, and the services found.
final class UnicastSession: Sendable {
  /// Most services in all domains.
  ///
  /// A PTR answer is limited to 64 KiB, so one domain has some 2,000 at most.
  static let maximumServices = 32_768
  static let maximumDomains = 64
  /// Most hosts whose addresses are kept for their next service.
  static let maximumHosts = 1_024
  /// Time to wait for domains that nobody asked for, in milliseconds.
  static let recommendationTimeout: Int32 = 2_000
  /// Interval between two checks for threads that are held up, in milliseconds.
  static let tick: Int32 = 250
  /// Interval between two searches of the same domains, in seconds.
  static let rest: ClosedRange<UInt32> = 60...3_600
  /// Number of names that are handled together.
  static let part = 100
  /// Labels under which a domain recommends others (RFC 6763 §11).
  static let recommendations = ["b", "lb", "db"]

  enum Item: Sendable {
    case recommendation(DomainName)
    case browse(asked: String, domain: DomainName)
    /// - `domain`: where it was found.
    /// - `isQuick`: the first attempt, which waits a second for each answer.
    case resolve(DomainName, type: String, domain: DomainName, isQuick: Bool)
  }

  /// The source of a name and its speed, by which work is distributed.
  struct Source: Hashable {
    /// Nil: the search list, for recommendations.
    var domain: DomainName?
    /// True for names without an answer within a second.
    var isSlow = false
  }

  /// The facts known about a name, kept small because there are thousands.
  struct FoundService {
    /// Shared by all services that were found in the same way.
    var asked: Set<String>
    /// The domain that it is in, if it was found there.
    var domain: DomainName?
    /// Hash of the details that were reported.
    var told: Int?
    /// Time until which the answer is valid.
    var expiry: ContinuousClock.Instant?
    var isQueued = true
  }

  struct State {
    var domains: Set<DomainName> = []
    /// Those of them that the user named.
    var chosen: Set<DomainName> = []
    /// Number of searches so far.
    var searches = 0
    /// Unanswered questions for domains and the services in them.
    var open = 0
    var isAllForNow = false
    /// Number of questions answered with "no such name", by domain.
    var denials: [DomainName: Int] = [:]
    var services: [DomainName: FoundService] = [:]
    var hosts: [DomainName: HostEntry] = [:]
    /// The shortest time for which an answer is valid, in seconds.
    var timeToLive = UnicastSession.rest.upperBound

    /// Returns true if one more service of a domain is kept: those of domains that the user did not name leave room for
    /// those of domains that the user named.
    func hasRoom(for domain: DomainName) -> Bool {
      let isOwn = chosen.isEmpty || chosen.contains(domain)
      return services.count
        < (isOwn ? UnicastSession.maximumServices : UnicastSession.maximumServices / 2)
    }
  }

  struct HostEntry {
    var addresses: Set<[UInt8]>
    var expiry: ContinuousClock.Instant
  }

  let types: [String]
  let scope: UnicastScope
  let tell: @Sendable (ServiceEvent) -> Void
  let state = Mutex(State())
  /// The questions; a thread asks one at a time: 10,000 printers are 40,000 questions.
  private let queue = WorkQueue<Source, Item>()

  init(
    _ types: [String], _ scope: UnicastScope, tell: @escaping @Sendable (ServiceEvent) -> Void
  ) {
    self.types = types
    self.scope = scope
    self.tell = tell
  }

  /// Searches all domains repeatedly until the signal is raised.
  ///
  /// A thread that is still waiting for a server then ends after its answer.
  func run(_ domains: [DomainName], until stop: StopSignal) {
    defer { queue.close() }
    let searched = scope.includesRecommended ? UnicastResolver()?.searchDomains ?? [] : []
    guard !domains.isEmpty || !searched.isEmpty else { return allForNow() }
    while !stop.isRaised {
      state.withLock {
        $0.timeToLive = Self.rest.upperBound
        $0.denials = [:]
      }
      lookAt(domains, searched)
      if wait(Self.recommendationTimeout, until: stop) { return }
      // Nobody asked for these domains: a network that does not answer must not delay the list.
      if domains.isEmpty, state.withLock({ $0.domains.isEmpty }) { allForNow() }
      let rest = state.withLock { max($0.timeToLive, Self.rest.lowerBound) }
      if wait(Int32(rest) * 1_000, until: stop) { return }
    }
  }

  /// Waits until the signal is raised or the time is over, and starts threads to replace those that are held up;
  /// returns true if the signal was raised.
  private func wait(_ milliseconds: Int32, until stop: StopSignal) -> Bool {
    var left = milliseconds
    while left > Self.tick, !queue.isIdle {
      if stop.wait(milliseconds: Self.tick) { return true }
      left -= Self.tick
      startThreads(queue.relieve())
    }
    return stop.wait(milliseconds: left)
  }

  /// Adds items; strangers' domains and names without an answer may occupy at most half of the threads.
  private func add(_ items: [Item], for source: Source) {
    let isOwn = source.domain.map { domain in state.withLock { $0.chosen.contains(domain) } }
    startThreads(queue.add(items, for: source, isSubordinate: isOwn != true || source.isSlow))
  }

  private func startThreads(_ count: Int) {
    for _ in 0..<count {
      detachThread { [self] in
        let resolver = UnicastResolver()
        var thread: Int?
        while let (number, item) = queue.take(thread) {
          thread = number
          if let resolver { work(on: item, resolver) }
        }
      }
    }
  }

  private func lookAt(_ domains: [DomainName], _ searched: [DomainName]) {
    // One more than there are, so that the search is not complete before all questions are queued.
    state.withLock {
      $0.open += 1
      $0.searches += 1
      $0.domains = []
      $0.chosen = Set(domains)
      $0.hosts = $0.hosts.filter { $0.value.expiry > .now }
    }
    for domain in domains { browse(domain) }
    for domain in searched {
      for label in Self.recommendations {
        guard let name = DomainName("\(label)._dns-sd._udp")?.below(domain) else { continue }
        state.withLock { $0.open += 1 }
        add([.recommendation(name)], for: Source())
      }
    }
    close()
  }

  /// Queries a domain for all types, once in each search.
  ///
  /// `local` is not for unicast DNS (RFC 6762 §3).
  func browse(_ domain: DomainName) {
    let isNew = state.withLock { state in
      guard domain != DomainName("local"), state.domains.count < Self.maximumDomains,
        state.domains.insert(domain).inserted
      else { return false }
      state.open += types.count
      return true
    }
    guard isNew else { return }
    add(types.map { .browse(asked: $0, domain: domain) }, for: Source(domain: domain))
  }

  /// Queues the lookups of names.
  ///
  /// - `domain`: where they were found.
  /// - `isQuick`: waits only a second for each answer at first; else as long as it takes.
  func resolve(_ names: [DomainName], type: String, in domain: DomainName, isQuick: Bool = true) {
    add(
      names.map { .resolve($0, type: type, domain: domain, isQuick: isQuick) },
      for: Source(domain: domain, isSlow: !isQuick))
  }

  /// Marks one of the open questions as answered.
  func close() {
    let isLast = state.withLock { state in
      state.open -= 1
      return state.open == 0
    }
    if isLast { allForNow() }
  }

  private func allForNow() {
    let isNews = state.withLock { state in
      defer { state.isAllForNow = true }
      return !state.isAllForNow
    }
    if isNews { tell(.allForNow) }
  }
}

extension StopSignal {
  /// Sleeps on this thread until the signal is raised or the time is over; returns true if the signal was raised.
  func wait(milliseconds: Int32) -> Bool {
    _ = waitForInput(on: [descriptor], milliseconds: milliseconds)
    return isRaised
  }
}

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
        defer { isCut = isCut || services.contains { state.services[$0.name] == nil } }
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
    guard let index = state.services.index(forKey: target) else {
      guard state.hasRoom(for: domain) else { return nil }
      let isInside = service.domain.lowercased() == domain.text.lowercased()
      state.services[target] = FoundService(asked: [asked], domain: isInside ? domain : nil)
      tell(.appeared(service, asked: asked))
      return target
    }
    // The name as it was written where it was found first.
    let name = state.services.keys[index]
    var entry = state.services[index].value
    let isOutdated = entry.isOutdated
    if isOutdated { entry.isQueued = true }
    entry.asked.insert(asked)
    state.services[name] = entry
    if let known = Service(name, service.type) { tell(.appeared(known, asked: asked)) }
    return isOutdated ? name : nil
  }

  /// Removes names that the same question found in an earlier search and no longer finds.
  private func vanish(_ asked: String, _ domain: DomainName, besides present: Set<DomainName>) {
    let type = Service.baseType(asked)
    state.withLock { state in
      guard state.searches > 1 else { return }
      for (name, entry) in state.services
      where entry.domain == domain && entry.asked.contains(asked) && !present.contains(name) {
        guard let service = Service(name, type) else { continue }
        tell(.vanished(service, asked: asked))
        var rest = entry
        rest.asked.remove(asked)
        state.services[name] = rest.asked.isEmpty ? nil : rest
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
          state.services[name]?.isQueued = false
          state.services[name]?.expiry = .now
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
      guard var entry = state.services[name] else { return }
      let former = entry.told
      (entry.isQueued, entry.told) = (false, hash)
      entry.expiry = .now + .seconds(Self.clamped(timeToLive))
      state.services[name] = entry
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

extension UnicastSession.FoundService {
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
