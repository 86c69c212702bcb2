internal import CAvahi
import Glibc
internal import System

/// One browse: its connection to Avahi, its browsers, and the services that they found.
///
/// Confined to the thread that made it. Avahi's callbacks hold the session and its parts unretained, and are only
/// called while `run` runs.
final class BrowseSession {
  /// Largest number of services: nobody picks a printer from a longer list.
  ///
  /// Avahi's own cache is limited to 4096 records for each interface.
  static let maximumServices = 4096
  /// Enough clients for all services, with 1024 objects each (Avahi's objects-per-client-max).
  static let maximumClients = 16
  /// Pause between two attempts to reach a bus or a daemon that went away.
  static let millisecondsBetweenAttempts: Int32 = 1000

  let tell: (ServiceEvent) -> Void
  private let loop: EventLoop
  private var clients: [OpaquePointer]
  private var browsers: [Browser] = []
  private var services: [Service: ServiceResolver] = [:]
  private var hosts: [HostAddresses.Key: HostAddresses] = [:]
  private var isBrowsing = false
  private var isAllForNow = false

  init(
    _ types: [String], until stop: StopSignal, tell: @escaping (ServiceEvent) -> Void
  ) throws(DNSSDError) {
    self.tell = tell
    loop = try EventLoop(until: stop)
    clients = [try loop.connect()]
    browsers = types.map { Browser(of: $0, for: self) }
    guard isConnected(clients[0]) else {
      throw DNSSDError(.noDaemon, avahi: Int32(AVAHI_ERR_NO_DAEMON))
    }
    try startBrowsers()
  }

  deinit { disconnect() }

  /// Handles Avahi's events until the stop signal is raised.
  func run() {
    let pause = Duration.milliseconds(Self.millisecondsBetweenAttempts)
    var lastAttempt = ContinuousClock.now
    while loop.turn(timeout: clients.isEmpty ? Self.millisecondsBetweenAttempts : -1) {
      if clients.contains(where: { avahi_client_get_state($0) == AVAHI_CLIENT_FAILURE }) {
        disconnect()
        if isBrowsing { tell(.daemonLost) }
        isBrowsing = false
      }
      if clients.isEmpty, lastAttempt + pause <= .now {
        lastAttempt = .now
        if let client = try? loop.connect() { clients = [client] }
      }
      if !isBrowsing, let client = clients.first, isConnected(client) {
        // If it went away again, the next turn tries again.
        do throws(DNSSDError) { try startBrowsers() } catch { disconnect() }
      }
    }
  }

  private func startBrowsers() throws(DNSSDError) {
    isAllForNow = false
    for browser in browsers { try browser.start(with: clients[0]) }
    isBrowsing = true
  }

  private func disconnect() {
    // This also frees the clients' browsers and resolvers.
    for client in clients { avahi_client_free(client) }
    clients = []
    services = [:]
    hosts = [:]
  }

  /// Makes a resolver or browser with a client that has room for it; opens another client if none has.
  ///
  /// nil if Avahi refuses.
  func withRoom(_ make: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    for client in clients.reversed() {
      if let object = make(client) { return object }
      guard avahi_client_errno(client) == Int32(AVAHI_ERR_TOO_MANY_OBJECTS) else { return nil }
    }
    guard clients.count < Self.maximumClients, let client = try? loop.connect() else { return nil }
    clients.append(client)
    return make(client)
  }
}

// MARK: - Events of browsers

extension BrowseSession {
  func appeared(_ service: Service, asked: String, isLocal: Bool) {
    if let entry = services[service] {
      entry.asked.insert(asked)
      tell(.appeared(service, asked: asked))
    } else if services.count < Self.maximumServices {
      let entry = ServiceResolver(of: service, asked: asked, isLocal: isLocal, for: self)
      services[service] = entry
      tell(.appeared(service, asked: asked))
      entry.resolve()
    }
  }

  func vanished(_ service: Service, asked: String) {
    guard let entry = services[service], entry.asked.remove(asked) != nil else { return }
    tell(.vanished(service, asked: asked))
    guard entry.asked.isEmpty else { return }
    entry.end()
    services[service] = nil
  }

  func browserIsDone() {
    guard !isAllForNow, browsers.allSatisfy(\.isDone) else { return }
    isAllForNow = true
    tell(.allForNow)
  }
}

// MARK: - Addresses of hosts, shared by the services on them

extension BrowseSession {
  func join(_ key: HostAddresses.Key, _ entry: ServiceResolver) -> HostAddresses {
    let host = hosts[key] ?? HostAddresses(of: key, for: self)
    hosts[key] = host
    host.services.append(entry)
    return host
  }

  func leave(_ host: HostAddresses, _ entry: ServiceResolver) {
    host.services.removeAll { $0 === entry }
    guard host.services.isEmpty else { return }
    host.end()
    hosts[host.key] = nil
  }
}

/// Looks for the services of one type or subtype.
final class Browser {
  let asked: String
  /// True once it has reported everything for now, or that there is nothing.
  fileprivate(set) var isDone = false
  fileprivate unowned let session: BrowseSession

  init(of asked: String, for session: BrowseSession) {
    self.asked = asked
    self.session = session
  }

  /// Starts browsing; the client owns Avahi's browser and frees it.
  func start(with client: OpaquePointer) throws(DNSSDError) {
    isDone = false
    // No lookup flags: explicitly requesting wide-area DNS can crash avahi-daemon 0.8 (avahi#806).
    let made = avahi_service_browser_new(
      client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), asked, nil,
      AvahiLookupFlags(0),
      { browser, interface, transport, event, name, type, domain, flags, context in
        guard let context else { return }
        let receiver = Unmanaged<Browser>.fromOpaque(context).takeUnretainedValue()
        let (session, asked) = (receiver.session, receiver.asked)
        switch event {
        case AVAHI_BROWSER_ALL_FOR_NOW, AVAHI_BROWSER_FAILURE:
          if event == AVAHI_BROWSER_FAILURE {
            let problem = avahi_client_errno(avahi_service_browser_get_client(browser))
            session.tell(.failed(reason: String(cString: avahi_strerror(problem))))
          }
          receiver.isDone = true
          session.browserIsDone()
        case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
          guard let name, let type, let domain else { return }
          let service = Service(
            instance: String(cString: name), type: String(cString: type),
            domain: String(cString: domain), interface: NetworkInterface(index: Int(interface)),
            transport: .init(transport))
          if event == AVAHI_BROWSER_NEW {
            session.appeared(service, asked: asked, isLocal: isLocal(flags))
          } else {
            session.vanished(service, asked: asked)
          }
        default:  // AVAHI_BROWSER_CACHE_EXHAUSTED: what follows comes from the network
          break
        }
      }, Unmanaged.passUnretained(self).toOpaque())
    if made == nil { throw DNSSDError(.refused, avahi: avahi_client_errno(client)) }
  }
}

extension Service.Transport {
  init(_ number: AvahiProtocol) {
    self =
      switch Int(number) {
      case AVAHI_PROTO_INET: .ipv4
      case AVAHI_PROTO_INET6: .ipv6
      default: .unicast
      }
  }

  var number: AvahiProtocol {
    switch self {
    case .ipv4: AvahiProtocol(AVAHI_PROTO_INET)
    case .ipv6: AvahiProtocol(AVAHI_PROTO_INET6)
    case .unicast: AvahiProtocol(AVAHI_PROTO_UNSPEC)
    }
  }
}

extension NetworkInterface {
  init(index: Int) {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    let isNamed = index > 0 && if_indextoname(UInt32(index), &name) != nil
    self.init(index: index, name: isNamed ? name.text : "")
  }

  var number: AvahiIfIndex { AvahiIfIndex(index) }
}

/// Returns true for an answer that this machine announces.
func isLocal(_ flags: AvahiLookupResultFlags) -> Bool {
  flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0
}

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
        { _, _, _, event, _, _, _, host, address, port, txt, _, context in
          guard let context else { return }
          let receiver = Unmanaged<ServiceResolver>.fromOpaque(context).takeUnretainedValue()
          guard event == AVAHI_RESOLVER_FOUND, let host else {
            return receiver.session.tell(.unresolved(receiver.service))
          }
          receiver.resolved(
            Answer(
              host: String(cString: host), port: Int(port), address: octets(of: address),
              txt: entries(of: txt)))
        }, Unmanaged.passUnretained(self).toOpaque())
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
