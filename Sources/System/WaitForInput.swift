import Glibc

/// Waits on this thread until a descriptor is readable, closed or failed, or until the time is over (poll(2));
/// negative: no limit.
///
/// - Returns: true for each descriptor that is ready, in their order.
package func waitForInput(on descriptors: [Int32], milliseconds: Int32) -> [Bool] {
  var places = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while poll(&places, nfds_t(places.count), milliseconds) < 0 {
    guard errno == EINTR else { return descriptors.map { _ in false } }
  }
  return places.map { $0.revents != 0 }
}
