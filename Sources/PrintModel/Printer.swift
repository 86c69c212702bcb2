/// One way to reach a printer: a service at an address.
package struct Endpoint: Sendable, Hashable, Codable {
  /// `ipp://` or `ipps://`, with the host name that the printer's certificate and `Host:` header know.
  package var uri: String
  /// The numeric address that the host name had when it was resolved, IPv6 link-local with its zone
  /// (`fe80::1%eth0`).
  ///
  /// Kept because `.local` names often can't be resolved without nss-mdns.
  @Null package var address: String? = nil

  package init(uri: String, address: String?) {
    self.uri = uri
    self.address = address
  }

  package var isSecure: Bool { uri.hasPrefix("ipps:") }
}

/// A DNS-SD service's name in its three parts (RFC 6763 §4.1).
package struct ServiceName: Sendable, Hashable, Codable {
  package var instance: String
  package var domain: String

  package init(instance: String, domain: String) {
    self.instance = instance
    self.domain = domain
  }
}

/// A printer as its DNS-SD records describe it: all of its endpoints, its TXT record, and
/// what that lets one infer.
///
/// What the record does not say is nil.
package struct DiscoveredPrinter: Sendable, Equatable {
  package var service: ServiceName
  /// Name to show: the instance name, with "(USB)" where ipp-usb serves it on loopback.
  package var name: String
  /// Best first.
  package var endpoints: [Endpoint]
  package var uuid: String?
  package var makeAndModel: String?
  package var location: String?
  package var types: Set<JobType>
  /// `types` is the record's own `kind`.
  package var typesAreStated: Bool
  package var isColor: Bool?
  package var isDuplex: Bool?
  package var formats: [String]
  /// The record's `air`: `none`, `username,password`, `negotiate` or another.
  package var authentication: String
  /// It announces `_universal` and URF: an iPhone lists it.
  package var isAirPrint: Bool
  /// A queue that a cupsd shares (the record has printer-type).
  package var isShared: Bool
  /// Other names that it announces, on the link or in a domain.
  package var aliases: [ServiceName] = []

  package init(
    service: ServiceName, name: String, endpoints: [Endpoint], uuid: String? = nil,
    makeAndModel: String? = nil, location: String? = nil, types: Set<JobType> = [],
    typesAreStated: Bool = false, isColor: Bool? = nil, isDuplex: Bool? = nil,
    formats: [String] = [], authentication: String = "none", isAirPrint: Bool = false,
    isShared: Bool = false
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
    self.isAirPrint = isAirPrint
    self.isShared = isShared
  }

  /// Every name that it is known by, the one to show first.
  package var names: [String] { [name, service.instance] + aliases.map(\.instance) }

  /// True for one of the names that it announces.
  package func announces(_ name: ServiceName?) -> Bool {
    name.map { $0 == service || aliases.contains($0) } ?? false
  }

  /// The one of its names that a text is; else the name to show first.
  package func service(called text: String?) -> ServiceName {
    let word = text?.lowercased()
    return ([service] + aliases).first { $0.instance.lowercased() == word } ?? service
  }

  package var uri: String { endpoints.first?.uri ?? "" }
  package var isSecure: Bool { endpoints.contains(where: \.isSecure) }

  /// True when we could print to it: it reads one of the formats that we write.
  package var isPrintable: Bool {
    !Set(formats).isDisjoint(with: DocumentFormat.sendable)
  }
}

/// A printer that was picked: what is needed to reach it again without discovery.
package struct SavedPrinter: Sendable, Equatable {
  /// The user's name for it.
  package var name: String
  /// Its last address, by its own host or one that the network announced.
  package var uri: String
  /// The host that a user chose, which `uri` need not have any more; nil where the network announced it.
  package var host: String?
  /// The numeric addresses at which `uri`'s host was last seen.
  package var addresses: [String]
  package var service: ServiceName?
  package var uuid: String?
  package var makeAndModel: String?
  package var location: String?
  /// The types that the printer serves, when it was last asked.
  package var types: [JobType]
  /// Print options kept with the printer (`pick --set`), by long option name.
  package var settings: [String: String]
  /// The certificate that it must show; nil for one that never did.
  package var certificate: Fingerprint?
  /// The lowest version of TLS that is spoken with it; nil for the usual one.
  package var lowestTLS: TLSVersion?

  package init(
    name: String, uri: String, addresses: [String] = [], service: ServiceName? = nil,
    uuid: String? = nil, makeAndModel: String? = nil, location: String? = nil,
    types: [JobType] = [], settings: [String: String] = [:], certificate: Fingerprint? = nil,
    lowestTLS: TLSVersion? = nil, host: String? = nil
  ) {
    self.name = name
    self.uri = uri
    self.host = host
    self.addresses = addresses
    self.service = service
    self.uuid = uuid
    self.makeAndModel = makeAndModel
    self.location = location
    self.types = types
    self.settings = settings
    self.certificate = certificate
    self.lowestTLS = lowestTLS
  }
}
