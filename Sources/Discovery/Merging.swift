import DNSSD
import PrintModel

/// The sightings of one printer.
///
/// The rules, in this order:
/// - Different UUIDs are different printers.
/// - One name in one domain is one printer, over `_ipp`, `_ipps`, IPv4, IPv6 and every interface, if the sightings
///   share a host or an address. Two hosts may use one name on two networks.
/// - Different names are one printer if they have the same UUID and share a host or an address, and do not offer the
///   same service on two ports. Cheap printers of one model have the same UUID, and a server's queues the same host.
/// - One name and UUID in `local` and in another domain is one printer.
///
/// A device that ipp-usb serves on loopback shares neither a host nor an address with the same device on the network.
/// These stay two printers: either may work when the other does not.
struct PrinterGroup {
  /// At least one sighting, in the order of `precedes`.
  private(set) var members: [Advertisement]

  /// Makes the group of sightings that are known to belong to one printer; at least one.
  init(_ members: some Sequence<Advertisement>) { self.members = members.sorted(by: precedes) }

  /// Groups sightings into printers; the result does not depend on the order in which they arrive.
  static func groups(of advertisements: some Sequence<Advertisement>) -> [PrinterGroup] {
    var groups: [PrinterGroup] = []
    // Start with sightings that have a UUID: one without may belong to any that has one.
    for advertisement in advertisements.sorted(by: precedes) {
      var new = PrinterGroup([advertisement])
      groups.removeAll { group in
        guard group.isOnePrinter(with: new) else { return false }
        new.members += group.members
        return true
      }
      groups.append(new)
    }
    return groups.map { PrinterGroup($0.members) }
      .sorted { precedes($0.members[0], $1.members[0]) }
  }

  private func isOnePrinter(with other: PrinterGroup) -> Bool {
    let isSameUUID = uuid != nil && uuid == other.uuid
    guard isSameUUID || uuid == nil || other.uuid == nil else { return false }
    let isSameName = !names.isDisjoint(with: other.names)
    let isSamePlace =
      !hosts.isDisjoint(with: other.hosts) || !addresses.isDisjoint(with: other.addresses)
    if isSameName && isSamePlace { return true }
    guard isSameUUID else { return false }
    return isSamePlace && hasSamePorts(as: other) || isTwin(of: other)
  }

  private var isUSB: Bool { members.contains(where: \.isUSB) }
  private var uuid: String? { members.lazy.compactMap(\.facts.uuid).first }
  private var names: Set<ServiceName> { Set(members.map(\.name)) }
  private var hosts: Set<String> { Set(members.map { $0.host.lowercased() }) }
  private var addresses: Set<String> {
    members.reduce(into: []) { $0.formUnion($1.addresses) }
  }

  private func hasSamePorts(as other: PrinterGroup) -> Bool {
    members.allSatisfy { member in
      other.members.allSatisfy { $0.service.type != member.service.type || $0.port == member.port }
    }
  }

  private func isTwin(of other: PrinterGroup) -> Bool {
    names.contains { name in
      other.names.contains {
        $0.instance == name.instance && ($0.domain == "local") != (name.domain == "local")
      }
    }
  }
}

extension PrinterGroup {
  /// The printer that the announcements describe; where they differ, the best one counts.
  var printer: DiscoveredPrinter {
    let first = members[0]
    let stated = members.first { $0.facts.typesAreStated }?.facts.types
    var printer = DiscoveredPrinter(
      service: first.name, name: first.name.instance, endpoints: endpoints, uuid: uuid,
      makeAndModel: firstStated(\.makeAndModel), location: firstStated(\.location),
      types: stated ?? members.reduce(into: []) { $0.formUnion($1.facts.types) },
      typesAreStated: stated != nil, isColor: firstStated(\.isColor),
      isDuplex: firstStated(\.isDuplex), formats: formats,
      authentication: firstStated(\.authentication) ?? "none")
    printer.aliases = names.subtracting([first.name]).sorted {
      ($0.instance, $0.domain) < ($1.instance, $1.domain)
    }
    if isUSB, !Advertisement.isNamedUSB(printer.name) { printer.name += " (USB)" }
    return printer
  }

  private func firstStated<Value>(_ fact: KeyPath<PrinterTXTRecord, Value?>) -> Value? {
    members.lazy.compactMap { $0.facts[keyPath: fact] }.first
  }

  /// The endpoints without duplicates, best first.
  ///
  /// Those of the link come before those of another domain, whatever priority that one claims: any domain can state the
  /// name and UUID of a printer that does not belong to it.
  private var endpoints: [Endpoint] {
    let here = members.filter { $0.service.domain == "local" }
    let elsewhere = members.filter { $0.service.domain != "local" }
    return [here, elsewhere].flatMap { $0.flatMap(\.endpoints).sorted() }.map(\.endpoint)
      .unique
  }

  private var formats: [String] { members.flatMap(\.facts.formats).unique }
}

extension Advertisement {
  fileprivate var name: ServiceName { service.name }
}

/// Defines a total order: announcements with a UUID first, then `local`, then the best endpoint.
private func precedes(_ left: Advertisement, _ right: Advertisement) -> Bool {
  if (left.facts.uuid == nil) != (right.facts.uuid == nil) { return left.facts.uuid != nil }
  if (left.service.domain == "local") != (right.service.domain == "local") {
    return left.service.domain == "local"
  }
  if left.endpoints[0] != right.endpoints[0] { return left.endpoints[0] < right.endpoints[0] }
  return left.service.sortKey < right.service.sortKey
}
