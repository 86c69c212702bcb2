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
  static let recommendationPatience: Int32 = 2_000
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
  struct Sighting {
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
    var sightings: [DomainName: Sighting] = [:]
    var hosts: [DomainName: HostEntry] = [:]
    /// The shortest time for which an answer is valid, in seconds.
    var timeToLive = UnicastSession.rest.upperBound

    /// Returns true if one more service of a domain is kept: those of domains that the user did not name leave room for
    /// those of domains that the user named.
    func hasRoom(for domain: DomainName) -> Bool {
      let isOwn = chosen.isEmpty || chosen.contains(domain)
      return sightings.count
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
      if wait(Self.recommendationPatience, until: stop) { return }
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
