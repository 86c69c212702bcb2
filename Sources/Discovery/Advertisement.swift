import DNSSD
internal import ForeignText
import PrintModel

/// One resolved announcement of a printer's service: its records, and the ways to reach it.
struct Advertisement: Equatable {
  var service: Service
  var host: String
  var port: Int
  var facts: PrinterTXTRecord
  var endpoints: [RankedEndpoint]
  /// True if ipp-usb on this machine serves a USB printer.
  var isUSB: Bool

  /// Makes an advertisement; nil if it is not of a printer that can be connected to.
  ///
  /// That is a record of another version, port 0 (a placeholder that defends the name), or no usable address.
  init?(_ service: Service, _ details: ServiceDetails) {
    guard let facts = PrinterTXTRecord(TextRecord(details.txt)), details.port > 0 else {
      return nil
    }
    let isHere = details.isLocal || service.interface.name == "lo"
    let addresses = details.addresses.compactMap { text in
      NetworkAddress(text).flatMap { $0.isUsable(isHere: isHere) ? (text: text, number: $0) : nil }
    }
    guard !addresses.isEmpty else { return nil }
    self.service = service
    host = details.host.isEmpty ? addresses[0].text : details.host
    port = details.port
    self.facts = facts
    // ipp-usb announces on loopback, and states USB in the name and, since 2024, in the record. A host called localhost
    // proves nothing: some Avahis use that name for every service on loopback.
    let isLoopback = addresses.allSatisfy(\.number.isLoopback)
    isUSB = isLoopback && (facts.isUSB || Advertisement.isNamedUSB(service.instance))
    let isSecure = service.type == "_ipps._tcp"
    let uri = AdvertisedURI.make(isSecure: isSecure, host: host, port: port, path: facts.path)
    endpoints = addresses.map { address in
      RankedEndpoint(
        endpoint: Endpoint(uri: uri, address: address.text), isSecure: isSecure,
        priority: facts.priority, kind: RankedEndpoint.Kind(address.number),
        interface: service.interface.index)
    }
  }

  var addresses: [String] { endpoints.compactMap(\.endpoint.address) }

  /// Matches `Name (USB)` and `Name (USB 2)`.
  static func isNamedUSB(_ instance: String) -> Bool {
    guard instance.hasSuffix(")"), let bracket = instance.lastIndex(of: "(") else { return false }
    let inside = instance[bracket...].dropFirst().dropLast()
    return inside == "USB" || inside.hasPrefix("USB ") && Int(inside.dropFirst(4)) != nil
  }
}

/// An endpoint with the properties by which endpoints are ranked.
struct RankedEndpoint: Comparable, Hashable {
  var endpoint: Endpoint
  var isSecure: Bool
  /// The record's `priority`: 0 is best.
  var priority: Int
  var kind: Kind
  var interface: Int

  /// Kinds of addresses, best first: `link` is valid only on one.
  enum Kind: Comparable {
    case ipv4, ipv6, link

    init(_ address: NetworkAddress) {
      self = address.isLinkLocal ? .link : address.isIPv6 ? .ipv6 : .ipv4
    }
  }

  /// Orders the best first: encrypted, the printer's own priority, addresses valid beyond the link.
  static func < (left: RankedEndpoint, right: RankedEndpoint) -> Bool {
    (left.isSecure ? 0 : 1, left.priority, left.kind, left.interface, left.key)
      < (right.isSecure ? 0 : 1, right.priority, right.kind, right.interface, right.key)
  }

  private var key: String { "\(endpoint.uri) \(endpoint.address ?? "")" }
}

/// Builds `ipp://` and `ipps://` URIs (RFC 3510, RFC 7472) from network announcements.
enum AdvertisedURI {
  /// Makes a URI.
  ///
  /// - `host`: a name, or a numeric address, IPv6 with or without its zone.
  /// - `port`: left out if it is 631, the default of both schemes.
  /// - `path`: without the leading slash. Percent-encoded bytes in it are kept.
  static func make(isSecure: Bool, host: String, port: Int, path: String) -> String {
    let scheme = isSecure ? "ipps" : "ipp"
    let authority = port == 631 ? bracketed(host) : "\(bracketed(host)):\(port)"
    return "\(scheme)://\(authority)/\(encodedPath(path))"
  }

  /// Writes a zone as RFC 6874 specifies: `[fe80::1%25eth0]`.
  private static func bracketed(_ host: String) -> String {
    guard host.contains(":") else { return encoded(host) }
    let parts = host.split(separator: "%", maxSplits: 1).map(String.init)
    let zone = parts.count == 2 ? "%25" + encoded(parts[1]) : ""
    return "[\(encoded(parts[0], allowing: ":"))\(zone)]"
  }

  private static func encodedPath(_ path: String) -> String {
    let pieces = path.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
      .map { encoded(String(Substring($0)), allowing: "/:@!$&'()*+,;=") }
    return pieces.dropFirst().reduce(pieces.first ?? "") { path, piece in
      path + (piece.utf8.prefix(2).count(where: isHexadecimal) == 2 ? "%" : "%25") + piece
    }
  }

  /// Percent-encodes all bytes but RFC 3986's unreserved ones and `others`.
  private static func encoded(_ text: String, allowing others: String = "") -> String {
    percentEncoded(text) { byte in
      isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || others.utf8.contains(byte)
    }
  }
}
