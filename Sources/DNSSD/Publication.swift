internal import CAvahi
import Glibc
import System

/// Services announced under one name, on Avahi's own host name: a record on another host name never resolves, because
/// nobody answers for its address.
///
/// It lasts until `withdraw`. If the name is taken, a number is appended, and if Avahi restarts, the services are
/// announced again.
package final class Publication: Sendable {
  private let stop: StopSignal
  private let state = Monitor(State.waiting)

  private enum State: Sendable {
    case waiting
    case announced(name: String)
    case refused(DNSSDError)
    case over
  }

  /// Starts announcing the services; `awaitName` returns the result.
  ///
  /// - `types`: of the services, as `_ipp._tcp`; `_universal` of `subtypes` is `_universal._sub._ipp._tcp`.
  /// - `text`: `key=value`, each at most 255 bytes.
  /// - `onLoopback`: only on this machine's loopback interface (Avahi 0.8 and later), instead of on all.
  /// - Throws: `.refused` when it runs out of descriptors; a printer is then served without being listed.
  package init(
    _ name: String, types: [String], subtypes: [String], port: Int, text: [String],
    onLoopback: Bool
  ) throws(DNSSDError) {
    stop = try StopSignal()
    let services = Services(types: types, subtypes: subtypes, port: port, text: text)
    detachThread { [self] in
      do throws(DNSSDError) {
        try PublishSession(name, services, onLoopback: onLoopback, until: stop) { [self] name in
          state.withLock { $0 = .announced(name: name) }
        }.run()
        state.withLock { $0 = .over }
      } catch {
        state.withLock { $0 = .refused(error) }
      }
    }
  }

  /// Waits until Avahi has registered the services, a second after it checked that the name is free, and returns their
  /// name, which differs from the requested one if that was taken.
  ///
  /// - Throws: `.refused` when Avahi refuses, and `.noDaemon` after five seconds. Neither ends a command: `simulate`
  ///   reports it and keeps serving.
  package func awaitName() throws(DNSSDError) -> String {
    let result = state.wait(until: .now + .seconds(5)) { state -> State? in
      if case .waiting = state { nil } else { state }
    }
    switch result {
    case .announced(let name)?: return name
    case .refused(let error)?: throw error
    case .over?: throw DNSSDError(.refused, avahi: Int32(AVAHI_ERR_FAILURE))
    case .waiting?, nil: throw DNSSDError(.noDaemon, avahi: Int32(AVAHI_ERR_NO_DAEMON))
    }
  }

  /// Withdraws the services and waits until the network has been notified, at most a second.
  package func withdraw() {
    stop.raise()
    _ = state.wait(until: .now + .seconds(1)) { state in
      switch state {
      case .over, .refused: true
      case .waiting, .announced: nil
      }
    }
  }
}

private struct Services {
  let types: [String]
  let subtypes: [String]
  let port: Int
  let text: [String]
}

/// A publication's connection to Avahi.
///
/// Confined to the thread that made it. Avahi's callbacks hold it unretained, and are only called while `run` runs.
private final class PublishSession {
  private let loop: EventLoop
  private let services: Services
  private let interface: AvahiIfIndex
  private let announced: (String) -> Void
  private var name: String
  /// nil while there is no bus.
  private var client: OpaquePointer?
  private var group: OpaquePointer?
  private var refusal: DNSSDError?

  init(
    _ name: String, _ services: Services, onLoopback: Bool,
    until stop: StopSignal, announced: @escaping (String) -> Void
  ) throws(DNSSDError) {
    self.name = name
    self.services = services
    self.announced = announced
    interface = onLoopback ? AvahiIfIndex(if_nametoindex("lo")) : AvahiIfIndex(AVAHI_IF_UNSPEC)
    loop = try EventLoop(until: stop)
    client = try loop.connect()
  }

  deinit { disconnect() }

  /// Frees the client, and its group with it.
  private func disconnect() {
    if let client { avahi_client_free(client) }
    (client, group) = (nil, nil)
  }

  /// Announces the services, and answers for them until the stop signal is raised.
  func run() throws(DNSSDError) {
    var lastAttempt = ContinuousClock.now
    repeat {
      switch client.map(avahi_client_get_state) {
      // The daemon or the bus went away.
      case AVAHI_CLIENT_FAILURE?: disconnect()
      case AVAHI_CLIENT_S_RUNNING?: if group == nil { try announce() }
      case nil:
        guard lastAttempt + .seconds(1) <= .now else { break }
        lastAttempt = .now
        client = try? loop.connect()
      default:
        // When the host name changes, its records go with it.
        if let group { avahi_entry_group_free(group) }
        group = nil
      }
    } while refusal == nil && loop.turn(timeout: 500)
    // Freeing the group makes the daemon send a goodbye to the network.
    if let group { avahi_entry_group_free(group) }
    if let refusal { throw refusal }
  }

  private func announce() throws(DNSSDError) {
    guard
      let group = avahi_entry_group_new(
        client,
        { _, state, context in
          guard let context else { return }
          Unmanaged<PublishSession>.fromOpaque(context).takeUnretainedValue().changed(state)
        }, Unmanaged.passUnretained(self).toOpaque())
    else { throw DNSSDError(.refused, avahi: problem) }
    self.group = group
    try fill(group)
  }

  private func fill(_ group: OpaquePointer) throws(DNSSDError) {
    for type in services.types {
      var status = add(type, to: group)
      if status == Int32(AVAHI_ERR_COLLISION) {
        // Another service of this machine has the name.
        avahi_entry_group_reset(group)
        name = alternative(to: name)
        return try fill(group)
      }
      for subtype in services.subtypes where status == 0 {
        status = avahi_entry_group_add_service_subtype(
          group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name,
          type, nil, "\(subtype)._sub.\(type)")
      }
      try check(status)
    }
    try check(avahi_entry_group_commit(group))
  }

  private func check(_ status: Int32) throws(DNSSDError) {
    guard status == 0 else { throw DNSSDError(.refused, avahi: status) }
  }

  private func add(_ type: String, to group: OpaquePointer) -> Int32 {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // Each entry is prepended, so add them in reverse order.
    for entry in services.text.reversed() { list = avahi_string_list_add(list, entry) }
    defer { avahi_string_list_free(list) }
    return avahi_entry_group_add_service_strlst(
      group, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name,
      type, nil, nil, UInt16(clamping: services.port), list)
  }

  /// Returns the next name to try: `Sim Laser #2` for `Sim Laser`.
  private func alternative(to name: String) -> String {
    guard let other = avahi_alternative_service_name(name) else { return name + " #2" }
    defer { avahi_free(other) }
    return String(cString: other)
  }

  fileprivate func changed(_ state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: announced(name)
    case AVAHI_ENTRY_GROUP_COLLISION:
      // Another host on the network has the name.
      guard let group else { return }
      name = alternative(to: name)
      avahi_entry_group_reset(group)
      do { try fill(group) } catch { refusal = error }
    case AVAHI_ENTRY_GROUP_FAILURE:
      refusal = DNSSDError(.refused, avahi: problem)
    default: break
    }
  }

  private var problem: Int32 { client.map { avahi_client_errno($0) } ?? 0 }
}
