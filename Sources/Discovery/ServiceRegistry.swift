package import DNSSD
import PrintModel

/// The printers that the events so far tell of.
///
/// Pure: events in, news out; the same services in another order end in the same printers.
package struct ServiceRegistry {
  private var sightings: [Service: ServiceEntry] = [:]
  private var groups = ServiceGroups()
  private var entries: [Int: Entry] = [:]
  private var owners: [Service: Int] = [:]
  private var lastEntry = 0
  private var isAllForNow = false
  /// Services of which the resolver has neither answered nor given up.
  private var pending: Set<Service> = []

  private struct ServiceEntry {
    /// The types that it was found for.
    var asked: Set<String> = []
    var details: ServiceDetails?
    var advertisement: Advertisement?
    /// Seen before Avahi went away, and not since.
    var isStale = false
  }

  /// A printer, and the services that it was made of.
  private struct Entry {
    var printer: DiscoveredPrinter
    var services: Set<Service>
  }

  package init() {}

  /// Nothing more is expected for now.
  var isComplete: Bool { isAllForNow && pending.isEmpty }

  /// Names of unicast DNS that are known, but not yet where their printers are.
  var unresolvedNames: Int {
    Set(pending.lazy.filter { $0.transport == .unicast }.map(\.instance)).count
  }

  /// Takes an event in, and tells what it changes.
  package mutating func absorb(_ event: ServiceEvent) -> [DiscoveryEvent] {
    switch event {
    case .appeared(let service, let asked):
      if sightings[service] == nil { pending.insert(service) }
      var sighting = sightings[service] ?? ServiceEntry()
      sighting.asked = sighting.isStale ? [asked] : sighting.asked.union([asked])
      sighting.isStale = false
      return replace(service, with: sighting)
    case .resolved(let service, let details), .updated(let service, let details):
      guard var sighting = sightings[service] else { return [] }
      pending.remove(service)
      sighting.details = details
      return replace(service, with: sighting)
    case .unresolved(let service, _):
      pending.remove(service)
      return []
    case .vanished(let service, let asked):
      guard var sighting = sightings[service] else { return [] }
      sighting.asked.remove(asked)
      return replace(service, with: sighting.asked.isEmpty ? nil : sighting)
    case .allForNow:
      isAllForNow = true
      let stale = sightings.filter(\.value.isStale).keys
      return stale.sorted { $0.sortKey < $1.sortKey }.flatMap { replace($0, with: nil) }
    case .daemonLost:
      isAllForNow = false
      // Answers of unicast DNS are none of Avahi's.
      for service in sightings.keys where service.transport != .unicast {
        sightings[service]?.isStale = true
      }
      return []
    case .daemonBack, .failed:
      return []
    }
  }

  private mutating func replace(
    _ service: Service, with sighting: ServiceEntry?
  ) -> [DiscoveryEvent] {
    var sighting = sighting
    if let details = sighting?.details {
      let isUniversal = sighting?.asked.contains { $0.hasPrefix("_universal.") } ?? false
      sighting?.advertisement = Advertisement(service, details, isUniversal: isUniversal)
    }
    let before = sightings[service]?.advertisement
    let after = sighting?.advertisement
    sightings[service] = sighting
    if sighting == nil { pending.remove(service) }
    guard before != after else { return [] }
    if let before { groups.remove(before) }
    if let after { groups.insert(after) }
    let uuids = [before, after].compactMap(\.?.facts.uuid)
    return regroup(groups.family(names: [service.instance], uuids: Set(uuids)).union([service]))
  }

  /// Makes the printers of these services anew.
  private mutating func regroup(_ services: Set<Service>) -> [DiscoveryEvent] {
    var old = Set(services.compactMap { owners[$0] }).sorted()
    for service in services { owners[service] = nil }
    var news: [DiscoveryEvent] = []
    for group in PrinterGroup.groups(of: services.compactMap { sightings[$0]?.advertisement }) {
      let entry = Entry(
        printer: group.printer, services: Set(group.members.map(\.service)))
      let former = old.first { entries[$0]?.services.isDisjoint(with: entry.services) == false }
      old.removeAll { $0 == former }
      let number = former ?? lastEntry + 1
      lastEntry = max(lastEntry, number)
      if let printer = entries[number]?.printer {
        if printer != entry.printer { news.append(.changed(entry.printer, from: printer)) }
      } else {
        news.append(.appeared(entry.printer))
      }
      entries[number] = entry
      for service in entry.services { owners[service] = number }
    }
    let gone = old.compactMap { entries.removeValue(forKey: $0)?.printer }
    return gone.map(DiscoveryEvent.vanished) + news
  }
}

/// Groups of services that may be one printer: those that share an instance name or a UUID, those
/// that share one with these, and so on.
private struct ServiceGroups {
  private var byName: [String: Set<Service>] = [:]
  private var byUUID: [String: Set<Service>] = [:]
  private var uuids: [Service: String] = [:]

  /// More services than this are no one printer's, and what they share says nothing: a school's cheap printers of
  /// one model, or somebody who wants every search to take hours.
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
  /// Different for different services, the same in every run.
  var sortKey: String {
    "\(instance)\0\(domain)\0\(type)\0\(interface.index)\0\(transport)"
  }
}
