import Glibc
import Synchronization
import System

/// One browse of unicast DNS: what is to be asked, on a few threads, and what was found.
final class UnicastSession: Sendable {
  /// Of all domains.
  ///
  /// A PTR answer ends at 64 KiB, so that one domain has some 2,000 at most.
  static let maximumServices = 16_384
  static let maximumDomains = 64
  /// Hosts whose addresses are kept for their next service.
  static let maximumHosts = 1_024
  /// Time the list waits for domains that nobody has asked for.
  static let recommendationPatience: Int32 = 2_000
  /// Between two looks for threads that are held up, in milliseconds.
  static let tick: Int32 = 250
  /// Between two looks at the same domains, in seconds.
  static let rest: ClosedRange<UInt32> = 60...3_600
  /// Labels under which a domain recommends others (RFC 6763 §11).
  static let recommendations = ["b", "lb", "db"]

  enum Item: Sendable {
    case recommendation(DomainName)
    case browse(asked: String, domain: DomainName)
    /// - `domain`: in which it was found.
    /// - `isQuick`: the first try, which waits a second for each answer.
    case resolve(DomainName, type: String, domain: DomainName, isQuick: Bool)
  }

  /// The source of a name and the wait for it, by which the work is shared out.
  struct Source: Hashable {
    /// Nil: the search list, for recommendations.
    var domain: DomainName?
    /// Names that it did not answer for within a second.
    var isSlow = false
  }

  /// The facts known about a name; thousands are kept.
  struct Sighting {
    /// Shared by all that were found in the same way.
    var asked: Set<String>
    /// The domain that it is in, if that is where it was found.
    var domain: DomainName?
    /// Hash of the details that were reported.
    var told: Int?
    /// The answer holds until then.
    var expiry: ContinuousClock.Instant?
    var isQueued = true
  }

  struct State {
    var domains: Set<DomainName> = []
    /// Those of them that a person has named.
    var chosen: Set<DomainName> = []
    /// One of each set, and of the text of each domain of this look.
    var sets: Set<Set<String>> = []
    var texts: Set<String> = []
    /// Questions for domains and services in them that are not answered yet.
    var open = 0
    var isAllForNow = false
    /// Of a domain: how many questions were answered with "no such name".
    var denials: [DomainName: Int] = [:]
    var sightings: [DomainName: Sighting] = [:]
    var hosts: [DomainName: HostEntry] = [:]
    /// The shortest time for which an answer holds, in seconds.
    var timeToLive = UnicastSession.rest.upperBound
  }

  struct HostEntry {
    var addresses: Set<[UInt8]>
    var expiry: ContinuousClock.Instant
  }

  let types: [String]
  let scope: UnicastScope
  let tell: @Sendable (ServiceEvent) -> Void
  let state = Mutex(State())
  /// Each thread asks one question at a time: 10,000 printers are 40,000 questions.
  private let queue = WorkQueue<Source, Item>()

  init(
    _ types: [String], _ scope: UnicastScope, tell: @escaping @Sendable (ServiceEvent) -> Void
  ) {
    self.types = types
    self.scope = scope
    self.tell = tell
  }

  /// Looks at all domains, again and again, until the signal is raised.
  ///
  /// A worker that waits for a server then ends behind its answer.
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
      // Nobody has asked for these: a network without an answer must not hold up the list.
      if domains.isEmpty, state.withLock({ $0.domains.isEmpty }) { allForNow() }
      let rest = state.withLock { max($0.timeToLive, Self.rest.lowerBound) }
      if wait(Int32(rest) * 1_000, until: stop) { return }
    }
  }

  /// Waits until the signal is raised or the time is over, and starts threads for those that are held up; returns which
  /// of the two happened.
  private func wait(_ milliseconds: Int32, until stop: StopSignal) -> Bool {
    var left = milliseconds
    while left > Self.tick, !queue.isIdle {
      if stop.wait(milliseconds: Self.tick) { return true }
      left -= Self.tick
      startThreads(queue.relieve())
    }
    return stop.wait(milliseconds: left)
  }

  /// Strangers' domains, and names without an answer, may hold no more than half of the threads.
  private func add(_ item: Item, for source: Source) {
    let isOwn = source.domain.map { domain in state.withLock { $0.chosen.contains(domain) } }
    if queue.add(item, for: source, isSubordinate: isOwn != true || source.isSlow) {
      startThreads(1)
    }
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
    // One more than there is, so that nothing is complete before everything is begun.
    state.withLock {
      $0.open += 1
      $0.domains = []
      $0.chosen = Set(domains)
      $0.texts = []
      $0.hosts = $0.hosts.filter { $0.value.expiry > .now }
    }
    for domain in domains { browse(domain) }
    for domain in searched {
      for label in Self.recommendations {
        guard let name = DomainName("\(label)._dns-sd._udp")?.below(domain) else { continue }
        state.withLock { $0.open += 1 }
        add(.recommendation(name), for: Source())
      }
    }
    close()
  }

  /// Asks a domain for everything that is looked for, once in each look.
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
    for type in types {
      add(.browse(asked: type, domain: domain), for: Source(domain: domain))
    }
  }

  /// Has a name looked up.
  ///
  /// - `domain`: in which it was found.
  /// - `isQuick`: for a second, at first; else with all patience.
  func resolve(_ name: DomainName, type: String, in domain: DomainName, isQuick: Bool = true) {
    add(
      .resolve(name, type: type, domain: domain, isQuick: isQuick),
      for: Source(domain: domain, isSlow: !isQuick))
  }

  /// One of the open questions is answered.
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
  /// Sleeps on this thread until the signal is raised or the time is over; returns which of the two happened.
  func wait(milliseconds: Int32) -> Bool {
    _ = waitForInput(on: [descriptor], milliseconds: milliseconds)
    return isRaised
  }
}
