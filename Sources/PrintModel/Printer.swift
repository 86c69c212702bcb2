/// One way to reach a printer: a service at an address.
package struct Endpoint: Sendable, Hashable, Codable {
  /// `ipp://` or `ipps://`, with the host name of the printer's certificate and `Host:` header.
  package var uri: String
  /// The numeric address to which the host name was resolved, IPv6 link-local with its zone (`fe80::1%eth0`).
  ///
  /// Stored because `.local` names often can't be resolved without nss-mdns.
  @Null package var address: String? = nil

  package init(uri: String, address: String?) {
    self.uri = uri
    self.address = address
  }

  package var isSecure: Bool { uri.hasPrefix("ipps:") }
}

/// A DNS-SD service's name without its type: instance and domain (RFC 6763 §4.1).
package struct ServiceName: Sendable, Hashable, Codable {
  package var instance: String
  package var domain: String

  package init(instance: String, domain: String) {
    self.instance = instance
    self.domain = domain
  }
}

/// A printer as its DNS-SD records describe it: all of its endpoints, its TXT record, and conclusions from it.
///
/// Facts that the record does not state are nil.
package struct DiscoveredPrinter: Sendable, Equatable {
  package var service: ServiceName
  /// Name to show: the instance name, with "(USB)" if ipp-usb serves it on loopback.
  package var name: String
  /// Ways to reach it, best first.
  package var endpoints: [Endpoint]
  package var uuid: String?
  package var makeAndModel: String?
  package var location: String?
  package var types: Set<JobType>
  /// True if `types` is the record's own `kind`.
  package var typesAreStated: Bool
  package var isColor: Bool?
  package var isDuplex: Bool?
  package var formats: [String]
  /// The record's `air`: `none`, `username,password`, `negotiate` or another.
  package var authentication: String
  /// Other names under which it is announced, on the link or in a domain.
  package var aliases: [ServiceName] = []

  package init(
    service: ServiceName, name: String, endpoints: [Endpoint], uuid: String? = nil,
    makeAndModel: String? = nil, location: String? = nil, types: Set<JobType> = [],
    typesAreStated: Bool = false, isColor: Bool? = nil, isDuplex: Bool? = nil,
    formats: [String] = [], authentication: String = "none"
  ) {
    self.service = service
    self.name = name
    self.endpoints = endpoints
    self.uuid = uuid
    self.makeAndModel = makeAndModel
    self.location = location
    self.types = types
    self.typesAreStated = typesAreStated
    self.isColor = isColor
    self.isDuplex = isDuplex
    self.formats = formats
    self.authentication = authentication
  }

  /// All of its names, with the one to show first.
  package var names: [String] { [name, service.instance] + aliases.map(\.instance) }

  /// Returns true for one of the names under which it is announced.
  package func announces(_ name: ServiceName?) -> Bool {
    name.map { $0 == service || aliases.contains($0) } ?? false
  }

  /// Returns the one of its names that matches a text; else the name to show.
  package func service(called text: String?) -> ServiceName {
    let word = text?.lowercased()
    return ([service] + aliases).first { $0.instance.lowercased() == word } ?? service
  }

  package var uri: String { endpoints.first?.uri ?? "" }
  package var isSecure: Bool { endpoints.contains(where: \.isSecure) }

  /// True if airprint can print on it: it reads one of the formats that airprint writes.
  package var isPrintable: Bool {
    !Set(formats).isDisjoint(with: DocumentFormat.sendable)
  }
}

/// A saved printer: the facts needed to contact it again without discovery.
package struct SavedPrinter: Sendable, Equatable {
  /// The user's name for it.
  package var name: String
  /// Its latest URI, with its own host or one that the network announced.
  package var uri: String
  /// The host that a user chose, which may differ from `uri`'s; nil if the network announced it.
  package var host: String?
  /// The latest numeric addresses of `uri`'s host.
  package var addresses: [String] = []
  package var service: ServiceName?
  package var uuid: String?
  package var makeAndModel: String?
  package var location: String?
  /// The types that the printer serves, from its last answer.
  package var types: [JobType] = []
  /// Print options stored with the printer (`pick --set`), by long option name.
  package var settings: [String: String] = [:]
  /// The certificate that it must present; nil if it never presented one.
  package var certificate: Fingerprint?
  /// The oldest version of TLS that may be used with it; nil for the usual one.
  package var lowestTLS: TLSVersion?
  /// True if it was followed to `uri` without a certificate, which alone proves that it is the same printer: until a
  /// user picks it by that URI, it gets no password.
  package var isUnproven = false
}

extension SavedPrinter {
  package init(name: String, uri: String) { self.init(name: name, uri: uri, host: nil) }
}
