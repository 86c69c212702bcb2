package import AirprintContext
internal import FoundationEssentials
internal import Glibc
package import PrintModel
internal import Settings
internal import Submission
internal import System

/// A printer's status as `status` shows it, from when the printer was last asked.
package struct PrinterStatusSnapshot: Sendable, Codable {
  package var name: String
  package var uri: String
  package var isAvailable: Bool
  /// The printer-state keyword; nil when it did not answer.
  package var state: PrinterStatus.State?
  package var reasons: [String]
  package var isAcceptingJobs: Bool?
  /// Jobs at the printer, anybody's.
  package var jobs: Int
  /// Documents that `airprint queue` keeps for it.
  package var queued: Int
  package var supplies: [PrinterStatus.Supply]
  /// Its media-source and media-type keywords, for Tab.
  package var trays: [String]
  package var mediaTypes: [String]
  /// Time of the answer, in seconds since 1970.
  package var asked: Double

  /// Seconds since the printer was asked.
  package var age: Double { max(0, WallClock.seconds - asked) }

  /// Ink, toner and the like of which a tenth or less is left, but for what fills up.
  package var low: [PrinterStatus.Supply] { supplies.filter(\.isLow) }
}

/// A printer's status: from the cache, at once, and asked anew behind it by a process of its own when that is older
/// than `freshness`.
///
/// Only a printer that was never asked is asked now, or each one with `isNow`.
///
/// Exit 64 for a part of several names, 69 when no printer is saved or none has this name; a printer that
/// does not answer is an answer.
package func readStatus(
  at text: String?, _ context: Context, freshness: Double = 15, isNow: Bool = false
) async throws(Failure) -> PrinterStatusSnapshot {
  let store = try context.settings.printers()
  let saved = if let text { try store.find(text) } else { store.defaultPrinter }
  guard let word = saved?.name ?? text else { throw Failure.noPrinterSaved(for: nil, context) }
  let cache = StatusCache(context.places, key: saved?.uri ?? word)
  if isNow { return try await ask(word, cache, context) }
  guard let known = PrinterStatusSnapshot(cache) else {
    return try await waitForAnswer(word, cache, context)
  }
  // A clock that was put back makes it old too.
  if !(0...freshness).contains(WallClock.seconds - known.asked) { askBehind(word, cache, context) }
  return known
}

/// The cached status of a saved printer, for Tab, which doesn't wait; nil when it was never
/// asked.
///
/// What is a day old, or not there, is asked behind the answer.
package func cachedStatus(at text: String?, _ context: Context) -> PrinterStatusSnapshot? {
  guard let store = try? context.settings.printers(),
    let saved = text.map({ try? store.find($0) }) ?? store.defaultPrinter
  else { return nil }
  let cache = StatusCache(context.places, key: saved.uri)
  let known = PrinterStatusSnapshot(cache)
  if known.map({ $0.age > 86_400 }) ?? true { askBehind(saved.name, cache, context) }
  return known
}

/// The cached status of a saved printer, where it is no older than a minute; no printer is asked.
package func rememberedStatus(of name: String?, _ context: Context) -> PrinterStatusSnapshot? {
  guard let name, let saved = try? context.settings.printers().find(name),
    let known = PrinterStatusSnapshot(StatusCache(context.places, key: saved.uri)),
    known.age < 60
  else { return nil }
  return known
}

/// Starts a process that asks the printer for the cache, unless one does.
private func askBehind(_ word: String, _ cache: StatusCache, _ context: Context) {
  guard let lock = cache.lock() else { return }
  // If no process can be started, the answer ages, and shows its age.
  _ = DetachedProcess.start([statusCommand, word], lock: lock.descriptor, context)
}

/// Asks a printer that was never asked; if another process is asking it, that one is waited for.
private func waitForAnswer(
  _ word: String, _ cache: StatusCache, _ context: Context
) async throws(Failure) -> PrinterStatusSnapshot {
  let end = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < end {
    if let lock = cache.lock() {
      defer { withExtendedLifetime(lock) {} }
      return try await ask(word, cache, context)
    }
    try? await Task.sleep(for: .milliseconds(50))
    if let known = PrinterStatusSnapshot(cache) { return known }
  }
  return try await ask(word, cache, context)
}

private func ask(
  _ word: String, _ cache: StatusCache, _ context: Context
) async throws(Failure) -> PrinterStatusSnapshot {
  guard let target = try await findPrinter(word, for: nil, context) else {
    throw Failure.noPrinterSaved(for: nil, context)
  }
  let last = PrinterStatusSnapshot(cache)
  let snapshot = await onThread {
    var snapshot = PrinterStatusSnapshot(
      name: target.name, uri: target.uri, isAvailable: false, reasons: [], jobs: 0, queued: 0,
      supplies: [], trays: last?.trays ?? [], mediaTypes: last?.mediaTypes ?? [],
      asked: WallClock.seconds)
    do throws(Failure) {
      let session = try PrinterConnection.reach(
        target, context, patience: PrinterConnection.browsePatience, cancellation: Cancellation())
      snapshot.take(session, session.status)
      session.rememberAnswer(context)
    } catch {
      // It does not answer, which is the status to report.
    }
    let records = (try? context.journal.records()) ?? []
    snapshot.queued = records.count {
      $0.phase == .queued && [word, snapshot.name].contains($0.printer)
    }
    snapshot.asked = WallClock.seconds
    return snapshot
  }
  if let data = try? JSONEncoder().encode(snapshot) { cache.write(Array(data)) }
  return snapshot
}

extension PrinterConnection {
  /// Keeps the printer's latest answer for `status`, as if that had asked.
  ///
  /// - `later`: its answers since it was reached.
  package func rememberStatus(_ later: PrinterStatus?, _ context: Context) {
    guard !context.isLookingAround else { return }
    let cache = StatusCache(context.places, key: target.saved?.uri ?? target.words)
    let last = PrinterStatusSnapshot(cache)
    var snapshot = PrinterStatusSnapshot(
      name: name, uri: target.uri, isAvailable: true, reasons: [], jobs: 0,
      queued: last?.queued ?? 0, supplies: [], trays: [], mediaTypes: [], asked: WallClock.seconds)
    snapshot.take(self, later ?? status)
    if let data = try? JSONEncoder().encode(snapshot) { cache.write(Array(data)) }
  }
}

/// Keeps for `status` that a printer does not answer.
func rememberSilence(of target: PrinterReference, _ context: Context) {
  let cache = StatusCache(context.places, key: target.saved?.uri ?? target.words)
  guard !context.isLookingAround, var last = PrinterStatusSnapshot(cache) else { return }
  last.isAvailable = false
  last.state = nil
  last.asked = WallClock.seconds
  if let data = try? JSONEncoder().encode(last) { cache.write(Array(data)) }
}

extension PrinterStatusSnapshot {
  fileprivate mutating func take(_ session: PrinterConnection, _ status: PrinterStatus) {
    let capabilities = session.capabilities
    name = session.name
    isAvailable = true
    state = status.state
    reasons = status.reasons
    isAcceptingJobs = status.isAcceptingJobs
    jobs = status.queuedJobs ?? 0
    supplies = status.supplies
    trays = capabilities.sources
    mediaTypes = capabilities.mediaTypes
  }

  /// nil for a cache that is empty, or another version's.
  fileprivate init?(_ cache: StatusCache) {
    guard let bytes = cache.read(),
      let snapshot = try? JSONDecoder().decode(PrinterStatusSnapshot.self, from: Data(bytes))
    else { return nil }
    self = snapshot
  }
}

// MARK: - Behind the answer

/// Names the process that asks one printer for the cache: `airprint __status PRINTER`, with the cache's
/// lock as descriptor 3.
private let statusCommand = "__status"

/// Asks a printer for the cache when this process was started for that; nil when it was not.
package func refreshStatusIfAsked(_ arguments: [String]) async -> Int32? {
  guard arguments.count == 2, arguments[0] == statusCommand else { return nil }
  chdir("/")
  // The lock is free again in a minute, whatever happens.
  alarm(60)
  let context = Context.current
  let word = arguments[1]
  do throws(Failure) {
    let saved = try context.settings.printers().find(word)
    let cache = StatusCache(context.places, key: saved?.uri ?? word)
    do throws(Failure) {
      _ = try await ask(word, cache, context)
    } catch  where error.code == .unavailable {
      // A name that was on the network is not any more.
      guard var last = PrinterStatusSnapshot(cache) else { throw error }
      last.isAvailable = false
      last.state = nil
      last.asked = WallClock.seconds
      if let data = try? JSONEncoder().encode(last) { cache.write(Array(data)) }
    }
    return ExitCode.success.rawValue
  } catch {
    return error.code.rawValue
  }
}
