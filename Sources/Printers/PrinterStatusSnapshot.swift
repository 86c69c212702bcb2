package import AirprintContext
internal import FoundationEssentials
internal import Glibc
internal import IPP
package import PrintModel
internal import Submission
internal import System

/// A printer's status as `status` shows it, from the time of the last answer.
package struct PrinterStatusSnapshot: Sendable, Codable {
  package var name: String
  package var uri: String
  package var isAvailable = false
  /// The reason why it could not be asked, or would not take a job of this user, in words, with the command that mends it.
  package var silence: String?
  /// The same reason, with which `print` would end; nil: in a cache of an older version, it does not answer.
  var reason: FailureReason?
  /// Its last answer, without the printer's own message; nil if there is none.
  package var answer: PrinterStatus?
  /// Number of documents that `airprint queue` holds for it; counted when the snapshot is read, and not part of it.
  package var queued = 0
  /// Its media-source and media-type keywords, for completion.
  package var trays: [String] = []
  package var mediaTypes: [String] = []
  /// The names of its presets; nil in a cache of an older version.
  package var presets: [String]?
  /// Time of the answer, in seconds since 1970.
  package var asked: Double

  private enum CodingKeys: CodingKey {
    case name, uri, isAvailable, silence, reason, answer, trays, mediaTypes, presets, asked
  }

  /// Seconds since the printer was asked.
  package var age: Double { max(0, WallClock.seconds - asked) }

  /// The reason with which `print` would end before the printer got a job; nil if it would take one.
  package var refusal: FailureReason? { reason ?? (isAvailable ? nil : .unavailable) }

  /// The printer's answer; nil if it did not answer.
  package var status: PrinterStatus? { isAvailable ? answer : nil }
}

/// Returns a printer's status from the cache, and updates it in a background process if it is older than 15 s.
///
/// Only a printer without a cached status is contacted now, or any printer if `isNow`.
///
/// Exit 64 for a part of several names, 69 if no printer is saved or none has this name; a printer that does not answer
/// is a valid result.
package func readStatus(
  at text: String?, _ context: Context, isNow: Bool = false
) async throws(Failure) -> PrinterStatusSnapshot {
  let store = try context.settings.printers()
  let known =
    if let text { try store.find(text) } else {
      store.defaultPrinter.map { PrinterReference($0) }
    }
  guard let word = known?.words ?? text else { throw Failure.noPrinterSaved(for: nil, context) }
  let cache = StatusCache(context.directories, key: known?.uri ?? word)
  var snapshot: PrinterStatusSnapshot
  if isNow {
    snapshot = try await ask(word, cache, context)
  } else if let last = PrinterStatusSnapshot(cache) {
    snapshot = last
    // After the clock was set back, it also counts as old.
    if !(0...15).contains(WallClock.seconds - last.asked) { askBehind(word, cache, context) }
  } else {
    snapshot = try await waitForAnswer(word, cache, context)
  }
  // Another name of the same printer may have been used.
  if let known { snapshot.name = known.name }
  snapshot.queued = ((try? context.journal.unsettledRecords()) ?? []).count {
    $0.phase == .queued && [word, snapshot.name].contains($0.printer)
  }
  return snapshot
}

/// Returns the cached status of a saved printer, for completion, which doesn't wait; nil if it was never contacted.
///
/// A status that is a day old or missing is updated in the background.
package func cachedStatus(at text: String?, _ context: Context) -> PrinterStatusSnapshot? {
  guard let store = try? context.settings.printers(),
    let printer = text.map({ try? store.find($0) })
      ?? store.defaultPrinter.map({ PrinterReference($0) })
  else { return nil }
  let cache = StatusCache(context.directories, key: printer.uri)
  let known = PrinterStatusSnapshot(cache)
  if known.map({ $0.age > 86_400 }) ?? true { askBehind(printer.words, cache, context) }
  return known
}

/// Returns the cached status of a saved printer if it is at most a minute old; no printer is contacted.
package func rememberedStatus(of name: String?, _ context: Context) -> PrinterStatusSnapshot? {
  guard let name, let saved = try? context.settings.printers().find(name),
    let known = PrinterStatusSnapshot(StatusCache(context.directories, key: saved.uri)),
    known.age < 60
  else { return nil }
  return known
}

/// Starts a process that updates the cache from the printer, unless one is running.
private func askBehind(_ word: String, _ cache: StatusCache, _ context: Context) {
  guard let lock = cache.lock() else { return }
  // If no process can be started, the answer gets older, and its age is shown.
  _ = DetachedProcess.start([statusCommand, word], lock: lock.descriptor, context)
}

/// Contacts a printer without a cached status; if another process is doing that, waits for it.
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
    // What a printer that is silent now answered last stays.
    var snapshot = last ?? PrinterStatusSnapshot(name: "", uri: "", asked: 0)
    (snapshot.name, snapshot.uri) = (target.name, target.uri)
    do throws(Failure) {
      let connection = try PrinterConnection.reach(
        target, context, timeout: PrinterConnection.browseTimeout)
      snapshot.take(connection, connection.status, context)
      connection.rememberAnswer(context)
    } catch {
      snapshot.fail(error, at: target.name)
    }
    snapshot.asked = WallClock.seconds
    return snapshot
  }
  snapshot.write(to: cache)
  return snapshot
}

extension PrinterConnection {
  /// Caches the printer's latest answer for `status`, as if that had contacted it.
  ///
  /// - `later`: its answers since it was reached.
  package func rememberStatus(_ later: PrinterStatus?, _ context: Context) {
    guard !context.isLookingAround else { return }
    let cache = StatusCache(context.directories, key: target.saved?.uri ?? target.words)
    var snapshot = PrinterStatusSnapshot(name: name, uri: target.uri, asked: WallClock.seconds)
    snapshot.take(self, later ?? status, context)
    snapshot.write(to: cache)
  }
}

/// Caches for `status` that a printer does not answer, or takes no job of this user.
func remember(_ failure: Failure, of target: PrinterReference, _ context: Context) {
  let cache = StatusCache(context.directories, key: target.saved?.uri ?? target.words)
  guard !context.isLookingAround, var last = PrinterStatusSnapshot(cache) else { return }
  last.fail(failure, at: target.name)
  last.write(to: cache)
}

extension PrinterStatusSnapshot {
  fileprivate mutating func take(
    _ connection: PrinterConnection, _ status: PrinterStatus, _ context: Context
  ) {
    let capabilities = connection.capabilities
    name = connection.name
    isAvailable = true
    (silence, reason) = (nil, nil)
    do throws(Failure) {
      if let missing = try connection.missingLogin(context) { take(missing, at: name) }
    } catch {
      take(error, at: name)
    }
    answer = capabilities.namingPaper(of: status)
    answer?.message = nil
    trays = capabilities.sources
    mediaTypes = capabilities.mediaTypes
    presets = capabilities.presets.map(\.name)
  }

  fileprivate mutating func take(_ failure: Failure, at printer: String) {
    silence = failure.inShort(at: printer) + (failure.fix.map { ": \($0)" } ?? "")
    reason = failure.reason
  }

  /// Records that the printer could not be asked now; what it answered last stays.
  fileprivate mutating func fail(_ failure: Failure, at printer: String) {
    isAvailable = false
    take(failure, at: printer)
    asked = WallClock.seconds
  }

  fileprivate func write(to cache: StatusCache) {
    if let data = try? JSONEncoder().encode(self) { cache.write(Array(data)) }
  }

  /// Reads the cache; nil if it is empty, or if another version wrote it.
  fileprivate init?(_ cache: StatusCache) {
    guard let bytes = cache.read(),
      let snapshot = try? JSONDecoder().decode(PrinterStatusSnapshot.self, from: Data(bytes)),
      snapshot.answer != nil || !snapshot.isAvailable
    else { return nil }
    self = snapshot
  }
}

// MARK: - In the background

/// Command of the process that updates the cache from one printer: `airprint __status PRINTER`, with the cache's lock
/// as descriptor 3.
private let statusCommand = "__status"

/// Updates the cache from a printer if this process was started for that; returns nil if it was not.
package func refreshStatusIfAsked(_ arguments: [String]) async -> Int32? {
  guard arguments.count == 2, arguments[0] == statusCommand else { return nil }
  chdir("/")
  // The lock is released within a minute, whatever happens.
  alarm(60)
  let context = Context.current
  let word = arguments[1]
  do throws(Failure) {
    let saved = try context.settings.printers().find(word)
    let cache = StatusCache(context.directories, key: saved?.uri ?? word)
    do throws(Failure) {
      _ = try await ask(word, cache, context)
    } catch  where error.code == .unavailable {
      // A name that was on the network no longer is.
      guard var last = PrinterStatusSnapshot(cache) else { throw error }
      last.fail(.unavailable(error.message), at: word)
      last.write(to: cache)
    }
    return ExitCode.success.rawValue
  } catch {
    return error.code.rawValue
  }
}

extension AttributeSet {
  /// Reads a printer's last answer, with all of its attributes as IPP encodes them, from a file of the cache; nil if it
  /// is empty, or if libcups is missing.
  package init?(remembered cache: StatusCache) {
    guard let answer = cache.read().flatMap(Response.init(recorded:)) else { return nil }
    self = answer.printer
  }
}

extension PrinterConnection {
  /// Caches the printer's latest attributes for `preview`.
  package func rememberAnswer(_ context: Context) {
    let answer = Response(status: .ok, printer: capabilities.attributes)
    StatusCache(context.directories, key: target.saved?.uri ?? target.uri, of: .attributes)
      .write(answer.recorded)
  }
}
