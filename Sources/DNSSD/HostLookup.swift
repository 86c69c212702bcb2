internal import CAvahi
import System

/// Returns the numeric addresses of a host by mDNS.
///
/// It is for `.local` names on machines whose resolver does not support mDNS (no nss-mdns, a container).
///
/// IPv4 comes first, link-local IPv6 last and with its zone (`fe80::1%eth0`). Addresses that can't belong to another
/// host are left out (`NetworkAddress`). Empty if no host answers to the name within `timeout`. Without Avahi, the
/// links are queried directly.
package func resolveHost(_ name: String, timeout: Duration = .seconds(5)) async -> [String] {
  guard let stop = try? StopSignal() else { return [] }
  return await withTaskCancellationHandler {
    let (answers, continuation) = AsyncStream<[String]>.makeStream()
    do throws(DNSSDError) {
      try await connectToDaemon { () throws(DNSSDError) in
        try HostLookup(name, until: stop)
      } run: { lookup in
        continuation.yield(lookup.run(timeout: timeout))
        continuation.finish()
      }
      return await answers.first { _ in true } ?? []
    } catch {
      return await onThread { () throws(Never) in
        resolveOnLink(name, timeout: timeout, until: stop)
      }
    }
  } onCancel: {
    stop.raise()
  }
}

/// One lookup of the A and AAAA records of a host, on all interfaces.
///
/// Confined to its thread.
private final class HostLookup {
  /// Time to wait for more addresses after each one.
  static let grace = Duration.milliseconds(250)

  private let loop: EventLoop
  private let client: OpaquePointer
  private var found: Set<FoundAddress> = []
  private var lastFound = ContinuousClock.now

  init(_ name: String, until stop: StopSignal) throws(DNSSDError) {
    loop = try EventLoop(until: stop)
    client = try loop.connect()
    guard isConnected(client) else {
      throw DNSSDError(.noDaemon, avahi: Int32(AVAHI_ERR_NO_DAEMON))
    }
    for type in [AVAHI_DNS_TYPE_A, AVAHI_DNS_TYPE_AAAA] {
      // Avahi's host name resolver would return one address per family, and wait 5 s for a family that the host does
      // not have.
      avahi_record_browser_new(
        client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), name,
        UInt16(AVAHI_DNS_CLASS_IN), UInt16(type), AvahiLookupFlags(0),
        { _, interface, _, event, _, _, _, data, size, flags, context in
          guard event == AVAHI_BROWSER_NEW, let context, let address = octets(data, size) else {
            return
          }
          let interface = NetworkInterface(index: Int(interface))
          let isHere = isLocal(flags) || interface.name == "lo"
          guard NetworkAddress(octets: address).isUsable(isHere: isHere) else { return }
          Unmanaged<HostLookup>.fromOpaque(context).takeUnretainedValue()
            .found(FoundAddress(address: address, interface: interface))
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  deinit { avahi_client_free(client) }

  func run(timeout: Duration) -> [String] {
    let deadline = ContinuousClock.now + timeout
    while isConnected(client) {
      let end = found.isEmpty ? deadline : min(deadline, lastFound + Self.grace)
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, loop.turn(timeout: Int32(left / .milliseconds(1)) + 1) else { break }
    }
    return numericAddresses(found)
  }

  fileprivate func found(_ address: FoundAddress) {
    guard found.count < HostAddresses.maximum, found.insert(address).inserted else { return }
    lastFound = .now
  }
}

/// Returns the data of an A or AAAA record; nil for any other.
private func octets(_ data: UnsafeRawPointer?, _ size: Int) -> [UInt8]? {
  guard let data, size == 4 || size == 16 else { return nil }
  return [UInt8](UnsafeRawBufferPointer(start: data, count: size))
}

/// Every address of a host, as reported on one interface and IP version.
///
/// An Avahi resolver reports only one.
final class HostAddresses {
  struct Key: Hashable {
    /// As Avahi writes it: escaped.
    var host: String
    var link: Link
  }

  /// Most addresses kept; no host that prints has more.
  static let maximum = 32

  let key: Key
  /// 4 or 16 octets each.
  private(set) var addresses: Set<[UInt8]> = []
  var services: [ServiceResolver] = []
  private var browsers: [OpaquePointer] = []

  init(of key: Key, for session: BrowseSession) {
    self.key = key
    for type in [AVAHI_DNS_TYPE_A, AVAHI_DNS_TYPE_AAAA] {
      // Without this browser, the resolver's one address is still known.
      guard let browser = session.withRoom({ browseRecords(of: type, with: $0) }) else { break }
      browsers.append(browser)
    }
  }

  func end() {
    for browser in browsers { avahi_record_browser_free(browser) }
    browsers = []
  }

  private func browseRecords(of type: Int, with client: OpaquePointer) -> OpaquePointer? {
    avahi_record_browser_new(
      client, key.link.interface.number, key.link.transport.number, key.host,
      UInt16(AVAHI_DNS_CLASS_IN), UInt16(type), AvahiLookupFlags(0),
      { _, _, _, event, _, _, _, data, size, _, context in
        guard let context, let address = octets(data, size) else { return }
        Unmanaged<HostAddresses>.fromOpaque(context).takeUnretainedValue().heard(address, event)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  fileprivate func heard(_ address: [UInt8], _ event: AvahiBrowserEvent) {
    let isNews =
      switch event {
      case AVAHI_BROWSER_NEW:
        addresses.count < Self.maximum && addresses.insert(address).inserted
      case AVAHI_BROWSER_REMOVE: addresses.remove(address) != nil
      default: false
      }
    if isNews { for entry in services { entry.review() } }
  }
}
