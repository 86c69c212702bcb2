internal import CAvahi
import Glibc
internal import LateLibraries
internal import System

// Avahi's names, addresses and TXT records as Swift values.

/// Returns a domain name as people write it: labels without Avahi's escapes, no final dot.
func plainName(_ escaped: String) -> String {
  NetworkLibraries.load()
  return escaped.withCString { start in
    var labels: [String] = []
    var rest: UnsafePointer<CChar>? = start
    var label = [CChar](repeating: 0, count: Int(AVAHI_LABEL_MAX))
    while let next = rest, next.pointee != 0 {
      guard avahi_unescape_label(&rest, &label, label.count) != nil else { return escaped }
      labels.append(label.text)
    }
    return labels.joined(separator: ".")
  }
}

/// Returns numeric addresses in the order in which to try them: IPv4, then IPv6, then those valid only on this link,
/// which for IPv6 need `zone`, the interface's name.
///
/// - `addresses`: 4 or 16 octets each.
func numericAddresses(_ addresses: Set<[UInt8]>, zone: String) -> [String] {
  func rank(_ address: [UInt8]) -> (Int, Int) {
    (NetworkAddress(octets: address).isLinkLocal ? 1 : 0, address.count)
  }
  return addresses.sorted { left, right in
    rank(left) == rank(right)
      ? left.lexicographicallyPrecedes(right) : rank(left) < rank(right)
  }.compactMap { numericAddress($0, zone: zone) }
}

/// An address of a host, and the interface on which it was announced.
struct FoundAddress: Hashable {
  var address: [UInt8]
  var interface: NetworkInterface
}

/// Returns numeric addresses, each once, in the order of the interfaces.
func numericAddresses(_ found: Set<FoundAddress>) -> [String] {
  let byInterface = Dictionary(grouping: found, by: \.interface)
  var seen: Set<String> = []
  return byInterface.sorted { $0.key.index < $1.key.index }.flatMap { interface, found in
    numericAddresses(Set(found.map(\.address)), zone: interface.name)
  }.filter { seen.insert($0).inserted }
}

private func numericAddress(_ address: [UInt8], zone: String) -> String? {
  var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
  let family = address.count == 4 ? AF_INET : AF_INET6
  guard inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return nil }
  let number = text.text
  let needsZone = family == AF_INET6 && NetworkAddress(octets: address).isLinkLocal && !zone.isEmpty
  return needsZone ? "\(number)%\(zone)" : number
}

/// Returns 4 or 16 octets in network order; empty if there is no address.
func octets(of address: UnsafePointer<AvahiAddress>?) -> [UInt8] {
  guard let address else { return [] }
  let count = address.pointee.proto == AvahiProtocol(AVAHI_PROTO_INET) ? 4 : 16
  return withUnsafeBytes(of: address.pointee.data) { Array($0.prefix(count)) }
}

/// Returns a TXT record's entries in their original order.
func entries(of txt: UnsafeMutablePointer<AvahiStringList>?) -> [TXTEntry] {
  var result: [TXTEntry] = []
  var next = txt
  // Bounded, because a DNS message has at most 64 KiB.
  while let string = next, result.count < 1024 {
    let bytes = UnsafeBufferPointer(
      start: avahi_string_list_get_text(string), count: avahi_string_list_get_size(string))
    if let entry = TXTEntry(bytes) { result.append(entry) }
    next = avahi_string_list_get_next(string)
  }
  return result
}
