import Glibc
import System

/// The sockets for multicast DNS on one interface with one IP version.
///
/// One sends queries from its own port, so that responders answer it alone (RFC 6762 §5.1, §6.7). Such an answer is
/// limited to 512 octets, and Avahi drops the rest: all but four of a server's printers. So the other uses the shared
/// port, and receives multicast answers.
final class LinkSocket {
  /// RFC 6762 §3.
  static let port: UInt16 = 5353
  private static let group4: [UInt8] = [224, 0, 0, 251]
  private static let group6: [UInt8] = [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB]

  let place: LinkInterface
  /// The multicast address.
  private let group: SocketAddress
  /// Of the socket with its own port, and of the shared port if it can be shared.
  let descriptors: [Int32]
  private var room = [UInt8](repeating: 0, count: 9_000)

  /// Opens the sockets; nil if the interface is gone, or does not support multicast.
  init?(_ place: LinkInterface) {
    self.place = place
    group = SocketAddress(
      place.link.transport == .ipv6 ? Self.group6 : Self.group4, port: Self.port,
      interfaceIndex: UInt32(place.link.interface.index))
    guard let address = place.networks.first?.address else { return nil }
    let own = SocketAddress(address, port: 0, interfaceIndex: group.interfaceIndex)
    guard let alone = Self.open(place, at: own) else { return nil }
    descriptors = [alone, Self.open(place, at: group, isGroup: true)].compactMap(\.self)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Sends to all hosts on the link, `message` from its own port and `shared` from the shared one.
  ///
  /// Lost messages are sent again later.
  func send(_ message: [UInt8], shared: [[UInt8]]) {
    group.apply { address, size in
      for (descriptor, messages) in zip(descriptors, [[message], shared]) {
        for bytes in messages {
          _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
        }
      }
    }
  }

  /// Receives the next message that can be an answer: from the multicast DNS port and from this link (RFC 6762 §6,
  /// §11).
  ///
  /// Nil if there is none, or if too many others precede it.
  func receive(_ descriptor: Int32) -> DNSMessage? {
    for _ in 0..<64 {
      var count = 0
      let source = SocketAddress { address, size in
        count = recvfrom(descriptor, &room, room.count, 0, address, size)
        return count >= 0
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard let source, source.port == Self.port, place.reaches(source.octets),
        let message = DNSMessage(Array(room.prefix(count)))
      else { continue }
      return message
    }
    return nil
  }

  /// Opens a socket for multicast on one interface; nil if that is not possible.
  ///
  /// - `isGroup`: receives what is sent to `address` on this interface only, and lets others use the same port.
  private static func open(
    _ place: LinkInterface, at address: SocketAddress, isGroup: Bool = false
  ) -> Int32? {
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let isIPv6 = place.link.transport == .ipv6
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    let index = Int32(place.link.interface.index)
    let (v4, v6) = (Int32(IPPROTO_IP), Int32(IPPROTO_IPV6))
    func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) -> Bool {
      withUnsafePointer(to: value) {
        setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) == 0
      }
    }
    var request4 = ip_mreqn(
      imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: index)
    var isReady =
      (!isGroup || set(SOL_SOCKET, SO_REUSEADDR, Int32(1)))
      && (isIPv6
        ? set(v6, IPV6_V6ONLY, Int32(1)) && set(v6, IPV6_MULTICAST_IF, index)
          && set(v6, IPV6_MULTICAST_HOPS, Int32(255))
        : set(v4, IP_MULTICAST_IF, request4) && set(v4, IP_MULTICAST_TTL, Int32(255)))
    if isReady, isGroup, isIPv6 {
      var request = ipv6_mreq(ipv6mr_multiaddr: in6_addr(), ipv6mr_interface: UInt32(index))
      withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) { $0.copyBytes(from: address.octets) }
      isReady = set(v6, IPV6_JOIN_GROUP, request)
    } else if isReady, isGroup {
      withUnsafeMutableBytes(of: &request4.imr_multiaddr) { $0.copyBytes(from: address.octets) }
      isReady = set(v4, IP_MULTICAST_ALL, Int32(0)) && set(v4, IP_ADD_MEMBERSHIP, request4)
    }
    if isReady, address.apply({ bind(descriptor, $0, $1) == 0 }) { return descriptor }
    close(descriptor)
    return nil
  }
}

/// The sockets of every link of this machine.
///
/// Confined to one thread.
final class LinkSockets {
  private(set) var sockets: [LinkSocket] = []
  /// The ID of all queries: answers to them have it (RFC 6762 §18.1), or 0.
  private let id = UInt16.random(in: 1...UInt16.max)

  init() { refresh() }

  /// Updates the list of interfaces; returns those that are gone.
  @discardableResult
  func refresh() -> [LinkInterface] {
    let interfaces = LinkInterface.all()
    let gone = sockets.filter { !interfaces.contains($0.place) }
    sockets.removeAll { socket in gone.contains { $0 === socket } }
    for place in interfaces where !sockets.contains(where: { $0.place == place }) {
      if let socket = LinkSocket(place) { sockets.append(socket) }
    }
    return gone.map(\.place)
  }

  /// Sends queries on one link, one message for each group of questions.
  ///
  /// - `isShared`: also sends them as multicast DNS hosts do, so that all of the link receives the answer.
  /// - `known`: answers that need not be sent to all of the link again (RFC 6762 §7.1); a host that is queried alone
  ///   sends them.
  func ask(
    _ groups: [[DNSQuestion]], on socket: LinkSocket, isShared: Bool = true,
    knowing known: (DNSQuestion) -> [DNSRecord] = { _ in [] }
  ) {
    for questions in groups where !questions.isEmpty {
      guard let bytes = DNSMessage(id: id, questions: questions).bytes else { continue }
      // A multicast query gets a multicast answer, and has no ID (RFC 6762 §18.1).
      let toAll = questions.map { DNSQuestion($0.name, $0.type) }
      let shared = DNSMessage.queries(toAll, knowing: questions.flatMap(known))
      socket.send(bytes, shared: isShared ? shared.compactMap(\.bytes) : [])
    }
  }

  /// Waits for answers and passes them on until the deadline or the signal; returns true if the signal was raised.
  func listen(
    until end: ContinuousClock.Instant, or stop: StopSignal,
    _ take: (DNSMessage, LinkInterface) -> Void
  ) -> Bool {
    let left = ContinuousClock.now.duration(to: end)
    let timeout = max(0, min(Int32(600_000), Int32(clamping: Int(left / .milliseconds(1)) + 1)))
    let ends = sockets.flatMap { socket in socket.descriptors.map { (socket, $0) } }
    let ready = waitForInput(
      on: [stop.descriptor] + ends.map(\.1), milliseconds: left > .zero ? timeout : 0)
    for ((socket, descriptor), isReady) in zip(ends, ready.dropFirst()) where isReady {
      // One link's flood must not delay the others.
      for _ in 0..<64 {
        guard let message = socket.receive(descriptor) else { break }
        let isAnswer = message.isResponse && message.flags & 0x780F == 0
        if isAnswer, [0, id].contains(message.id) { take(message, socket.place) }
      }
    }
    return stop.isRaised
  }
}

/// An interface with one IP version, and the networks on its link.
struct LinkInterface: Equatable {
  var link: Link
  /// At least one.
  var networks: [Network]

  /// An address of this machine, with its network mask.
  struct Network: Equatable {
    var address: [UInt8]
    var mask: [UInt8]

    func contains(_ other: [UInt8]) -> Bool {
      guard other.count == address.count, mask.count == address.count else { return false }
      return zip(zip(address, other), mask).allSatisfy { $0.0 & $1 == $0.1 & $1 }
    }
  }

  /// Returns true if an address is on this link.
  func reaches(_ address: [UInt8]) -> Bool {
    NetworkAddress(octets: address).isLinkLocal || networks.contains { $0.contains(address) }
  }

  /// Most interfaces considered; no machine has printers on more.
  static let maximum = 64

  /// Returns all interfaces that are up and support multicast; loopback only if there is no other, as in a container.
  static func all() -> [LinkInterface] {
    let interfaces = all(onLoopback: false)
    return interfaces.isEmpty ? all(onLoopback: true) : interfaces
  }

  private static func all(onLoopback: Bool) -> [LinkInterface] {
    var interfaces: [LinkInterface] = []
    let needed = Int32(IFF_UP | IFF_MULTICAST)
    for entry in InterfaceAddress.all
    where entry.flags & needed == needed && (entry.flags & Int32(IFF_LOOPBACK) != 0) == onLoopback
      && !entry.mask.isEmpty
    {
      let interface = NetworkInterface(
        index: Int(if_nametoindex(entry.interfaceName)), name: entry.interfaceName)
      let link = Link(
        interface: interface, transport: entry.octets.count == 4 ? .ipv4 : .ipv6)
      let network = Network(address: entry.octets, mask: entry.mask)
      if let index = interfaces.firstIndex(where: { $0.link == link }) {
        interfaces[index].networks.append(network)
      } else if interfaces.count < maximum {
        interfaces.append(LinkInterface(link: link, networks: [network]))
      }
    }
    return interfaces.map(\.withLinkLocalFirst)
  }

  /// IPv6 queries are sent from a link-local address: RFC 6762 §15.1 does not require it, but responders check it.
  private var withLinkLocalFirst: LinkInterface {
    var place = self
    let local = networks.filter { NetworkAddress(octets: $0.address).isLinkLocal }
    place.networks =
      link.transport == .ipv6 ? local + networks.filter { !local.contains($0) } : networks
    return place
  }
}
