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
/// Throws `.unresolved` if the name has no address, or if none is known within `patience`, and `.interrupted`.
func numericAddresses(
  of host: String, patience: Duration, _ cancellation: Cancellation
) throws(IPPError) -> [String] {
  if isLocalhost(host) { return ["127.0.0.1", "::1"] }
  let end = ContinuousClock.now + patience
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
