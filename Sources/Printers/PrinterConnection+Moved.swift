internal import AirprintContext
internal import IPP
internal import PrintModel
internal import Settings
internal import System

// A printer that is not where it was.

extension PrinterConnection {
  /// As many printers as may say that they are the one that has moved.
  private static let mostCandidates = 256
  /// Answers of one that may not be the printer that is looked for.
  private static let mayBeAnother: [IPPError.Kind] = [
    .refused, .silent, .broken, .unresolved, .untrusted, .outdated, .insecure,
  ]

  /// Looks for a printer that is not where it was.
  ///
  /// The first that says that it is it is asked at once; where it is not, all that say so, side by side: any number that
  /// are silent hold up nobody. Only the one that shows the pinned key is taken for it: an authority's word for a host
  /// that the network told proves nothing.
  static func elsewhere(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    after first: IPPError, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    var there = security
    there.host = nil
    // If nothing proves that it is the printer, nobody's password goes unasked.
    if target.saved != nil, security.pin == nil, !security.isAttended { there.isAnonymous = true }
    var left: Duration { max(.seconds(1), ContinuousClock.now.duration(to: deadline)) }
    let round = Candidates(context, quirks, there, until: deadline)
    defer { round.end() }
    var last = first
    var moved: [PrinterReference] = []
    repeat {
      moved =
        round.all.count >= mostCandidates
        ? []
        : relocate(
          target, besides: round.all, isPinned: security.pin != nil, context, cancellation)
      round.add(moved.prefix(mostCandidates - round.all.count))
      for (candidate, problem) in round.answers(unless: cancellation) {
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
    } while (!moved.isEmpty || round.isWaiting) && ContinuousClock.now < deadline
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

  /// Where the printer may be now: who says first that it is it; besides others all who say so.
  ///
  /// One that was never encrypted is taken without encryption, where it has both: what is shown
  /// there would prove nothing.
  private static func relocate(
    _ target: PrinterReference, besides others: [PrinterReference], isPinned: Bool,
    _ context: Context, _ cancellation: Cancellation
  ) -> [PrinterReference] {
    let tried = [target] + others
    let look = waitFor(unless: cancellation) {
      await Printers.relocate(target, besides: tried, all: !others.isEmpty, context)
    }
    let places = (look ?? []).map { found in
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
      return moved
    }
    return places.filter { place in
      !tried.contains { $0.uri == place.uri && $0.addresses == place.addresses }
    }.inTurn
  }
}

extension [PrinterReference] {
  /// The first of each address before the second of any: a stranger's many come behind the only one of another.
  fileprivate var inTurn: [PrinterReference] {
    var counts: [String: Int] = [:]
    let turns = map { printer in
      let count = counts[printer.addresses.first ?? printer.uri, default: 0]
      counts[printer.addresses.first ?? printer.uri] = count + 1
      return count
    }
    return zip(self, turns).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }
}

/// Printers that say that they are one that has moved, and what happened to asking them.
///
/// Each is asked on a thread of its own, over a connection that is thrown away: who is taken is contacted anew, by
/// whoever the connection is to belong to.
private final class Candidates {
  /// Printers that are asked at one time.
  private static let mostAtOnce = 32
  /// One that has not answered by then is waited for beside the next, and leaves its place where there is none.
  private static let headStart = Duration.seconds(1)

  private(set) var all: [PrinterReference] = []
  /// How many of them were asked.
  private var begun = 0
  /// Those of whom an answer is still wanted, by their number.
  private var open: [Int: (cancellation: Cancellation, since: ContinuousClock.Instant)] = [:]
  private let mailbox = try? Mailbox<(number: Int, problem: IPPError?)>()
  private let context: Context
  private let quirks: Quirks
  private let security: Security
  private let deadline: ContinuousClock.Instant

  /// - `security`: what they have to show; no password goes to anybody.
  init(
    _ context: Context, _ quirks: Quirks, _ security: Security,
    until deadline: ContinuousClock.Instant
  ) {
    (self.context, self.quirks, self.deadline) = (context, quirks, deadline)
    var security = security
    security.isAnonymous = true
    self.security = security
  }

  var isWaiting: Bool { !open.isEmpty || begun < all.count }

  func add(_ candidates: some Sequence<PrinterReference>) { all += candidates }

  /// Asks those whose turn it is; the one that has been silent for longest makes room.
  private func askNext() {
    while begun < all.count, let mailbox {
      if open.count >= Self.mostAtOnce {
        guard let oldest = open.min(by: { $0.value.since < $1.value.since }),
          oldest.value.since + Self.headStart <= .now
        else { return }
        oldest.value.cancellation.raise()
        open[oldest.key] = nil
      }
      let (number, candidate, cancellation) = (begun, all[begun], Cancellation())
      begun += 1
      open[number] = (cancellation, .now)
      let patience = max(.seconds(1), ContinuousClock.now.duration(to: deadline))
      detachThread { [mailbox, context, quirks, security] in
        do throws(IPPError) {
          _ = try PrinterConnection(
            candidate, context, quirks, security, patience: patience, cancellation)
          mailbox.post((number, nil))
        } catch {
          mailbox.post((number, error))
        }
      }
    }
  }

  /// The next answers; a problem is nil where a printer answered as the one that is meant does.
  ///
  /// None: nobody has answered for a while, and more may be looked for.
  func answers(unless interruption: Cancellation) -> [(PrinterReference, IPPError?)] {
    guard let mailbox else { return [] }
    var end = ContinuousClock.now + Self.headStart
    while isWaiting, !interruption.isRaised, .now < end {
      askNext()
      if begun < all.count { end = min(deadline, .now + Self.headStart) }
      let left = min(.milliseconds(200), ContinuousClock.now.duration(to: end))
      _ = waitForInput(
        on: [mailbox.descriptor], milliseconds: Int32(left / .milliseconds(1)) + 1)
      let answers = mailbox.take().filter { open.removeValue(forKey: $0.number) != nil }
      if !answers.isEmpty { return answers.map { (all[$0.number], $0.problem) } }
    }
    return []
  }

  /// Lets nobody go on asking.
  func end() { for (cancellation, _) in open.values { cancellation.raise() } }
}
