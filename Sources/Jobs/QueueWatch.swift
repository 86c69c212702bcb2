package import AirprintContext
internal import Desktop
internal import Discovery
internal import Glibc
internal import Logging
package import PrintModel
internal import Printers
internal import Submission
package import System

/// Events of `queue watch`.
package enum QueueWatchEvent: Sendable {
  /// A printer that jobs wait for is available.
  case available(printer: String, uri: String, [QueuedJob])
  /// The printer no longer answers.
  case gone(printer: String, uri: String)
  case printing(QueueRunEvent)
  case note(String)
}

/// Watches for the printers of waiting jobs, until it is canceled.
///
/// A printer is detected by its DNS-SD record, by an answer to a poll (after 5 s, then at intervals growing to 5
/// minutes), and immediately after an address or a route of this machine changes. Then the user is notified once, or
/// the jobs are printed.
///
/// It idles in poll(2): it does not search while no job waits, and inotify reports new jobs. Exit 70 if nothing can be
/// watched, 73 if the journal can't be created, 78 if a settings file is invalid.
///
/// - `prints`: true to print the jobs (`--print`), instead of notifying the user.
package func watchQueue(
  prints: Bool, _ context: Context, cancellation: Cancellation,
  tell: @escaping @Sendable (QueueWatchEvent) -> Void
) async throws(Failure) {
  try await onThread { () throws(Failure) in
    try QueueWatch(prints: prints, context, cancellation, tell).run()
  }
}

/// Log of the events of `queue watch`, for `--verbose`.
let watchLog = Logger(label: "watch")

/// One run of `queue watch`, on its own thread.
final class QueueWatch {
  let prints: Bool
  /// Its settings are read again before each action: files may change while this runs.
  private(set) var context: Context
  let cancellation: Cancellation
  let tell: @Sendable (QueueWatchEvent) -> Void
  let mailbox: Mailbox<Message>
  let service: ServiceManager
  private let folder: FolderWatch
  private let network: NetworkWatch
  /// Destinations by the URIs of their printers.
  var destinations: [String: Destination] = [:]
  /// Number of jobs whose printers have not been found yet.
  var unplaced = 0
  /// True if jobs name a printer that is neither saved nor a URI: DNS-SD has to find it.
  var asksNetwork = false
  /// Printers found by DNS-SD.
  var present: [ServiceName: DiscoveredPrinter] = [:]
  var browsing: Task<Void, Never>?
  var browseAgain: ContinuousClock.Instant?
  /// Pause before a search that failed to start is tried again.
  var browsePause = Duration.seconds(5)
  /// Printers found by this search; the previous one may have found more.
  var seen: Set<ServiceName> = []
  var searchAnewAt: ContinuousClock.Instant?
  /// Time of the next read of the queue.
  var readAt: ContinuousClock.Instant?
  /// Time at which the network has settled after a change.
  private var lookAt: ContinuousClock.Instant?
  private var pulseAt: ContinuousClock.Instant?
  private var status = ""

  /// Messages from other threads.
  enum Message: Sendable {
    case seen(DiscoveryEvent)
    case browsingEnded(wasCanceled: Bool)
    case answered(String, isThere: Bool)
    /// What a person has to do first, such as accepting a certificate.
    case needed(String, String)
    case wanted(String)
    case refused(String, job: String)
    case printed(String)
  }

  /// A printer, or a list of printers, that jobs wait for.
  struct Destination {
    var targets: [PrinterReference]
    var jobs: [QueuedJob]
    var probe: AvailabilityProbe
    var isPrinting = false
    var reminder: Reminder?
    /// What a person has to do before it takes a job.
    var need: String?
    /// Jobs that a run did not print, for reasons that do not go away by themselves.
    var given: Set<String> = []
  }

  init(
    prints: Bool, _ context: Context, _ cancellation: Cancellation,
    _ tell: @escaping @Sendable (QueueWatchEvent) -> Void
  ) throws(Failure) {
    self.prints = prints
    self.context = context
    self.cancellation = cancellation
    self.tell = tell
    do throws(SystemError) {
      mailbox = try Mailbox()
    } catch {
      throw .fault("Can't create a socket: \(error).")
    }
    do throws(SystemError) {
      folder = try FolderWatch()
    } catch {
      throw .fault("Folders can't be watched: \(error).")
    }
    do throws(SystemError) {
      network = try NetworkWatch()
    } catch {
      throw .fault("The network can't be watched: \(error).")
    }
    service = ServiceManager(environment: context.environment)
  }

  func run() throws(Failure) {
    _ = try context.settings.configuration()
    try watchFolders()
    cancellation.ring(mailbox.bell)
    readQueue()
    service.tell("READY=1")
    pulseAt = service.pulse.map { .now + $0 }
    while !cancellation.isRaised {
      sleep()
      if folder.drain() { readAt = readAt ?? .now + .milliseconds(100) }
      if network.drain() { lookAt = lookAt ?? .now + .seconds(1) }
      for message in mailbox.take() { receive(message) }
      try workThrough()
    }
    end()
  }

  private func watchFolders() throws(Failure) {
    try context.journal.prepare()
    folder.watch(touchesOf: context.journal.folder)
    folder.watch(filesOf: context.directories.configuration)
  }

  /// Sleeps until something happens or is due.
  private func sleep() {
    var sources = [folder.descriptor, network.descriptor, mailbox.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let due =
      destinations.values.filter { !$0.probe.isBeingAsked }.map(\.probe.next)
      + [readAt, lookAt, pulseAt, browseAgain, unplaced > 0 ? searchAnewAt : nil].compactMap { $0 }
    var limit: Int32 = -1
    if let first = due.min() {
      let left = max(.zero, ContinuousClock.now.duration(to: first))
      limit = Int32(min(left.components.seconds, 3600) * 1000) + 1
      limit += Int32(left.components.attoseconds / 1_000_000_000_000_000)
    }
    poll(&sources, nfds_t(sources.count), limit)
  }

  /// Performs all actions that are due.
  private func workThrough() throws(Failure) {
    let now = ContinuousClock.now
    if let at = readAt, at <= now {
      readAt = nil
      try watchFolders()
      readQueue()
    }
    if let at = lookAt, at <= now {
      lookAt = nil
      if network.hasChanged() { hurryAll() }
    }
    if let at = browseAgain, at <= now {
      browseAgain = nil
      browse()
    }
    if unplaced > 0, let at = searchAnewAt, at <= now { searchAnew() }
    if let at = pulseAt, at <= now, let pulse = service.pulse {
      service.tell("WATCHDOG=1")
      pulseAt = now + pulse
    }
    for (key, place) in destinations where !place.probe.isBeingAsked && place.probe.next <= now {
      ask(key)
    }
    tellStatus()
  }

  func readSettingsAgain() { context.settings = SettingsFiles(context.directories) }

  private func tellStatus() {
    let waiting = destinations.values.reduce(unplaced) { $0 + $1.jobs.count }
    let there = destinations.values.count { $0.probe.isThere == true }
    var text = "\(waiting.counted("job")) waiting"
    if waiting == 0 { text = "nothing waits" }
    if there > 0 { text += ", \(there) of \(destinations.count) printers available" }
    if text != status { service.tell("STATUS=\(text)") }
    status = text
  }

  private func end() {
    service.tell("STOPPING=1")
    browsing?.cancel()
    for key in destinations.keys { destinations[key]?.reminder = nil }
    // A job that is being printed is canceled at the printer, or returns to the queue.
    let end = ContinuousClock.now + .seconds(20)
    while destinations.values.contains(where: \.isPrinting), ContinuousClock.now < end {
      for message in mailbox.take() {
        if case .printed(let key) = message { destinations[key]?.isPrinting = false }
      }
      usleep(20_000)
    }
    // A signal may still write to its descriptor.
    withExtendedLifetime(mailbox) { cancellation.ring(-1) }
  }
}
