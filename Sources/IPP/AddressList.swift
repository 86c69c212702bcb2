internal import CCups
internal import Glibc
internal import System

/// The addresses of a printer as libcups' linked list, freed together with this object.
final class AddressList {
  let first: UnsafeMutablePointer<http_addrlist_t>

  /// Makes a list of the numeric `addresses` in their order, or resolves `host` within `patience` if there are none.
  init(
    _ host: String, port: Int, at addresses: [String], patience: Duration,
    _ cancellation: Cancellation
  ) throws(IPPError) {
    let addresses =
      addresses.isEmpty
      ? try numericAddresses(of: host, patience: patience, cancellation) : addresses
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
