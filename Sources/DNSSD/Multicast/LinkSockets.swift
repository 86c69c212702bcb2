import System

/// Every link that this machine is on.
///
/// It belongs to one thread.
final class LinkSockets {
  private(set) var sockets: [LinkSocket] = []
  /// Of all questions: answers that were asked for carry it (RFC 6762 §18.1), or 0.
  private let id = UInt16.random(in: 1...UInt16.max)

  init() { refresh() }

  /// Looks which interfaces there are now; gives those that are gone.
  @discardableResult
  func refresh() -> [LinkInterface] {
    let places = LinkInterface.all()
    let gone = sockets.filter { !places.contains($0.place) }
    sockets.removeAll { socket in gone.contains { $0 === socket } }
    for place in places where !sockets.contains(where: { $0.place == place }) {
      if let socket = LinkSocket(place) { sockets.append(socket) }
    }
    return gone.map(\.place)
  }

  /// Asks on one link, in as many messages as there are groups of questions.
  ///
  /// - `isShared`: also as multicast DNS' own hosts ask, so that the answer comes to all of the link.
  /// - `known`: answers that need not come to all of the link again (RFC 6762 §7.1); who is asked alone gives them.
  func ask(
    _ groups: [[DNSQuestion]], on socket: LinkSocket, isShared: Bool = true,
    knowing known: (DNSQuestion) -> [DNSRecord] = { _ in [] }
  ) {
    for questions in groups where !questions.isEmpty {
      guard let bytes = DNSMessage.query(questions, id: id).bytes else { continue }
      // A multicast query gets a multicast answer, and has no ID (RFC 6762 §18.1).
      let toAll = questions.map { DNSQuestion($0.name, $0.type) }
      let shared = DNSMessage.queries(toAll, knowing: questions.flatMap(known))
      socket.send(bytes, shared: isShared ? shared.compactMap(\.bytes) : [])
    }
  }

  /// Waits for answers and hands them on, until then or until the signal is raised; returns true if it was.
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
      // One link's flood does not keep the others waiting.
      for _ in 0..<64 {
        guard let message = socket.receive(descriptor) else { break }
        let isAnswer = message.isResponse && message.flags & 0x780F == 0
        if isAnswer, [0, id].contains(message.id) { take(message, socket.place) }
      }
    }
    return stop.isRaised
  }
}
