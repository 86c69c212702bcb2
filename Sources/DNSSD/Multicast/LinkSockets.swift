import System

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
    let places = LinkInterface.all()
    let gone = sockets.filter { !places.contains($0.place) }
    sockets.removeAll { socket in gone.contains { $0 === socket } }
    for place in places where !sockets.contains(where: { $0.place == place }) {
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
