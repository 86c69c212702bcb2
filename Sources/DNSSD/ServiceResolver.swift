internal import CAvahi

/// A service that browsers found, and its resolver, which keeps reporting changes.
final class ServiceResolver {
  let service: Service
  /// The types whose browsers currently find it.
  var asked: Set<String>
  private let isLocal: Bool
  fileprivate unowned let session: BrowseSession
  private var resolver: OpaquePointer?
  private var answer: Answer?
  private var host: HostAddresses?
  private var told: ServiceDetails?

  /// A resolver's answer.
  fileprivate struct Answer {
    var host: String
    var port: Int
    /// One address of the host.
    ///
    /// Avahi picks it: it may be IPv6 over IPv4, or loopback.
    var address: [UInt8]
    var txt: [TXTEntry]
  }

  init(of service: Service, asked: String, isLocal: Bool, for session: BrowseSession) {
    self.service = service
    self.asked = [asked]
    self.isLocal = isLocal
    self.session = session
  }

  func resolve() {
    // Use the browser's own interface and protocol, but accept an address of either kind: otherwise Avahi finds none if
    // the host announces only the other kind (avahi-client/lookup.h).
    resolver = session.withRoom { client in
      avahi_service_resolver_new(
        client, service.interface.number, service.transport.number, service.instance,
        service.type, service.domain, AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(0),
        resolverSpoke, Unmanaged.passUnretained(self).toOpaque())
    }
    if resolver == nil { session.tell(.unresolved(service)) }
  }

  func end() {
    if let resolver { avahi_service_resolver_free(resolver) }
    resolver = nil
    if let host { session.leave(host, self) }
    host = nil
  }

  fileprivate func resolved(_ answer: Answer) {
    self.answer = answer
    let key = HostAddresses.Key(host: answer.host, link: service.link)
    if host?.key != key {
      if let host { session.leave(host, self) }
      host = session.join(key, self)
    }
    review()
  }

  /// Reports the current details if they are new.
  func review() {
    guard let answer else { return }
    var addresses = host?.addresses ?? []
    if !answer.address.isEmpty { addresses.insert(answer.address) }
    let details = ServiceDetails(
      host: plainName(answer.host), port: answer.port,
      addresses: numericAddresses(addresses, zone: service.interface.name), txt: answer.txt,
      isLocal: isLocal)
    guard details != told else { return }
    session.tell(told == nil ? .resolved(service, details) : .updated(service, details))
    told = details
  }
}

private func resolverSpoke(
  _: OpaquePointer?, _: AvahiIfIndex, _: AvahiProtocol, _ event: AvahiResolverEvent,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
  _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
  _ txt: UnsafeMutablePointer<AvahiStringList>?, _: AvahiLookupResultFlags,
  _ context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  let receiver = Unmanaged<ServiceResolver>.fromOpaque(context).takeUnretainedValue()
  guard event == AVAHI_RESOLVER_FOUND, let host else {
    return receiver.session.tell(.unresolved(receiver.service))
  }
  receiver.resolved(
    ServiceResolver.Answer(
      host: String(cString: host), port: Int(port), address: octets(of: address),
      txt: entries(of: txt)))
}
