internal import CAvahi

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
  var sightings: [ServiceResolver] = []
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
      UInt16(AVAHI_DNS_CLASS_IN), UInt16(type), AvahiLookupFlags(0), recordBrowserSpoke,
      Unmanaged.passUnretained(self).toOpaque())
  }

  fileprivate func heard(_ address: [UInt8], _ event: AvahiBrowserEvent) {
    let isNews =
      switch event {
      case AVAHI_BROWSER_NEW:
        addresses.count < Self.maximum && addresses.insert(address).inserted
      case AVAHI_BROWSER_REMOVE: addresses.remove(address) != nil
      default: false
      }
    if isNews { for sighting in sightings { sighting.review() } }
  }
}

private func recordBrowserSpoke(
  _: OpaquePointer?, _: AvahiIfIndex, _: AvahiProtocol, _ event: AvahiBrowserEvent,
  _: UnsafePointer<CChar>?, _: UInt16, _: UInt16, _ data: UnsafeRawPointer?, _ size: Int,
  _: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
  guard let context, let data, size == 4 || size == 16 else { return }
  Unmanaged<HostAddresses>.fromOpaque(context).takeUnretainedValue()
    .heard([UInt8](UnsafeRawBufferPointer(start: data, count: size)), event)
}
