// Swift finds SOCK_STREAM in the module that includes it first.

internal import CCups
internal import Glibc
internal import System

/// Returns the numeric addresses of a host as the system resolves its name, in the order in which to try them.
///
/// The system's resolver can't be interrupted, and waits tens of seconds for DNS servers that are silent. So it runs on
/// a thread of its own, which ends later.
///
/// No resolver is asked for `localhost` (RFC 6761 §6.3): a container may have neither /etc/hosts nor DNS.
///
/// Throws `.unresolved` if the name has no address, or if none is known within `timeout`, and `.interrupted`.
func numericAddresses(
  of host: String, timeout: Duration, _ cancellation: Cancellation
) throws(IPPError) -> [String] {
  if isLocalhost(host) { return ["127.0.0.1", "::1"] }
  let end = ContinuousClock.now + timeout
  guard let mailbox = try? Mailbox<(addresses: [String], status: Int32)>() else {
    throw IPPError(.unresolved, "no address of \(host) can be looked up: too many files are open")
  }
  detachThread { mailbox.post(lookUp(host)) }
  while true {
    let left = max(.zero, ContinuousClock.now.duration(to: end))
    _ = waitForInput(
      on: [mailbox.descriptor], milliseconds: Int32(min(left, .milliseconds(100)).milliseconds))
    if let (addresses, status) = mailbox.take().first {
      guard status != 0 else { return addresses }
      throw status == EAI_AGAIN
        ? silence(host) : IPPError(.unresolved, "no address is known for \(host)")
    }
    if cancellation.isRaised { throw IPPError(.interrupted, "interrupted") }
    if left == .zero { throw silence(host) }
  }
}

/// True for `localhost` and every name below it, with or without the final dot.
private func isLocalhost(_ host: String) -> Bool {
  let name = ".\(host.lowercased())"
  return name.hasSuffix(".localhost") || name.hasSuffix(".localhost.")
}

private func silence(_ host: String) -> IPPError {
  IPPError(.unresolved, "no DNS server answers for \(host)")
}

/// Returns a host's addresses and the status of getaddrinfo(3).
private func lookUp(_ host: String) -> (addresses: [String], status: Int32) {
  var hints = addrinfo()
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  var list: UnsafeMutablePointer<addrinfo>?
  let status = getaddrinfo(host, nil, &hints, &list)
  guard status == 0 else { return ([], status) }
  defer { freeaddrinfo(list) }
  var addresses: [String] = []
  var next = list
  while let entry = next?.pointee {
    next = entry.ai_next
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isText =
      getnameinfo(
        entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    if isText, !addresses.contains(text.text) { addresses.append(text.text) }
  }
  return (addresses, status)
}

/// The addresses of a printer as libcups' linked list, freed together with this object.
final class AddressList {
  let first: UnsafeMutablePointer<http_addrlist_t>

  /// Makes a list of the numeric `addresses` in their order, or resolves `host` within `timeout` if there are none.
  init(
    _ host: String, port: Int, at addresses: [String], timeout: Duration,
    _ cancellation: Cancellation
  ) throws(IPPError) {
    let addresses =
      addresses.isEmpty
      ? try numericAddresses(of: host, timeout: timeout, cancellation) : addresses
    var head: UnsafeMutablePointer<http_addrlist_t>?
    var tail: UnsafeMutablePointer<http_addrlist_t>?
    for name in addresses {
      guard let list = httpAddrGetList(name, AF_UNSPEC, String(port)) else { continue }
      if head == nil { head = list } else { tail?.pointee.next = list }
      tail = list
      while let next = tail?.pointee.next { tail = next }
    }
    guard let head else {
      throw IPPError(.unresolved, "no address is known for \(host)")
    }
    first = head
  }

  deinit { httpAddrFreeList(first) }

  /// True if a host of the list refuses the connection.
  ///
  /// libcups does not distinguish a refusal from an unreachable host (both end as EHOSTDOWN), and only the second is
  /// worth waiting for.
  var isRefused: Bool {
    var next: UnsafeMutablePointer<http_addrlist_t>? = first
    while let entry = next {
      if AddressList.isRefused(&entry.pointee.addr) { return true }
      next = entry.pointee.next
    }
    return false
  }

  private static func isRefused(_ address: UnsafeMutablePointer<http_addr_t>) -> Bool {
    let descriptor = socket(
      httpAddrFamily(address), Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let length = socklen_t(httpAddrLength(address))
    let status = UnsafeMutableRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1)
    {
      connect(descriptor, $0, length)
    }
    if status == 0 { return false }
    if errno == ECONNREFUSED { return true }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard errno == EINPROGRESS, poll(&waiting, 1, 200) > 0 else { return false }
    var problem: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
    return problem == ECONNREFUSED
  }
}
