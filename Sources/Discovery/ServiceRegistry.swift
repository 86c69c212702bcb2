package import DNSSD
import PrintModel

/// The printers described by the events so far.
///
/// It has no side effects: the same services in another order result in the same printers.
package struct ServiceRegistry {
  private var sightings: [Service: ServiceEntry] = [:]
  private var groups = ServiceGroups()
  private var lastPrinter = 0
  private var isAllForNow = false
  /// Number of services that the resolver has neither resolved nor given up.
  private var pending = 0

  /// The facts kept about a service.
  ///
  /// Printers are not kept: the same services always result in the same ones.
  private struct ServiceEntry {
    /// The types for which it was found.
    var asked: Set<String> = []
    var advertisement: Advertisement?
    /// Number of the printer to which it belongs.
    var printer: Int?
    /// True until the resolver answers.
    var isPending = true
    /// True if it was found before Avahi went away, and not since.
    var isStale = false
  }

  package init() {}

  /// True if nothing more is expected for now.
  var isComplete: Bool { isAllForNow && pending == 0 }

  /// Number of unicast DNS names found whose printers are not resolved yet.
  var unresolvedNames: Int {
    Set(
      sightings.lazy.filter { $0.value.isPending && $0.key.transport == .unicast }
        .map(\.key.name)
    ).count
  }

  /// Applies an event, and returns the resulting changes.
  package mutating func absorb(_ event: ServiceEvent) -> [DiscoveryEvent] {
    switch event {
    case .appeared(let service, let asked):
      if sightings[service] == nil { pending += 1 }
      var sighting = sightings[service] ?? ServiceEntry()
      if sighting.isStale { sighting.asked = [] }
      sighting.asked.insert(asked)
      sighting.isStale = false
      sightings[service] = sighting
      return []
    case .resolved(let service, let details), .updated(let service, let details):
      settle(service)
      guard let former = sightings[service] else { return [] }
      let advertisement = Advertisement(service, details)
      sightings[service]?.advertisement = advertisement
      return replace(former, of: service, with: advertisement)
    case .unresolved(let service):
      settle(service)
      return []
    case .vanished(let service, let asked):
      sightings[service]?.asked.remove(asked)
      return sightings[service]?.asked.isEmpty == true ? remove(service) : []
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
    case .failed: return []
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
    return replace(sightings.removeValue(forKey: service), of: service, with: nil)
  }

  /// Updates the printers of a service whose entry has been changed.
  ///
  /// - `former`: the entry before.
  /// - `after`: the new advertisement.
  private mutating func replace(
    _ former: ServiceEntry?, of service: Service, with after: Advertisement?
  ) -> [DiscoveryEvent] {
    let before = former?.advertisement
    guard before != after else { return [] }
    if let before { groups.remove(service, uuid: before.facts.uuid) }
    if let after { groups.insert(service, uuid: after.facts.uuid) }
    let uuids = [before, after].compactMap(\.?.facts.uuid)
    let family = groups.family(names: [service.instance], uuids: Set(uuids)) {
      sightings[$0]?.advertisement?.facts.uuid
    }
    return regroup(family.union([service]), changed: service, from: (before, former?.printer))
  }

  /// Rebuilds the printers of these services.
  ///
  /// - `changed`: the one of them that differs, or is gone, and what it was.
  private mutating func regroup(
    _ services: Set<Service>, changed: Service, from former: (Advertisement?, printer: Int?)
  ) -> [DiscoveryEvent] {
    var numbers: [Service: Int] = [:]
    var before: [Int: [Advertisement]] = [:]
    var advertisements: [Advertisement] = []
    for service in services {
      let now = sightings[service]?.advertisement
      let (old, number) =
        service == changed ? former : (now, printer: sightings[service]?.printer)
      numbers[service] = number
      if let old, let number { before[number, default: []].append(old) }
      if let now { advertisements.append(now) }
      sightings[service]?.printer = nil
    }
    var old = before.mapValues { PrinterGroup($0).printer }
    var news: [DiscoveryEvent] = []
    for group in PrinterGroup.groups(of: advertisements) {
      let members = group.members.map(\.service)
      let now = group.printer
      let known = members.compactMap { numbers[$0] }.filter { old[$0] != nil }.min()
      if let known, let printer = old.removeValue(forKey: known) {
        if printer != now { news.append(.changed(now, from: printer)) }
      } else {
        news.append(.appeared(now))
      }
      let number = known ?? lastPrinter + 1
      lastPrinter = max(lastPrinter, number)
      for service in members { sightings[service]?.printer = number }
    }
    let gone = old.sorted { $0.key < $1.key }.map(\.value)
    return gone.map(DiscoveryEvent.vanished) + news
  }
}

/// Groups of services that may be one printer: those that share an instance name or a UUID, directly or through others.
private struct ServiceGroups {
  private var byName: [String: Set<Service>] = [:]
  private var byUUID: [String: Set<Service>] = [:]

  /// Largest number of services of one printer.
  ///
  /// If more share a name or UUID, that proves nothing: a school's cheap printers of one model, or an attacker who
  /// tries to make every search take hours.
  private static let most = 64

  mutating func insert(_ service: Service, uuid: String?) {
    byName[service.instance, default: []].insert(service)
    if let uuid { byUUID[uuid, default: []].insert(service) }
  }

  mutating func remove(_ service: Service, uuid: String?) {
    byName[service.instance]?.remove(service)
    if let uuid { byUUID[uuid]?.remove(service) }
  }

  /// - `uuid`: returns the UUID of a service.
  func family(
    names: Set<String>, uuids: Set<String>, _ uuid: (Service) -> String?
  ) -> Set<Service> {
    func few(_ services: Set<Service>?) -> Set<Service> {
      services.flatMap { $0.count <= Self.most ? $0 : nil } ?? []
    }
    let named = Set(names.flatMap { few(byName[$0]) })
    let family = named.union(uuids.flatMap { few(byUUID[$0]) })
    guard family.count <= Self.most else { return named.count <= Self.most ? named : [] }
    let (moreNames, moreUUIDs) = (
      names.union(family.map(\.instance)), uuids.union(family.compactMap(uuid))
    )
    if moreNames == names && moreUUIDs == uuids { return family }
    return self.family(names: moreNames, uuids: moreUUIDs, uuid)
  }
}

extension Service {
  var name: ServiceName { ServiceName(instance: instance, domain: domain) }

  /// A sort key that is unique to each service and the same in every run.
  var sortKey: String {
    "\(instance)\0\(domain)\0\(type)\0\(interface.index)\0\(transport)"
  }
}
