// System: what talks to the operating system, once each; it knows nothing of printing. Threads are for blocking
// C: libcups and Avahi block, and libcups keeps its state per thread, so neither may run on Swift's cooperative
// pool. A whole exchange is one synchronous function on one thread of its own, made here.

import Glibc

/// Runs `body` on a new thread, and returns or throws as it does.
///
/// The thread ends with `body`. Canceling the task that waits does not end it: hand `body` an
/// `Cancellation` for that.
package func onThread<Success: Sendable, Problem: Error>(
  _ body: @escaping @Sendable () throws(Problem) -> Success
) async throws(Problem) -> Success {
  let result: Result<Success, Problem> = await withCheckedContinuation { continuation in
    detachThread { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.get()
}

/// Starts `body` on a new thread that is not waited for.
package func detachThread(_ body: @escaping @Sendable () -> Void) {
  let start = Unmanaged.passRetained(ThreadStart(body))
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }, start.toOpaque())
  // Only a process at its limit of threads gets here; it could not do its work another way. Exit 70, as for other
  // limits of the machine.
  guard status == 0 else {
    let words =
      "airprint: No thread can be started (\(String(cString: strerror(status)))). Raise the limit of "
      + "processes: ulimit -u, or TasksMax= of a service.\n"
    _ = Array(words.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    _exit(70)
  }
  pthread_detach(thread)
}

private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
