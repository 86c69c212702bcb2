import Glibc

/// Runs asynchronous work from a plain thread and waits for it there; nil if it was interrupted first, which cancels
/// the work.
///
/// Never call it from a task: it would block Swift's pool.
package func waitFor<Value: Sendable>(
  unless cancellation: Cancellation, _ body: @escaping @Sendable () async -> Value
) -> Value? {
  let answer = Monitor<Value?>(nil)
  let task = Task {
    let value = await body()
    answer.withLock { $0 = value }
  }
  while !cancellation.isRaised {
    if let value = answer.wait(until: .now + .milliseconds(100), { $0 }) { return value }
  }
  task.cancel()
  return nil
}

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

/// Returns true if an open file has data to read; for a pipe, waits until it has.
///
/// False for a terminal, `/dev/null`, a file at its end, and a pipe that was closed; nil if it can't be told: a socket,
/// and a pipe whose writer needs longer.
package func hasData(_ descriptor: Int32, milliseconds: Int32) -> Bool? {
  guard let status = FileStatus(descriptor: descriptor) else { return nil }
  switch status.kind {
  case S_IFCHR: return false
  case S_IFREG: return lseek(descriptor, 0, SEEK_CUR) < status.st_size
  case S_IFIFO:
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, milliseconds) == 1 else { return nil }
    return input.revents & Int16(POLLIN) != 0
  default: return nil
  }
}
