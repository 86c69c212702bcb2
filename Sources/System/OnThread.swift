// System: one implementation each of what uses the operating system; it does not depend on printing. Threads are for
// blocking C code: libcups and Avahi block, and libcups keeps state per thread, so neither may run on Swift's
// cooperative pool. A whole exchange is one synchronous function on its own thread, started here.

import Glibc

/// Runs `body` on a new thread, and returns its result or throws its error.
///
/// The thread ends with `body`. Canceling the waiting task does not end it: pass `body` a `Cancellation` for that.
package func onThread<Success: Sendable, Problem: Error>(
  _ body: @escaping @Sendable () throws(Problem) -> Success
) async throws(Problem) -> Success {
  let result: Result<Success, Problem> = await withCheckedContinuation { continuation in
    detachThread { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.get()
}

/// Starts `body` on a new thread without waiting for it.
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
  // Only reached at the process' limit of threads, where the work can't be done in another way. Exit 70, as for other
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
