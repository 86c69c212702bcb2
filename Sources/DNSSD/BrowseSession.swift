internal import CAvahi

/// One browse: its connection to Avahi, its browsers, and the services that they found.
///
/// Confined to the thread that made it. Avahi's callbacks hold the session and its parts unretained, and are only
/// called while `run` runs.
final class BrowseSession {
  /// Largest number of services: nobody picks a printer from a longer list.
  ///
  /// Avahi's own cache is limited to 4096 records for each interface.
  static let maximumSightings = 4096
  /// Enough clients for all sightings, with 1024 objects each (Avahi's objects-per-client-max).
  static let maximumClients = 16
  /// Pause between two attempts to reach a bus or a daemon that went away.
  static let millisecondsBetweenAttempts: Int32 = 1000

  let tell: (ServiceEvent) -> Void
  private let loop: EventLoop
  private var clients: [OpaquePointer]
  private var browsers: [Browser] = []
  private var sightings: [Service: ServiceResolver] = [:]
  private var hosts: [HostAddresses.Key: HostAddresses] = [:]
  private var isBrowsing = false
  private var isAllForNow = false

  /// Connects and starts to browse.
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
    sightings = [:]
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
    if let sighting = sightings[service] {
      sighting.asked.insert(asked)
      tell(.appeared(service, asked: asked))
    } else if sightings.count < Self.maximumSightings {
      let sighting = ServiceResolver(of: service, asked: asked, isLocal: isLocal, for: self)
      sightings[service] = sighting
      tell(.appeared(service, asked: asked))
      sighting.resolve()
    }
  }

  func vanished(_ service: Service, asked: String) {
    guard let sighting = sightings[service], sighting.asked.remove(asked) != nil else { return }
    tell(.vanished(service, asked: asked))
    guard sighting.asked.isEmpty else { return }
    sighting.end()
    sightings[service] = nil
  }

  func browserIsDone() {
    guard !isAllForNow, browsers.allSatisfy(\.isDone) else { return }
    isAllForNow = true
    tell(.allForNow)
  }
}

// MARK: - Addresses of hosts, shared by the services on them

extension BrowseSession {
  func join(_ key: HostAddresses.Key, _ sighting: ServiceResolver) -> HostAddresses {
    let host = hosts[key] ?? HostAddresses(of: key, for: self)
    hosts[key] = host
    host.sightings.append(sighting)
    return host
  }

  func leave(_ host: HostAddresses, _ sighting: ServiceResolver) {
    host.sightings.removeAll { $0 === sighting }
    guard host.sightings.isEmpty else { return }
    host.end()
    hosts[host.key] = nil
  }
}
