internal import AirprintContext
internal import ForeignText
internal import IPP
internal import PrintModel
internal import System

// Printers that have moved to another address.

extension PrinterConnection {
  /// Largest number of printers considered that claim to be the one that has moved.
  private static let mostCandidates = 256
  /// Errors of a printer that may not be the one that is wanted.
  private static let mayBeAnother: [IPPError.Kind] = [
    .refused, .silent, .broken, .unresolved, .untrusted, .outdated, .insecure,
  ]

  /// Looks for a printer that is no longer at its address.
  ///
  /// The first claimant is contacted immediately. If it is another printer, all claimants are contacted in parallel, so
  /// that silent ones don't delay the others. Only one that presents the pinned key is accepted: an authority that
  /// vouches for a host named by the network proves nothing.
  static func elsewhere(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    after first: IPPError, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    var left: Duration { max(.seconds(1), ContinuousClock.now.duration(to: deadline)) }
    let round = Candidates(context, quirks, security.elsewhere(target), until: deadline)
    defer { round.end() }
    var last = first
    var isQuiet = true
    repeat {
      // Only now, because a search takes seconds, in which no requests are sent or answers read.
      if isQuiet, round.isAllAsked {
        if round.all.count < mostCandidates {
          let moved = relocate(
            target, besides: round.all, isPinned: security.pin != nil, context, until: deadline,
            cancellation)
          round.add(moved.prefix(mostCandidates - round.all.count))
        }
        guard round.isWaiting else { break }
      }
      let answers = round.nextAnswers(unless: cancellation)
      isQuiet = answers.isEmpty
      for (candidate, problem) in answers {
        if let problem, mayBeAnother.contains(problem.kind) {
          last = problem
          continue
        }
        do {
          let connection = try PrinterConnection(
            candidate, context, quirks, security.elsewhere(candidate), timeout: left, cancellation)
          connection.settleIn(context)
          return connection
        } catch {
          last = error
          if mayBeAnother.contains(error.kind) { continue }
          if candidate.isUnproven { context.note(candidate.doubt) }
          throw failure(error, target, cancellation)
        }
      }
    } while !cancellation.isRaised && ContinuousClock.now < deadline
    if cancellation.isRaised {
      throw failure(IPPError(.interrupted, "interrupted"), target, cancellation)
    }
    return try reachSleeping(
      target, context, quirks, security, timeout: left, after: (first, last), cancellation)
  }

  /// Waits at the original address for a printer that sleeps; if it was not silent, throws the most informative error
  /// of the search.
  private static func reachSleeping(
    _ target: PrinterReference, _ context: Context, _ quirks: Quirks, _ security: Security,
    timeout: Duration, after errors: (first: IPPError, last: IPPError),
    _ cancellation: Cancellation
  ) throws(Failure) -> PrinterConnection {
    let first = errors.first
    var last = errors.last
    if first.kind == .silent {
      do {
        return try PrinterConnection(
          target, context, quirks, security, timeout: timeout, cancellation)
      } catch {
        last = error
      }
    }
    let isTelling =
      [.untrusted, .outdated].contains(first.kind) && last.kind != .interrupted
    throw failure(isTelling ? first : last, target, cancellation)
  }

  /// Returns places where the printer may be now: the first service that claims to be it, or with `others` all that do.
  ///
  /// A printer that was never encrypted is contacted without encryption if it offers both: a certificate would prove
  /// nothing. One at an encrypted address whose certificate is not known yet is never contacted without encryption.
  private static func relocate(
    _ target: PrinterReference, besides others: [PrinterReference], isPinned: Bool,
    _ context: Context, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation
  ) -> [PrinterReference] {
    let tried = [target] + others
    // A domain may have thousands of printers; but the address where it was needs time, too.
    let left = ContinuousClock.now.duration(to: deadline)
    let timeout = max(.seconds(3), min(.seconds(10), left / 3))
    let look = waitFor(unless: cancellation) {
      await Printers.relocate(
        target, besides: tried, all: !others.isEmpty, timeout: timeout, context)
    }
    let places = (look ?? []).flatMap { found in
      let same = found.places.filter { $0.uri.hasPrefix("ipps:") == target.uri.hasPrefix("ipps:") }
      // The other way would be saved, even if the printer was only waking up.
      let isFree = same.isEmpty && (isPinned || target.uri.hasPrefix("ipp:"))
      return (isFree ? found.places : same).map { place in
        var moved = target
        (moved.uri, moved.addresses) = (place.uri, place.addresses)
        moved.saved?.isUnproven = !isPinned
        return moved
      }
    }
    return places.filter { place in
      !tried.contains { $0.uri == place.uri && $0.addresses == place.addresses }
    }.inTurn
  }
}

extension Security {
  /// Returns the settings for a connection to a printer at an address that no user chose: an authority proves nothing
  /// there, what another one was shown neither, and without a pin, nothing proves that it is the saved one, which alone
  /// gets a password.
  func elsewhere(_ target: PrinterReference) -> Security {
    var security = self
    (security.host, security.used) = (nil, UsedChannel())
    guard target.isUnproven else { return security }
    (security.isAnonymous, security.trustsFirst) = (true, false)
    (security.login, security.remedy) = (target.pickCommand, target.pickCommand)
    return security
  }
}

extension PrinterReference {
  /// True for a saved printer at an address where nothing proves that it is the same.
  var isUnproven: Bool { saved?.isUnproven == true }

  /// Returns the reference with the saved printer without a certificate that `printer`, found at another address, claims
  /// to be: a user who chooses it by a name, or from a list, can't tell the two apart.
  func heedingClaim(of printer: DiscoveredPrinter, _ store: PrinterStore) -> PrinterReference {
    let claimed = store.printers.filter { printer.claims(toBe: $0) }
    let isThere = claimed.contains { saved in
      !saved.isUnproven && printer.places.contains { $0.isAt(saved) }
    }
    // A certificate decides by itself.
    guard !isThere, claimed.allSatisfy({ $0.certificate == nil }), var saved = claimed.first else {
      return self
    }
    var target = self
    saved.isUnproven = true
    target.saved = saved
    return target
  }

  /// True if one of its addresses is the saved printer's, or its host if none is known.
  private func isAt(_ saved: SavedPrinter) -> Bool {
    guard let here = PrinterURI(uri), let there = PrinterURI(saved.uri), here.port == there.port
    else { return false }
    return !Set(addresses).isDisjoint(with: saved.addresses + [there.host])
      || saved.addresses.isEmpty && here.host.lowercased() == there.host.lowercased()
  }

  /// The command by which a user declares the printer at this address to be the saved one.
  fileprivate var pickCommand: String {
    "airprint pick \(ShellWord.quoted(uri.safeName)) --as \(ShellWord.quoted((saved?.name ?? name).safeName))"
  }

  /// The sentences about a saved printer that nothing proves to be this one.
  var doubt: String {
    "\(name) is no longer where it was. \(uri) claims to be this printer, but can't prove it. If it is, run: "
      + pickCommand
  }
}

extension [PrinterReference] {
  /// The first of each address before the second of any: a stranger's many entries come after another's only one.
  var inTurn: [PrinterReference] {
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

/// Printers that claim to be one that has moved, and the results of contacting them.
///
/// Each is contacted on its own thread, over a connection that is then discarded; the caller contacts the accepted one
/// again.
private final class Candidates {
  /// Number of printers contacted at one time.
  private static let mostAtOnce = 32
  /// Time after which a silent printer is waited for in parallel with the next one, to which it gives up its slot if
  /// none is free.
  private static let headStart = Duration.seconds(1)
  /// The same time at the second attempt: the printer may need longer to wake up, or for TLS.
  private static let secondStart = Duration.seconds(3)

  private struct Asking {
    let cancellation = Cancellation()
    let since = ContinuousClock.now
  }

  private(set) var all: [PrinterReference] = []
  /// Indices of printers still to be contacted, in order.
  private var line: [Int] = []
  /// Indices of those that gave up their slot and were put at the end of the line for that, which happens once.
  private var displaced: Set<Int> = []
  /// Printers whose answers are still awaited, by index.
  private var open: [Int: Asking] = [:]
  private let answers = Monitor<[(candidate: Int, problem: IPPError?)]>([])
  private let context: Context
  private let quirks: Quirks
  private let security: Security
  private let deadline: ContinuousClock.Instant

  /// Starts with no candidates.
  ///
  /// - `security`: requirements for the printers; no password is sent to any of them.
  init(
    _ context: Context, _ quirks: Quirks, _ security: Security,
    until deadline: ContinuousClock.Instant
  ) {
    (self.context, self.quirks, self.deadline) = (context, quirks, deadline)
    var security = security
    (security.isAnonymous, security.trustsFirst) = (true, false)
    self.security = security
  }

  var isAllAsked: Bool { line.isEmpty }
  var isWaiting: Bool { !open.isEmpty || !line.isEmpty }

  func add(_ candidates: some Sequence<PrinterReference>) {
    let known = all.count
    all += candidates
    line += known..<all.count
  }

  /// Contacts the printers whose turn it is.
  private func askNext() {
    while !line.isEmpty, open.count < Self.mostAtOnce || makesRoom() { ask(line.removeFirst()) }
  }

  /// Drops the one that has been silent for longest; returns true if one had timed out.
  private func makesRoom() -> Bool {
    let silent = open.filter { candidate, asking in
      asking.since + (displaced.contains(candidate) ? Self.secondStart : Self.headStart) <= .now
    }
    guard let (candidate, asking) = silent.min(by: { $0.value.since < $1.value.since }) else {
      return false
    }
    asking.cancellation.raise()
    open[candidate] = nil
    if displaced.insert(candidate).inserted { line.append(candidate) }
    return true
  }

  private func ask(_ number: Int) {
    let asking = Asking()
    open[number] = asking
    let timeout = max(.seconds(1), ContinuousClock.now.duration(to: deadline))
    let security = security.elsewhere(all[number])
    detachThread { [candidate = all[number], answers, context, quirks] in
      var problem: IPPError?
      do throws(IPPError) {
        _ = try PrinterConnection(
          candidate, context, quirks, security, timeout: timeout, asking.cancellation)
      } catch {
        problem = error
      }
      answers.withLock { [problem] in $0.append((number, problem)) }
    }
  }

  /// Returns the next answers; the problem is nil for a printer that answered as the wanted one does.
  ///
  /// Empty if none answered for a while, and more may be searched for.
  func nextAnswers(unless interruption: Cancellation) -> [(PrinterReference, IPPError?)] {
    var end = ContinuousClock.now + Self.headStart
    while isWaiting, !interruption.isRaised, .now < end {
      askNext()
      if !line.isEmpty { end = min(deadline, .now + Self.headStart) }
      let new = answers.wait(until: min(end, .now + .milliseconds(200))) { answers in
        defer { answers = [] }
        return answers.isEmpty ? nil : answers
      }
      // One that was dropped is asked again.
      let answered = (new ?? []).filter { candidate, problem in
        problem?.kind != .interrupted && open.removeValue(forKey: candidate) != nil
      }
      if !answered.isEmpty { return answered.map { (all[$0.candidate], $0.problem) } }
    }
    return []
  }

  /// Cancels all outstanding requests.
  func end() { for asking in open.values { asking.cancellation.raise() } }
}
