internal import CAvahi
import Glibc
internal import System

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
      AvahiLookupFlags(0), browserSpoke, Unmanaged.passUnretained(self).toOpaque())
    if made == nil { throw DNSSDError(.refused, avahi: avahi_client_errno(client)) }
  }
}

private func browserSpoke(
  _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol,
  _ event: AvahiBrowserEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
  _ domain: UnsafePointer<CChar>?, _ flags: AvahiLookupResultFlags,
  _ context: UnsafeMutableRawPointer?
) {
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
      instance: String(cString: name), type: String(cString: type), domain: String(cString: domain),
      interface: NetworkInterface(index: Int(interface)), transport: .init(transport))
    if event == AVAHI_BROWSER_NEW {
      session.appeared(service, asked: asked, isLocal: isLocal(flags))
    } else {
      session.vanished(service, asked: asked)
    }
  default:  // AVAHI_BROWSER_CACHE_EXHAUSTED: what follows comes from the network
    break
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
