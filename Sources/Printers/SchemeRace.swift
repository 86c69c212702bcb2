internal import System

/// The answer of a host over one scheme.
enum SchemeAnswer<Found: Sendable>: Sendable {
  case found(Found)
  /// The name belongs to no host, as far as is known: the reason.
  case noHost(String)
  case failed([FailedAddress])
}

/// Contacts a host over its schemes, the encrypted one first, and returns the first answer that counts.
///
/// A server without TLS may keep a handshake waiting instead of refusing it, so the other scheme is tried beside it
/// after a moment. Its answer counts only if the encrypted one fails: a slow printer may need seconds for a handshake.
///
/// - `schemes`: at least one.
/// - `timeout`: time for everything; nil: each scheme ends by its own limits.
/// - `ask`: contacts the host over one scheme, on a thread of its own, and heeds the cancellation.
func raceSchemes<Found: Sendable>(
  _ schemes: [String], timeout: Duration?,
  _ ask: @escaping @Sendable (_ scheme: String, Cancellation) -> SchemeAnswer<Found>
) async -> SchemeAnswer<Found> {
  let headStart = min(.seconds(1), (timeout ?? .seconds(4)) / 4)
  let cancellation = Cancellation()
  let contacts = schemes.enumerated().map { number, scheme in
    let mayStart = Cancellation()
    return (
      mayStart,
      Task {
        // Ended early by the failure of the one before.
        await onThread { () throws(Never) in
          _ = mayStart.sleep(headStart * number)
          return cancellation.isRaised ? .failed([]) : ask(scheme, cancellation)
        }
      }
    )
  }
  // Each contact then ends at once, with what it has tried.
  let timer = Task {
    guard let timeout, (try? await Task.sleep(for: timeout)) != nil else { return }
    cancellation.raise()
  }
  defer {
    timer.cancel()
    cancellation.raise()
    for (mayStart, _) in contacts { mayStart.raise() }
  }
  var failures: [FailedAddress] = []
  for (mayStart, contact) in contacts {
    mayStart.raise()
    let answer = await contact.value
    guard case .failed(let more) = answer else { return answer }
    failures += more
  }
  return .failed(failures)
}
