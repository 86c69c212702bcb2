package import DNSSD
import PrintModel

/// The printers described by the events so far.
///
/// It has no side effects: the same services in another order result in the same printers.
package struct ServiceRegistry {
  private var sightings: [Service: ServiceEntry] = [:]
  private var groups = ServiceGroups()
  private var printers: [Int: Boxed<DiscoveredPrinter>] = [:]
  private var lastPrinter = 0
  private var isAllForNow = false
  /// Number of services that the resolver has neither resolved nor given up.
  private var pending = 0
  /// The shared instances of each set of types.
  private var sets: Set<Set<String>> = []

  /// The facts kept about a service, small because there may be thousands.
  private struct ServiceEntry {
    /// The types for which it was found.
    var asked: Set<String> = []
    var advertisement: Boxed<Advertisement>?
    /// Number of the printer to which it belongs.
    var printer: Int?
    /// True until the resolver answers.
    var isPending = true
    /// True if it was found before Avahi went away, and not since.
    var isStale = false
  }

  /// A value in a box of its own: a dictionary allocates up to three times the room that its values need.
  private indirect enum Boxed<Value> {
    case value(Value)

    init(_ value: Value) { self = .value(value) }

    var value: Value {
      switch self {
      case .value(let value): value
      }
    }
  }

  package init() {}

  /// True if nothing more is expected for now.
  var isComplete: Bool { isAllForNow && pending == 0 }

  /// Number of unicast DNS names found whose printers are not resolved yet.
  var unresolvedNames: Int {
    Set(
      sightings.lazy.filter { $0.value.isPending && $0.key.transport == .unicast }
        .map(\.key.instance)
    ).count
  }

  /// Applies an event, and returns the resulting changes.
  package mutating func absorb(_ event: ServiceEvent) -> [DiscoveryEvent] {
    switch event {
    case .appeared(let service, let asked):
      if sightings[service] == nil { pending += 1 }
      var sighting = sightings[service] ?? ServiceEntry()
      sighting.asked =
        sets.insert(sighting.isStale ? [asked] : sighting.asked.union([asked])).memberAfterInsert
      sighting.isStale = false
      return replace(service, with: sighting, sighting.advertisement?.value)
    case .resolved(let service, let details), .updated(let service, let details):
      settle(service)
      guard let sighting = sightings[service] else { return [] }
      return replace(
        service, with: sighting, Advertisement(service, details, isUniversal: false))
    case .unresolved(let service, _):
      settle(service)
      return []
    case .vanished(let service, let asked):
      guard var sighting = sightings[service] else { return [] }
      sighting.asked.remove(asked)
      return sighting.asked.isEmpty
        ? remove(service) : replace(service, with: sighting, sighting.advertisement?.value)
    case .allForNow:
      isAllForNow = true
      let stale = sightings.filter(\.value.isStale).keys
      return stale.sorted { $0.sortKey < $1.sortKey }.flatMap { remove($0) }
    case .daemonLost:
      isAllForNow = false
      // Answers of unicast DNS do not come from Avahi.
      for service in sightings.keys where service.transport != .unicast {
        sightings[service]?.isStale = true
      }
      return []
    case .daemonBack, .failed:
      return []
    }
  }

  /// Marks a service that the resolver has resolved or given up.
  private mutating func settle(_ service: Service) {
    guard sightings[service]?.isPending == true else { return }
    sightings[service]?.isPending = false
    pending -= 1
  }

  private mutating func remove(_ service: Service) -> [DiscoveryEvent] {
    settle(service)
    return replace(service, with: nil, nil)
  }

  /// Replaces a service's entry and updates its printers.
  ///
  /// - `advertisement`: that of the sighting, which may have been found for further types since.
  private mutating func replace(
    _ service: Service, with sighting: ServiceEntry?, _ advertisement: Advertisement?
  ) -> [DiscoveryEvent] {
    let former = sightings[service]
    let before = former?.advertisement?.value
    var after = advertisement
    after?.isUniversal = sighting?.asked.contains { $0.hasPrefix("_universal.") } ?? false
    sightings[service] = sighting
    guard before != after else { return [] }
    sightings[service]?.advertisement = after.map { Boxed($0) }
    if let before { groups.remove(before) }
    if let after { groups.insert(after) }
    let uuids = [before, after].compactMap(\.?.facts.uuid)
    return regroup(
      groups.family(names: [service.instance], uuids: Set(uuids)).union([service]),
      besides: former?.printer)
  }

  /// Rebuilds the printers of these services.
  ///
  /// - `printer`: number of another one that has lost a service.
  private mutating func regroup(
    _ services: Set<Service>, besides printer: Int?
  ) -> [DiscoveryEvent] {
    var numbers: [Service: Int] = [:]
    for service in services {
      numbers[service] = sightings[service]?.printer
      sightings[service]?.printer = nil
    }
    var old = Set(numbers.values).union([printer].compactMap(\.self)).sorted()
    var news: [DiscoveryEvent] = []
    let advertisements = services.compactMap { sightings[$0]?.advertisement?.value }
    for group in PrinterGroup.groups(of: advertisements) {
      let members = group.members.map(\.service)
      let known = old.first { number in members.contains { numbers[$0] == number } }
      old.removeAll { $0 == known }
      let number = known ?? lastPrinter + 1
      lastPrinter = max(lastPrinter, number)
      let now = group.printer
      if let printer = printers[number]?.value {
        if printer != now { news.append(.changed(now, from: printer)) }
      } else {
        news.append(.appeared(now))
      }
      printers[number] = Boxed(now)
      for service in members { sightings[service]?.printer = number }
    }
    let gone = old.compactMap { printers.removeValue(forKey: $0)?.value }
    return gone.map(DiscoveryEvent.vanished) + news
  }
}

/// Groups of services that may be one printer: those that share an instance name or a UUID, directly or through others.
private struct ServiceGroups {
  private var byName: [String: Set<Service>] = [:]
  private var byUUID: [String: Set<Service>] = [:]
  private var uuids: [Service: String] = [:]

  /// Largest number of services of one printer.
  ///
  /// If more share a name or UUID, that proves nothing: a school's cheap printers of one model, or an attacker who
  /// tries to make every search take hours.
  private static let most = 64

  mutating func insert(_ advertisement: Advertisement) {
    let service = advertisement.service
    byName[service.instance, default: []].insert(service)
    guard let uuid = advertisement.facts.uuid else { return }
    byUUID[uuid, default: []].insert(service)
    uuids[service] = uuid
  }

  mutating func remove(_ advertisement: Advertisement) {
    let service = advertisement.service
    byName[service.instance]?.remove(service)
    if byName[service.instance]?.isEmpty == true { byName[service.instance] = nil }
    guard let uuid = uuids.removeValue(forKey: service) else { return }
    byUUID[uuid]?.remove(service)
    if byUUID[uuid]?.isEmpty == true { byUUID[uuid] = nil }
  }

  func family(names: Set<String>, uuids: Set<String>) -> Set<Service> {
    func few(_ services: Set<Service>?) -> Set<Service> {
      services.map { $0.count <= Self.most ? $0 : [] } ?? []
    }
    let named = Set(names.flatMap { few(byName[$0]) })
    let family = named.union(uuids.flatMap { few(byUUID[$0]) })
    guard family.count <= Self.most else { return named.count <= Self.most ? named : [] }
    let (moreNames, moreUUIDs) = (
      names.union(family.map(\.instance)), uuids.union(family.compactMap { self.uuids[$0] })
    )
    if moreNames == names && moreUUIDs == uuids { return family }
    return self.family(names: moreNames, uuids: moreUUIDs)
  }
}

extension Service {
  /// A sort key that is unique to each service and the same in every run.
  var sortKey: String {
    "\(instance)\0\(domain)\0\(type)\0\(interface.index)\0\(transport)"
  }
}
