internal import AirprintContext
internal import IPP
internal import PrintModel
internal import Settings
internal import System

// A printer that is not where it was.

extension PrinterConnection {
  /// As many printers as may say that they are the one that has moved.
  private static let mostCandidates = 4
  /// One that has not answered by then is waited for beside the next.
  private static let headStart = Duration.seconds(1)
  /// Answers of one that may not be the printer that is looked for.
  private static let mayBeAnother: [IPPError.Kind] = [
    .refused, .silent, .broken, .unresolved, .untrusted, .outdated, .insecure,
  ]

  /// Looks for a printer that is not where it was.
  ///
  /// Those that say that they are it are asked side by side: one that is silent holds up nobody. Only the one that
  /// shows the pinned key is taken for it: an authority's word for a host that the network told proves nothing.
  static func elsewhere(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    after first: IPPError, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    var there = security
    there.host = nil
    // If nothing proves that it is the printer, nobody's password goes unasked.
    if target.saved != nil, security.pin == nil, !security.isAttended { there.isAnonymous = true }
    var left: Duration { max(.seconds(1), ContinuousClock.now.duration(to: deadline)) }
    let round = Candidates()
    defer { round.end() }
    var last = first
    var moved: PrinterReference?
    repeat {
      moved =
        round.all.count == mostCandidates
        ? nil
        : relocate(
          target, besides: [target] + round.all, isPinned: security.pin != nil, context,
          cancellation)
      if let moved { round.ask(moved, context, quirks, there, patience: left) }
      for (candidate, problem) in round.answers(within: headStart, unless: cancellation) {
        if let problem, mayBeAnother.contains(problem.kind) {
          last = problem
          continue
        }
        do {
          let session = try PrinterConnection(
            candidate, context, quirks, there, patience: left, cancellation)
          if target.saved != nil { session.settleIn(security, context) }
          return session
        } catch {
          last = error
          if !mayBeAnother.contains(error.kind) { throw failure(error, target, cancellation) }
        }
      }
      if cancellation.isRaised {
        throw failure(IPPError(.interrupted, "interrupted"), target, cancellation)
      }
    } while (moved != nil || round.isWaiting) && ContinuousClock.now < deadline
    return try reachSleeping(
      target, context, quirks, security, patience: left, after: (first, last), cancellation)
  }

  /// Waits for a printer that sleeps, where it was; throws what is most worth saying of the search where none was
  /// silent.
  private static func reachSleeping(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    patience: Duration, after errors: (first: IPPError, last: IPPError),
    _ cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    let first = errors.first
    var last = errors.last
    if first.kind == .silent {
      do {
        return try PrinterConnection(
          target, context, quirks, security, patience: patience, cancellation)
      } catch {
        last = error
      }
    }
    let isTelling =
      [.untrusted, .outdated].contains(first.kind) && last.kind != .interrupted
    throw failure(isTelling ? first : last, target, cancellation)
  }

  /// The printer where it is now, if that is another address than those of `tried`.
  ///
  /// One that was never encrypted is taken without encryption, where it has both: what is shown
  /// there would prove nothing.
  private static func relocate(
    _ target: PrinterReference, besides tried: [PrinterReference], isPinned: Bool,
    _ context: Context,
    _ cancellation: Cancellation
  ) -> PrinterReference? {
    let look = waitFor(unless: cancellation) {
      await Printers.relocate(target, besides: tried, context)
    }
    guard let found = look ?? nil else { return nil }
    let place = PrinterReference(found)
    var moved = target
    moved.uri = place.uri
    moved.addresses = place.addresses
    if !isPinned, target.uri.hasPrefix("ipp:"),
      let plain = found.endpoints.first(where: { !$0.isSecure })
    {
      moved.uri = plain.uri
      moved.addresses = found.endpoints.filter { $0.uri == plain.uri }.compactMap(\.address)
    }
    return tried.contains { $0.uri == moved.uri && $0.addresses == moved.addresses } ? nil : moved
  }
}

/// Printers that say that they are one that has moved, and what happened to asking them.
///
/// Each is asked on a thread of its own, over a connection that is thrown away: who is taken is contacted anew, by
/// whoever the connection is to belong to.
private final class Candidates {
  private(set) var all: [PrinterReference] = []
  private var asked = 0
  private let mailbox = try? Mailbox<(number: Int, problem: IPPError?)>()
  private let cancellation = Cancellation()

  var isWaiting: Bool { asked > 0 }

  func ask(
    _ candidate: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    patience: Duration
  ) {
    let number = all.count
    all.append(candidate)
    var security = security
    security.isAnonymous = true
    guard let mailbox else { return }
    asked += 1
    detachThread { [mailbox, cancellation, security] in
      do throws(IPPError) {
        _ = try PrinterConnection(
          candidate, context, quirks, security, patience: patience, cancellation)
        mailbox.post((number, nil))
      } catch {
        mailbox.post((number, error))
      }
    }
  }

  /// The next answers; a problem is nil where a printer answered as the one that is meant does.
  func answers(
    within patience: Duration, unless interruption: Cancellation
  ) -> [(PrinterReference, IPPError?)] {
    guard let mailbox else { return [] }
    let end = ContinuousClock.now + patience
    while isWaiting, !interruption.isRaised, .now < end {
      let left = min(.milliseconds(200), ContinuousClock.now.duration(to: end))
      _ = waitForInput(
        on: [mailbox.descriptor], milliseconds: Int32(left / .milliseconds(1)) + 1)
      let answers = mailbox.take()
      asked -= answers.count
      if !answers.isEmpty { return answers.map { (all[$0.number], $0.problem) } }
    }
    return []
  }

  /// Lets nobody go on asking.
  func end() { cancellation.raise() }
}
