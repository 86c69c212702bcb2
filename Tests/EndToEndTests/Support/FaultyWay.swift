import Glibc
import TestSupport

/// A fault of the connection to a printer, which occurs once, in one direction, after some bytes.
struct Fault: Sendable {
  enum Kind: CaseIterable, Sendable {
    /// Both ends see end of file.
    case cut
    /// Both ends see a reset.
    case reset
    /// Nothing is forwarded until the client gives up.
    case stall
    /// Everything is forwarded a second later.
    case delay
    /// The client can send everything, but the printer only receives the part before the fault.
    case swallow
  }

  var kind: Kind
  /// True for the direction to the printer, false for that to the client.
  var isUp: Bool
  var after: Int
}

extension Fault {
  /// Returns nil two times out of three; otherwise a fault anywhere in a connection with a document of `length`
  /// bytes, more often near the start or end of a request.
  static func random(_ length: Int, _ numbers: inout Dice) -> Fault? {
    guard Int.random(in: 0..<3, using: &numbers) == 0,
      let kind = Kind.allCases.randomElement(using: &numbers)
    else { return nil }
    let isUp = kind == .swallow || Int.random(in: 0..<3, using: &numbers) > 0
    let place = Int.random(in: 0..<4, using: &numbers)
    let after =
      switch place {
      case 0: Int.random(in: 0..<700, using: &numbers)
      case 1: Int.random(in: 0..<5_000, using: &numbers)
      case 2: Int.random(in: length..<length + 3_000, using: &numbers)
      default: Int.random(in: 0..<length, using: &numbers)
      }
    return Fault(kind: kind, isUp: isUp, after: isUp ? after : after % 6_000)
  }
}

extension Door {
  /// Forwards to another port, and calls `fault` for each new connection.
  static func faulty(
    to port: Int, _ fault: @escaping @Sendable () -> Fault?
  ) throws -> Door {
    try Door { door, caller in
      var fault = fault()
      guard let printer = connected(to: port) else { return }
      defer { close(printer) }
      var passed = (up: 0, down: 0)
      while !door.isShut {
        var ends = [
          pollfd(fd: caller, events: Int16(POLLIN), revents: 0),
          pollfd(fd: printer, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ends, 2, 100) >= 0 else { return }
        for (index, end) in ends.enumerated() where end.revents != 0 {
          guard let piece = receive(end.fd) else { return }
          let isUp = index == 0
          let before = isUp ? passed.up : passed.down
          if isUp { passed.up += piece.count } else { passed.down += piece.count }
          let other = isUp ? printer : caller
          guard let wrong = fault, wrong.isUp == isUp, before + piece.count > wrong.after else {
            send(piece[...], to: other)
            continue
          }
          let goodPart = piece.prefix(max(0, wrong.after - before))
          send(goodPart, to: other)
          fault = nil
          guard wrong.kind == .delay else {
            return door.end(wrong.kind, caller, printer)
          }
          usleep(1_000_000)
          send(piece[goodPart.endIndex...], to: other)
        }
      }
    }
  }

  private func end(_ kind: Fault.Kind, _ caller: Int32, _ printer: Int32) {
    switch kind {
    case .cut, .delay: break
    case .reset:
      reset(caller)
      reset(printer)
    case .stall:
      var end = pollfd(fd: caller, events: 0x2000, revents: 0)  // POLLRDHUP
      while !isShut, poll(&end, 1, 50) == 0 {}
    case .swallow:
      var end = pollfd(fd: caller, events: Int16(POLLIN), revents: 0)
      while !isShut, poll(&end, 1, 300) > 0, receive(caller) != nil {}
    }
  }
}
